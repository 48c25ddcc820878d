// Checking without throwing: a text in, a program (if it is right) and all diagnostics out.

import { isUnknownHole, type HoleValue } from "@tilefoundry/frontend";
import type { HoleRange, TemplateText } from "@tilefoundry/grammar";
import { allFunctions, callsOf, linked, resolve, verify, type Device, type FunctionNode, type ModuleNode } from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import { problemsOf } from "@tilefoundry/passes";
import { hasErrors, inTextOrder, type Code, type Diagnostic, type Span } from "@tilefoundry/text";
import { dataOf, type AnyProgram } from "./program.ts";
import { bindTemplate, parseProgram, type FileOptions, type TemplateValue } from "./tag.ts";
import { resolveTarget } from "./targets.ts";

export interface CheckResult {
  /** Undefined if there is an error. */
  readonly program: AnyProgram | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses, resolves, infers types and verifies a text; never throws. Errors that only the passes can see (carries, joins, stale
 * handles, placement) are found too.
 */
export function check(text: string, name = "template", options: FileOptions = {}): CheckResult {
  const parsed = parseProgram(text, name, options);
  return parsed.value === undefined ? { program: undefined, diagnostics: parsed.diagnostics } : checkProgram(parsed.value, parsed.diagnostics);
}

/**
 * Checks a template that is not run. Holes whose values are not known are typed by their use, and what may only follow from that is not said;
 * a program with such holes is one to look at, not to compile.
 */
export function checkTemplate(template: TemplateText, values: readonly TemplateValue[]): CheckResult {
  const bound = bindTemplate(template, values);
  const { program, diagnostics } = bound.value === undefined ? { ...bound, program: undefined } : checkProgram(bound.value, bound.diagnostics);
  const open = template.holes.filter((_, i) => isUnknownHole(values[i] as HoleValue)); // a program is none
  return { program, diagnostics: open.length === 0 ? diagnostics : diagnostics.filter((d) => !mayFollowFrom(open, d)) };
}

/** What a decorator with such a hole may leave out: functions, the levels of meshes. */
const FROM_DECORATORS: ReadonlySet<Code> = new Set<Code>(["TF1015", "TF4129"]);

/** Whether a fault may be none once the values of some holes are known: it speaks of them, holds them, or is about sizes or what is written. */
function mayFollowFrom(open: readonly HoleRange[], { code, message, help, severity, span, related }: Diagnostic): boolean {
  if (code.startsWith("TF5") || (severity === "warning" && code.startsWith("TF42")) || FROM_DECORATORS.has(code)) return true;
  if (code.startsWith("TF1")) return false; // the text itself
  return [message, help, ...related.map((r) => r.message)].some((text) => text.includes("${")) || open.some((hole) => span !== undefined && hole.start < span.end && span.start < hole.end);
}

function checkProgram(program: AnyProgram, known: readonly Diagnostic[]): CheckResult {
  const { module } = dataOf(program);
  const wrong = verify(module, "parsed");
  const further = hasErrors(wrong) ? [] : problemsIn(module);
  const diagnostics = inTextOrder([...known, ...wrong, ...further]);
  return { program: hasErrors(diagnostics) ? undefined : program, diagnostics };
}

/** What the passes find, function by function, so that of a long text no more than one stands lowered; a callee's are found with its callers'. */
function problemsIn(module: ModuleNode): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const devices = new Map<string | undefined, Device | undefined>();
  const called = calledIn(module);
  for (const { fn, module: owner } of allFunctions(module)) {
    const target = fn.target ?? module.target;
    if (called.has(fn)) continue;
    if (!devices.has(target)) {
      const { value, diagnostics } = resolveTarget(target);
      found.push(...diagnostics.map((d) => ({ ...d, span: whereNamed(target, fn) ?? whereNamed(target, module) })));
      devices.set(target, value?.device);
    }
    const device = devices.get(target);
    if (device !== undefined) found.push(...problemsOf(linked(owner, fn), { ops: builtinOps, device, fold: true }));
  }
  return called.size === 0 ? found : once(found);
}

/** The target as a decorator names it. */
function whereNamed(target: string | undefined, { meta: { span } }: FunctionNode | ModuleNode): Span | undefined {
  const text = span?.source.text.slice(span.start, span.end);
  const at = ['"', "'"].map((quote) => text?.indexOf(`${quote}${target}${quote}`) ?? -1).find((found) => found >= 0);
  if (span === undefined || target === undefined || at === undefined) return undefined;
  return { source: span.source, start: span.start + at, end: span.start + at + target.length + 2 };
}

function calledIn(module: ModuleNode): ReadonlySet<FunctionNode> {
  const called = new Set<FunctionNode>();
  if (module.functions.length + module.children.length < 2) return called;
  for (const { fn, module: owner } of allFunctions(module)) {
    for (const { callee } of callsOf(fn)) {
      const next = resolve(owner, callee.symbol)?.fn;
      if (next !== undefined) called.add(next);
    }
  }
  return called;
}

/** A callee is met with each of its callers. */
function once(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ code, message, span }) => {
    const key = `${code} ${span?.start} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}
