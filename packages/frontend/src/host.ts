// Host code: what a file holds beside its kernels. It is not run. What it makes is said to be missing only where a kernel needs it, with the
// place that needs it and the place that makes it.

import type { SExpr, SStmt } from "@tilefoundry/grammar";
import { Reporter, type Code, type Diagnostic, type Related, type Span } from "@tilefoundry/text";
import type { Constant, ExprContext, ModuleContext } from "./context.ts";
import { blocksOf } from "./names-in.ts";
import { poison, type Value, type Waiting } from "./value.ts";

/**
 * Codes that say what static evaluation does not do though Python might: a constant that only has such faults waits. With any other it is
 * one that Python refuses too, or a misuse of what the language itself has.
 */
const PATIENT: ReadonlySet<Code> = new Set<Code>(["TF1012", "TF2002", "TF2004", "TF2011", "TF2015", "TF2101", "TF2102", "TF2103", "TF3208"]);

/** Evaluates what may wait: poison that knows why where only the host can compute it. Nothing waits where the trial is the place itself. */
export function attempt(e: SExpr, trial: ExprContext, module: ModuleContext, evaluate: (e: SExpr, c: ExprContext) => Value): Value {
  const value = evaluate(e, trial);
  const { diagnostics } = trial.reporter;
  if (diagnostics.length === 0 || trial.reporter === module.reporter) return value;
  const said = diagnostics.splice(0);
  const grave = said.filter((d) => d.severity === "error" && !PATIENT.has(d.code));
  const [first] = said.filter((d) => d.severity === "error");
  if (grave.length > 0 || first === undefined) {
    module.reporter.diagnostics.push(...grave, ...said.filter((d) => d.severity !== "error"));
    return value;
  }
  return { ...poison(e.span), because: becauseOf(first) };
}

/** A copy of the module whose complaints are looked at before they are said. */
export const onTrial = (module: ModuleContext): ModuleContext => ({ ...module, reporter: new Reporter(), needed: undefined });

/** Why a value is not known: what was found, and where that came from in the end. */
function becauseOf({ message, span, related }: Diagnostic): readonly Related[] {
  const last = related.at(-1);
  return [...(span === undefined ? [] : [{ message, span }]), ...(last === undefined ? [] : [last])];
}

/** Says that the host makes what is needed here. */
export function reportHost(name: string, { because = [] }: Partial<Waiting>, span: Span, { reporter }: Pick<ModuleContext, "reporter">): void {
  const [root = name] = name.split(".");
  const instead = root === name ? `give it with \`--bind ${name}=VALUE\`` : `write its value out, or give \`${root}\` in a file of \`--bindings\``;
  reporter.report("TF2101", span, { name, instead }, { related: because });
}

/** A name of the host's where it is needed. */
export function needHost(name: string, constant: Constant, span: Span, module: ModuleContext): void {
  if (module.needed?.has(constant)) return;
  module.needed?.add(constant);
  reportHost(name, constant, span, module);
}

/** Names whose value the statement changes in place: by an attribute, an element, a method. */
export function changedBy(s: SStmt): readonly string[] {
  const own = s.kind === "ExprStmt" ? calledOn(s.value) : s.kind === "AssignStmt" ? s.targets.flatMap(changedNames) : s.kind === "AugAssign" ? changedNames(s.target) : s.kind === "Delete" ? s.targets.flatMap(changedNames) : [];
  return [...own, ...blocksOf(s).flatMap((block) => block.stmts.flatMap(changedBy))];
}

/** `x` of `x.append(…)`. */
function calledOn(e: SExpr): readonly string[] {
  return e.kind === "Call" && e.callee.kind === "Attribute" ? changedNames(e.callee) : [];
}

/** `x` of `x.a[0].b`: whose value an assignment to it changes. */
export function changedNames(e: SExpr): readonly string[] {
  if (e.kind === "Attribute" || e.kind === "Subscript") return e.value.kind === "Name" ? [e.value.name] : changedNames(e.value);
  if (e.kind === "Call") return changedNames(e.callee);
  return e.kind === "TupleDisplay" || e.kind === "ListDisplay" ? e.items.flatMap(changedNames) : e.kind === "Paren" ? changedNames(e.value) : [];
}

/** Names that every Python module sees and that are not evaluated here. */
const PYTHONS: ReadonlySet<string> = new Set((
  "print open type isinstance issubclass callable id hash repr ascii chr ord hex oct bin format input iter next map filter slice set frozenset bytes bytearray memoryview complex object " +
  "property classmethod staticmethod super getattr setattr hasattr delattr globals locals vars dir eval exec compile exit quit help breakpoint aiter anext Ellipsis NotImplemented " +
  "BaseException Exception ArithmeticError AssertionError AttributeError ImportError IndexError KeyError LookupError ModuleNotFoundError NameError NotImplementedError OSError OverflowError " +
  "RuntimeError StopIteration SystemExit TypeError ValueError ZeroDivisionError Warning DeprecationWarning UserWarning FileNotFoundError TimeoutError KeyboardInterrupt"
).split(" "));

export const isPythons = (name: string): boolean => PYTHONS.has(name) || /^__\w+__$/.test(name);
