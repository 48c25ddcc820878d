// Statements of a text that are no kernels: in a file they are passed over and what they make waits; in a template, whose host is TypeScript,
// they are refused by name.

import type { BadStmt, Block, ClassDef, FunctionDef, SExpr, SStmt, Try } from "@tilefoundry/grammar";
import { KERNEL_DECORATOR } from "@tilefoundry/syntax";
import type { Related, Span } from "@tilefoundry/text";
import { refuse } from "./complaints.ts";
import type { Constant, ModuleContext } from "./context.ts";
import { evaluate } from "./expr.ts";
import { attempt, changedBy, isPythons } from "./host.ts";
import { truth } from "./known-ops.ts";
import { LOOP_NAMES } from "./loop-header.ts";
import { dotted, type Dotted } from "./members.ts";
import { trialPlace, type ModuleState } from "./module-state.ts";
import { blocksOf, namesBoundBy } from "./names-in.ts";
import { primCalled } from "./prim-call.ts";
import { keywordSpan, refuseStmt } from "./refuse.ts";
import { knownOf, type Known, type Value } from "./value.ts";

// — passed over —

/** A statement of the host in a file. What is decided before anything runs is read: an `if` on constants, an update of one. */
export function hostStatement(s: SStmt, state: ModuleState, read: (s: SStmt, state: ModuleState) => void): void {
  const { module } = state;
  if (isStray(s, module) || s.kind === "ReturnStmt" || s.kind === "BreakStmt" || s.kind === "ContinueStmt") {
    refuseHostCode(s, module);
    return silenceNames(s, state);
  }
  const rule = READ[s.kind] as ((s: SStmt, state: ModuleState, read: (s: SStmt, state: ModuleState) => void) => boolean) | undefined; // the key fixes the kind
  if (rule?.(s, state, read) === true) return;
  const because: readonly Related[] = [{ message: "host code, which is not run", span: s.kind === "ExprStmt" ? s.span : keywordSpan(s) }];
  for (const name of namesBoundBy(s)) module.constants.set(name, { kind: "host", span: s.span, because });
  changeNames(changedBy(s), s.span, module);
}

type Read<K extends SStmt["kind"]> = (s: Extract<SStmt, { readonly kind: K }>, state: ModuleState, read: (s: SStmt, state: ModuleState) => void) => boolean;

/** Those that may be read after all; they say whether they were. */
const READ: { readonly [K in SStmt["kind"]]?: Read<K> } = {
  IfStmt: (s, state, read) => {
    if (isMainGuard(s)) return true;
    const known = knownOf(attempt(s.cond, trialPlace(state), state.module, evaluate));
    const decided = known && truth(known);
    if (decided === undefined) return false;
    for (const inner of (decided ? s.body : s.orelse)?.stmts ?? []) read(inner, state);
    return true;
  },
  AugAssign: (s, state) => {
    const op = s.op.replace(/=$/, "");
    if (s.target.kind !== "Name" || !isBinary(op)) return false;
    const sum: SExpr = { kind: "Binary", op, left: s.target, right: s.value, opSpan: s.span, span: s.span };
    const value = attempt(sum, trialPlace(state), state.module, evaluate);
    const known = knownOf(value);
    state.module.constants.set(s.target.name, known === undefined ? unknownConstant(value, s.target.span) : { kind: "value", value: known, span: s.target.span });
    return true;
  },
  Try: (s, state, read) => {
    imports(s, state, read);
    return true;
  },
};

type BinaryOp = Extract<SExpr, { readonly kind: "Binary" }>["op"];
const BINARY: ReadonlySet<string> = new Set<BinaryOp>(["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^"]);
const isBinary = (op: string): op is BinaryOp => BINARY.has(op);

/** Imports in a `try` are read as if they succeed; what else it binds is the host's. */
function imports(s: Try, state: ModuleState, read: (s: SStmt, state: ModuleState) => void): void {
  const { constants } = state.module;
  const imported = s.body.stmts.filter((inner) => inner.kind === "Import" || inner.kind === "ImportFrom");
  const names = new Set(imported.flatMap(namesBoundBy));
  const because: readonly Related[] = [{ message: "host code, which is not run", span: keywordSpan(s) }];
  for (const inner of imported) read(inner, state);
  for (const name of namesBoundBy(s)) if (!names.has(name)) constants.set(name, { kind: "host", span: s.span, because });
  changeNames(changedBy(s), s.span, state.module);
}

/** Kinds of values that can be changed in place. */
const MUTABLE: ReadonlySet<Known["kind"]> = new Set<Known["kind"]>(["sequence", "dict", "record", "class"]);

/** What the host changes in place is no longer known, by whatever name. */
export function changeNames(names: readonly string[], span: Span, { constants }: ModuleContext): void {
  for (const name of names) {
    const changed = constants.get(name)?.value;
    if (changed === undefined || !MUTABLE.has(changed.kind)) continue;
    const because: readonly Related[] = [{ message: `host code changes \`${name}\` here`, span }];
    for (const other of [...constants.values()]) if (holds(constants.get(other)?.value, changed)) constants.set(other, { kind: "host", span, because });
  }
}

const holds = (whole: Known | undefined, part: Known): boolean => whole === part || (whole?.kind === "sequence" && whole.items.some((item) => holds(item, part)));

/** A constant without a value: it waits for the host, or its error is reported. */
export function unknownConstant(value: Value, span: Span): Constant {
  const because = value.kind === "poison" ? value.because : undefined;
  return because === undefined ? { kind: "poison", span } : { kind: "host", span, because };
}

/** A line that could not be read. In a Python file its error is said only if it is a kernel's, or a kernel needs what it binds. */
export function badStatement(s: BadStmt, state: ModuleState): void {
  const { module } = state;
  if (!module.isPython || KERNEL_DECORATOR.test(s.text)) {
    module.kernels.push(s.span);
    return silenceNames(s, state);
  }
  const fault = module.syntax.find((d) => d.span !== undefined && d.span.start >= s.span.start && d.span.start <= s.span.end);
  const because: readonly Related[] = [{ message: fault?.message ?? "this line cannot be read", span: fault?.span ?? s.span }];
  for (const name of namesBoundBy(s)) module.constants.set(name, { kind: "host", span: s.span, because });
}

// — definitions —

/** Whether a function is the host's: it has no decorator, or only decorators that are the host's. */
export function isHostDefinition({ decorators }: FunctionDef, module: ModuleContext): boolean {
  return decorators.every(({ value }) => module.host === "skipped" && isHostDecorator(value, module));
}

function isHostDecorator(e: SExpr, { constants, namespaces }: ModuleContext): boolean {
  const chain = decoratorChain(e);
  if (chain === undefined) return true;
  if (namespaces.has(chain.root)) return false;
  const constant = constants.get(chain.root);
  return constant?.kind === "host" || (constant === undefined && isPythons(chain.root));
}

const decoratorChain = (e: SExpr): Dotted | undefined => dotted(e.kind === "Call" ? e.callee : e);

const KERNEL_WORDS: ReadonlySet<string> = new Set(["func", "prim_func", "function", "jit", "program", "module", "incore"]);

/** Whether kernels stand inside of a function or class of the host. */
export function kernelsInside(s: FunctionDef | ClassDef): boolean {
  const isMarked = (inner: SStmt): boolean => (inner.kind === "FunctionDef" || inner.kind === "ClassDef") && (inner.decorators.some(({ value }) => namesKernel(value)) || inside(inner.body));
  const inside = (block: Block): boolean => block.stmts.some((inner) => isMarked(inner) || blocksOf(inner).some(inside));
  return inside(s.body);
}

function namesKernel(e: SExpr): boolean {
  const chain = decoratorChain(e);
  return chain !== undefined && [chain.root, ...chain.path].some((word) => KERNEL_WORDS.has(word));
}

// — refused —

/** `if __name__ == "__main__":` never runs here. */
export const isMainGuard = (s: SStmt): boolean =>
  s.kind === "IfStmt" && s.cond.kind === "Compare" && s.cond.operands.some((e) => e.kind === "Name" && e.name === "__name__");

const HOST: { readonly [K in SStmt["kind"]]?: string } = {
  IfStmt: "`if` at module level", ForStmt: "`for` at module level", WhileStmt: "`while` at module level",
  WithStmt: "`with` at module level", ExprStmt: "an expression at module level",
};

export function refuseHostCode(s: SStmt, module: ModuleContext): void {
  const what = HOST[s.kind];
  if (what === undefined) return refuseStmt(s, module.reporter);
  const instead = "a text holds imports, constants and functions decorated with `@func`, `@prim_func` or `@pl.function`";
  refuse(what, instead, s.kind === "ExprStmt" ? s.span : keywordSpan(s), module);
}

/** Using what a refused statement would have defined is no further error. */
export function silenceNames(s: SStmt, { module }: ModuleState): void {
  for (const name of namesBoundBy(s)) module.constants.set(name, { kind: "poison", span: s.span });
}

const REGIONS: ReadonlySet<string> = new Set(["at", "cluster", "spmd", "manual_scope", "scope"]);

/** Loops, regions and ops of kernels that stand outside of any: they lost their indentation. */
function isStray(s: SStmt, module: ModuleContext): boolean {
  const heads = s.kind === "ForStmt" ? [s.iterable] : s.kind === "WithStmt" ? s.items.map((i) => i.context) : s.kind === "ExprStmt" ? [s.value] : [];
  return heads.some((head) => head.kind === "Call" && isKernelWord(dotted(head.callee), module));
}

function isKernelWord(chain: Dotted | undefined, { namespaces, ops }: ModuleContext): boolean {
  const namespace = chain && namespaces.get(chain.root);
  if (chain === undefined || namespace === undefined || namespace === "math") return false;
  const name = chain.path.join(".");
  return LOOP_NAMES.has(name) || REGIONS.has(name) || (namespace === "T" ? primCalled(name) !== undefined : ops.find(namespace, name) !== undefined);
}
