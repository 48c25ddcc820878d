// Calls of functions: by name, through `self`, through a child module. Arguments become what the parameters take, and the call is typed by
// what the callee returns.

import {
  callTyping, cast, functionCall, INDEX, isInteger, isMisfit, isVarLike, prim, sameDType, typeText, type Expr, type FunctionNode, type Misfit, type Param, type Type, type Var,
} from "@tilefoundry/ir";
import { showType } from "@tilefoundry/ops";
import { invariant, type Related, type Span } from "@tilefoundry/text";
import type { PassedArguments } from "./arguments.ts";
import { counted, place as placeOf, suggestion } from "./complaints.ts";
import { BLOCK_PARTS, dialectOf, type ExprContext, type Given, type Template } from "./context.ts";
import { calleeOf, instanceOf, templateOf, type Callee } from "./definitions.ts";
import { describe } from "./known-ops.ts";
import { literal, toExpr, typedLiteral } from "./literal.ts";
import { isNumber } from "./python-number.ts";
import { exprValue, poison, unknownExpr, type Value } from "./value.ts";

export interface FunctionSite {
  /** As written: `f`, `self.k`, `layer0.attend`. */
  readonly spelled: string;
  readonly path: readonly string[];
  readonly span: Span;
  readonly calleeSpan: Span;
  readonly passed: PassedArguments;
}

/** The value of a call; undefined if the path names no function and no module. */
export function callFunction(site: FunctionSite, c: ExprContext): Value | undefined {
  const template = site.path.length === 1 ? templateOf(c.module.owner, site.path[0] ?? "") : undefined;
  const callee = template === undefined ? calleeOf(c.module.owner, site.path, c.module.reading) : undefined;
  if (template === undefined && callee === undefined) return undefined;
  if (c.dialect === undefined && callee?.kind !== "broken") return outsideOfKernels(site, c);
  if (template !== undefined) return callTemplate(template, site, c);
  if (callee === undefined) return undefined;
  if (callee.kind !== "function") return refuseCallee(callee, site, c);
  const values = inOrder(callee.fn, site, callee.span, c);
  if (values === undefined || values.some((v) => v.kind === "poison")) return poison(site.span);
  return typedCall(callee, values, site, c);
}

function outsideOfKernels({ path, spelled, span }: FunctionSite, { module, reporter }: ExprContext): Value {
  const isModule = path.length === 1 && module.constants.get(path[0] ?? "")?.kind === "module";
  const help = isModule ? `a child module is placed without a call: \`name = ${spelled}\`` : `\`${spelled}\` computes when the kernel runs: call it in a function`;
  reporter.report("TF2004", span, { what: "a constant of the module" }, { help });
  return poison(span);
}

/** A template is read for the arguments: known ones stand in its body, the others are its parameters. */
function callTemplate(template: Template, site: FunctionSite, c: ExprContext): Value {
  const { def } = template;
  const { positional, keywords } = site.passed;
  const [keyword] = keywords;
  if (keyword !== undefined || positional.length !== def.params.length) {
    const signature = `${def.name}(${def.params.map((p) => p.name).join(", ")})`;
    const found = keyword === undefined ? counted(positional.length, "argument") : `the keyword \`${keyword.name}\``;
    c.reporter.report("TF4123", keyword?.nameSpan ?? site.span, { name: site.spelled, expected: counted(def.params.length, "argument"), found, signature }, { related: placeOf(`\`${signature}\``, def.nameSpan) });
    return poison(site.span);
  }
  if (positional.some((v) => v.kind === "poison")) return poison(site.span);
  const given = new Map<string, Given>(def.params.map((p, i) => [p.name, givenBy(positional[i] ?? poison(site.span), c)]));
  const key = JSON.stringify([...given.values()].map((g) => ("known" in g ? describe(g.known) : typeText(g.type))));
  const callee = instanceOf(template, key, given, site.span, c.module.owner, c.module.reading);
  if (callee.kind !== "function") return refuseCallee(callee, site, c);
  return typedCall(callee, positional.filter((_, i) => { const g = given.get(def.params[i]?.name ?? ""); return g !== undefined && "type" in g; }), site, c);
}

function givenBy(value: Value, c: ExprContext): Given {
  const known = value.kind === "known" ? value.known : undefined;
  return known === undefined || known.kind === "extent" ? { type: toExpr(value, c).type } : { known };
}

function refuseCallee(callee: Exclude<Callee, { readonly kind: "function" }>, site: FunctionSite, c: ExprContext): Value {
  const { reporter } = c;
  if (callee.kind === "recursion") {
    const names = callee.cycle.map((d) => d.def.name);
    reporter.report("TF4122", site.calleeSpan, { name: names[0] ?? site.spelled, cycle: names.join(" → ") }, { related: callee.cycle.slice(0, -1).map((d) => ({ message: `\`${d.def.name}\``, span: d.def.nameSpan })) });
  } else if (callee.kind === "module") {
    const functions = callee.module.functions.map((f) => `\`${site.spelled}.${f.name}\``).join(", ") || "none";
    reporter.report("TF2030", site.calleeSpan, { name: site.spelled, functions });
  }
  return poison(site.span);
}

// — arguments —

/** Arguments in the order of the parameters; undefined after a complaint that shows the signature. */
function inOrder(fn: FunctionNode, { passed, spelled, span }: FunctionSite, defined: Span | undefined, c: ExprContext): readonly Value[] | undefined {
  const related = placeOf(`\`${signatureText(fn, c)}\``, defined);
  const names = fn.params.map((p) => p.var.hint);
  const values = new Map<string, Value>(passed.positional.slice(0, names.length).map((value, i) => [names[i] ?? "", value]));
  const found = passed.positional.length + passed.keywords.length;
  for (const { name, value, nameSpan } of passed.keywords) {
    if (!names.includes(name)) c.reporter.report("TF2008", nameSpan, { callee: spelled, name, known: names.join(", ") || "none" }, { ...suggestion(name, names, nameSpan), related });
    else if (values.has(name)) c.reporter.report("TF2009", nameSpan, { callee: spelled, expected: `\`${name}\` once`, found: "twice", known: names.join(", ") }, { related });
    else values.set(name, value);
  }
  for (const part of Object.values(BLOCK_PARTS)) {
    // what a kernel asks of the block that it runs in, its caller hands on
    if (c.block !== undefined && found < names.length && names.includes(part) && !values.has(part)) values.set(part, exprValue(c.block(part), span));
  }
  if (values.size === names.length) return names.map((name) => values.get(name) ?? poison(span));
  if (found !== names.length) c.reporter.report("TF4123", span, { name: spelled, expected: counted(names.length, "argument"), found: counted(found, "argument"), signature: signatureText(fn, c) }, { related });
  return undefined;
}

function signatureText(fn: FunctionNode, c: ExprContext): string {
  const words = { in: "", out: "Out ", inout: "InOut " } as const;
  const params = fn.params.map((p) => `${p.var.hint}: ${words[p.direction]}${showType(p.var.type, dialectOf(c))}`);
  const results = fn.returns.map((t) => showType(t, dialectOf(c))).join(", ");
  return `${fn.name}(${params.join(", ")})${results === "" ? "" : ` -> ${results}`}`;
}

/** A scalar argument takes its parameter's dtype: literals by value, integers by their low bits, an integer for a BOOL by `!= 0`. */
function argument(value: Value, { var: v }: Param, c: ExprContext): Expr {
  const { type } = v;
  const known = value.kind === "known" ? value.known : undefined;
  if (type.kind !== "Scalar") return toExpr(value, c);
  if (known !== undefined && isNumber(known)) return typedLiteral(known, type.dtype, value.span, c) ?? unknownExpr(value.span);
  const expr = known === undefined ? toExpr(value, c) : literal(known, value.span, c);
  const from = expr.type;
  if (from.kind !== "Scalar" || sameDType(from.dtype, type.dtype) || !isInteger(from.dtype)) return expr;
  const meta = { span: value.span };
  if (isInteger(type.dtype)) return { ...cast(expr, type.dtype), meta };
  return type.dtype === "bool" ? prim("ne", [expr, typedZero(from, value.span, c)], {}, meta) : expr;
}

const typedZero = (type: Type, span: Span, c: ExprContext): Expr =>
  typedLiteral({ kind: "int", value: 0n }, type.kind === "Scalar" ? type.dtype : INDEX.dtype, span, c) ?? unknownExpr(span);

// — the call —

function typedCall(callee: Extract<Callee, { readonly kind: "function" }>, values: readonly Value[], site: FunctionSite, c: ExprContext): Value {
  const { fn, symbol, span: defined } = callee;
  const args = fn.params.map((p, i) => argument(values[i] ?? poison(site.span), p, c));
  // of a parameter with an error nothing is known, its extents neither
  if ([...args, ...fn.params.map((p) => p.var)].some(({ type }) => type.kind === "Unknown")) return poison(site.span);
  const typing = callTyping(fn, args);
  if (isMisfit(typing)) return misfit(typing, fn, values, site, defined, c);
  if (!mayWrite(fn, args, values, site, defined, c)) return poison(site.span);
  const call = functionCall(symbol, args, typing.type, { span: site.span });
  return exprValue(call, site.span);
}

function misfit(found: Misfit, fn: FunctionNode, values: readonly Value[], site: FunctionSite, defined: Span | undefined, c: ExprContext): Value {
  const related = placeOf(`\`${signatureText(fn, c)}\``, defined);
  const show = (t: Type): string => showType(t, dialectOf(c));
  invariant(found.kind === "argument", () => `a call of ${fn.name}: ${found.kind}`); // arguments are counted, and each extent is an axis
  const param = fn.params[found.index]?.var.hint ?? "";
  c.reporter.report("TF4124", values[found.index]?.span ?? site.span, { name: site.spelled, param, expected: show(found.expected), found: show(found.actual) }, { related });
  return poison(site.span);
}

/** What the callee writes must be a variable that may be written, and no other argument may be the same array. */
function mayWrite(fn: FunctionNode, args: readonly Expr[], values: readonly Value[], site: FunctionSite, defined: Span | undefined, c: ExprContext): boolean {
  for (const [i, param] of fn.params.entries()) {
    const arg = args[i];
    if (param.direction === "in" || param.var.type.kind !== "Tensor" || arg === undefined) continue;
    const at = values[i]?.span ?? site.span;
    const related: readonly Related[] = placeOf("it is declared here", param.var.meta.span ?? defined);
    const name = param.var.hint;
    if (c.isPure) c.reporter.report("TF4206", at, { op: site.spelled });
    else if (!isVarLike(arg)) c.reporter.report("TF4126", at, { name: site.spelled, param: name, problem: "is given a value without a name" }, { related });
    else if (isConstant(arg)) c.reporter.report("TF4126", at, { name: site.spelled, param: name, problem: `is given the constant \`${arg.hint}\`` }, { related });
    else if (args.some((other, k) => k !== i && other === arg)) c.reporter.report("TF4126", at, { name: site.spelled, param: name, problem: `is given \`${arg.hint}\`, which is passed twice` }, { related });
    else continue;
    return false;
  }
  return true;
}

const isConstant = (e: Expr): e is Var => e.kind === "Var" && e.isConst;
