// What a caller must know of a function: parameters in order, symbolic extents and the parameter axis each comes from; and the
// binding of those extents by the shapes of actual arguments, with every other use of them checked.

import { diagnostic, invariant, type Diagnostic, type Outcome, type Related } from "@tilefoundry/text";
import { dimVars, isStatic } from "./dims.ts";
import type { Dim, DimLeaf, Direction, FunctionNode, Param, Var, VarLike } from "./nodes.ts";
import type { DType } from "./dtypes.ts";
import { dimText, shapeText } from "./type-text.ts";

export interface Signature {
  readonly name: string;
  readonly params: readonly SignatureParam[];
  readonly symbols: readonly SymbolBinding[];
}

export type SignatureParam = ArrayParam | ScalarParam;

interface ParamBase {
  readonly name: string;
  readonly direction: Direction;
  readonly var: Var;
  readonly dtype: DType;
}
export interface ArrayParam extends ParamBase {
  readonly kind: "array";
  readonly shape: readonly Dim[];
}
export interface ScalarParam extends ParamBase {
  readonly kind: "scalar";
}

export interface SymbolBinding {
  readonly name: string;
  readonly var: Var;
  /** Half-open: the extent lies in `[lo, hi)`. */
  readonly lo: number;
  readonly hi: number;
  /** The first parameter axis that is exactly the symbol. */
  readonly source?: AxisRef;
}

export interface AxisRef {
  readonly param: number;
  readonly axis: number;
}

/** Values of index variables, extents above all. */
export type DimValues = ReadonlyMap<VarLike, number>;

export function signatureOf(f: FunctionNode): Signature {
  const params = f.params.map(signatureParam);
  const symbols = f.symbols.map((s) => {
    const source = sourceOf(s.var, params);
    return { name: s.var.hint, var: s.var, lo: s.lo, hi: s.hi, ...(source === undefined ? {} : { source }) };
  });
  return { name: f.name, params, symbols };
}

function signatureParam({ var: variable, direction }: Param): SignatureParam {
  const { type, hint: name } = variable;
  if (type.kind === "Tensor") return { kind: "array", name, direction, var: variable, dtype: type.dtype, shape: type.shape };
  invariant(type.kind === "Scalar", () => `parameter ${name} of type ${type.kind}`);
  return { kind: "scalar", name, direction, var: variable, dtype: type.dtype };
}

function sourceOf(symbol: Var, params: readonly SignatureParam[]): AxisRef | undefined {
  for (const [param, p] of params.entries()) {
    const axis = p.kind === "array" ? p.shape.findIndex((d) => soleVariable(d) === symbol) : -1;
    if (axis >= 0) return { param, axis };
  }
  return undefined;
}

/** The variable that a dim consists of, and nothing else. */
export function soleVariable(d: Dim): VarLike | undefined {
  if (isStatic(d) || d.constant !== 0 || d.terms.length !== 1) return undefined;
  const [term] = d.terms;
  return term?.coefficient === 1 && term.leaf.kind === "var" ? term.leaf.variable : undefined;
}

/** Value of a dim all of whose variables have values. */
export function evalDim(d: Dim, values: DimValues): number {
  if (isStatic(d)) return d;
  return d.terms.reduce((total, { coefficient, leaf }) => total + coefficient * evalLeaf(leaf, values), d.constant);
}

function evalLeaf(leaf: DimLeaf, values: DimValues): number {
  switch (leaf.kind) {
    case "var": {
      const value = values.get(leaf.variable);
      invariant(value !== undefined, () => `the extent ${leaf.variable.hint} has no value`);
      return value;
    }
    case "floordiv": return Math.floor(evalDim(leaf.dividend, values) / leaf.divisor);
    case "mod": {
      const dividend = evalDim(leaf.dividend, values);
      return dividend - leaf.divisor * Math.floor(dividend / leaf.divisor);
    }
    case "min": return Math.min(evalDim(leaf.a, values), evalDim(leaf.b, values));
    case "max": return Math.max(evalDim(leaf.a, values), evalDim(leaf.b, values));
  }
}

// — binding by actual shapes —

/**
 * Values of the symbols from the shapes of the arguments (undefined for a scalar), one a parameter. Everything that contradicts
 * is reported; the values are usable only if nothing was.
 */
export function bindSymbols(signature: Signature, shapes: readonly (readonly number[] | undefined)[]): Outcome<DimValues> {
  const diagnostics: Diagnostic[] = [];
  const ranksFit = signature.params.map((p, i) => checkRank(p, shapes[i], diagnostics));
  const values = new Map<VarLike, number>();
  for (const symbol of signature.symbols) {
    const { source } = symbol;
    if (source === undefined) diagnostics.push(diagnostic("TF6006", symbol.var.meta.span, { symbol: symbol.name, function: signature.name }));
    const value = source !== undefined && ranksFit[source.param] ? shapes[source.param]?.[source.axis] : undefined;
    if (value === undefined) continue;
    values.set(symbol.var, value);
    if (value < symbol.lo || value >= symbol.hi) diagnostics.push(outOfRange(signature, symbol, value));
  }
  for (const [i, param] of signature.params.entries()) {
    if (param.kind !== "array" || !ranksFit[i]) continue;
    for (const [axis, dim] of param.shape.entries()) {
      const found = checkAxis(signature, param, axis, dim, shapes[i]?.[axis], values);
      if (found !== undefined) diagnostics.push(found);
    }
  }
  return { value: values, diagnostics };
}

function checkRank(param: SignatureParam, shape: readonly number[] | undefined, diagnostics: Diagnostic[]): boolean {
  if (param.kind === "scalar") return shape === undefined;
  if (shape?.length === param.shape.length) return true;
  const given = shape === undefined ? "a scalar" : `one of shape ${shapeText(shape)}`;
  const axes = param.shape.length === 1 ? "1 axis" : `${param.shape.length} axes`;
  diagnostics.push(diagnostic("TF6001", param.var.meta.span, { param: param.name, axes, shape: shapeText(param.shape), given }));
  return false;
}

function outOfRange(signature: Signature, symbol: SymbolBinding, value: number): Diagnostic {
  const { name, lo, hi, source } = symbol;
  const span = source === undefined ? symbol.var.meta.span : signature.params[source.param]?.var.meta.span;
  return diagnostic("TF6005", span, { symbol: name, value, lo, hi, axis: source === undefined ? "" : axisText(signature, source) });
}

function checkAxis(
  signature: Signature, param: ArrayParam, axis: number, dim: Dim, actual: number | undefined, values: DimValues,
): Diagnostic | undefined {
  const variables: VarLike[] = [];
  dimVars(dim, (v) => variables.push(v));
  if (actual === undefined || !variables.every((v) => values.has(v))) return undefined;
  const expected = evalDim(dim, values);
  if (expected === actual) return undefined;
  const span = param.var.meta.span;
  const place = { param: param.name, axis, actual };
  if (isStatic(dim)) return diagnostic("TF6002", span, { ...place, expected });
  const causes = signature.symbols.filter((s) => variables.includes(s.var));
  const because = causes.map((s) => `${s.name} is ${String(values.get(s.var))} by ${s.source ? axisText(signature, s.source) : "?"}`).join(" and ");
  const related = causes.flatMap((s) => originOf(signature, s));
  if (soleVariable(dim) !== undefined) return diagnostic("TF6003", span, { ...place, symbol: dimText(dim), because }, { related });
  return diagnostic("TF6004", span, { ...place, expected, dim: dimText(dim), because }, { related });
}

function originOf(signature: Signature, symbol: SymbolBinding): readonly Related[] {
  const { source } = symbol;
  const span = source === undefined ? undefined : signature.params[source.param]?.var.meta.span;
  return source === undefined || span === undefined ? [] : [{ message: `${symbol.name} is ${axisText(signature, source)}`, span }];
}

const axisText = (signature: Signature, { param, axis }: AxisRef): string => `axis ${axis} of \`${signature.params[param]?.name ?? "?"}\``;
