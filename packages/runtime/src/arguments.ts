// Arguments of a call against the signature, for every target: each is there, of its dtype and rank, extents agree, none that is
// written overlaps another. Out arrays that the caller does not bring are made.

import { bindSymbols, dimVars, evalDim, soleVariable, type ArrayParam, type DimValues, type ScalarParam, type Signature, type SignatureParam, type VarLike } from "@tilefoundry/ir";
import { diagnostic, hasErrors, type Diagnostic, type Outcome } from "@tilefoundry/text";
import { makeArray, newArray, typedFault, type Nested } from "./array.ts";
import { isElementData, sameStorage, toElement, type ElementData } from "./elements.ts";
import { NdArray } from "./nd-array.ts";
import { overlapFaults, type ArrayUse } from "./overlap.ts";

/** What may be given for a parameter: an array, a typed array or nested arrays, or a scalar. */
export type ArgumentValue = NdArray | ElementData | Nested;

export type ArgumentValues = Readonly<Record<string, ArgumentValue>>;

/** A checked argument: an array, or a scalar as WebAssembly and C take it (64-bit integers as bigints, bool as 0 or 1). */
export type BoundArgument =
  | { readonly kind: "array"; readonly param: ArrayParam; readonly array: NdArray }
  | { readonly kind: "scalar"; readonly param: ScalarParam; readonly value: number | bigint };

export interface BoundArguments {
  /** One for each parameter, in order. */
  readonly args: readonly BoundArgument[];
  readonly extents: DimValues;
}

/** Out arrays by name, as the call gives them back. */
export type CallResult = Readonly<Record<string, NdArray>>;

/** Checks the arguments, given by name; arrays to write into may come in either record. */
export function bindArguments(signature: Signature, values: ArgumentValues, out: ArgumentValues = {}): Outcome<BoundArguments | undefined> {
  const diagnostics: Diagnostic[] = [...unknownNames(signature, values), ...unknownNames(signature, out)];
  const take = <T>({ value, diagnostics: found }: Outcome<T>): T => {
    diagnostics.push(...found);
    return value;
  };
  const given = signature.params.map((p) => take(taken(p, own(values, p.name) ?? own(out, p.name), signature)));
  const extents = extentsOf(signature, given);
  const bound = signature.params.map((p, i) => take(bindOne(p, given[i], extents)));
  const checked = take(bindSymbols(checkable(signature, bound), bound.map((b) => (b?.kind === "array" ? b.array.shape : undefined))));
  const args = bound.flatMap((b) => (b === undefined ? [] : [b]));
  diagnostics.push(...overlapFaults(args.flatMap(arrayUse)));
  const complete = args.length === signature.params.length;
  // an argument without a fault of its own may still lack a shape; that follows from others' faults, if there are any
  if (!complete && !hasErrors(diagnostics)) diagnostics.push(...shapeless(signature, bound, extents));
  return { value: complete && !hasErrors(diagnostics) ? { args, extents: checked } : undefined, diagnostics };
}

function arrayUse(argument: BoundArgument): readonly ArrayUse[] {
  if (argument.kind === "scalar") return [];
  const { param, array } = argument;
  return [{ name: param.name, isWritten: param.direction !== "in", data: array.data, span: param.var.meta.span }];
}

/** Written arrays under the names of their parameters. */
export function resultOf({ args }: BoundArguments): CallResult {
  return Object.fromEntries(args.flatMap((a) => (a.kind === "array" && a.param.direction !== "in" ? [[a.param.name, a.array]] : [])));
}

const own = (values: ArgumentValues, name: string): ArgumentValue | undefined => (Object.hasOwn(values, name) ? values[name] : undefined);

function unknownNames(signature: Signature, values: ArgumentValues): readonly Diagnostic[] {
  const names = signature.params.map((p) => p.name);
  const unknown = Object.keys(values).filter((name) => !names.includes(name));
  return unknown.map((name) => diagnostic("TF6025", undefined, { function: signature.name, name, names: names.join(", ") || "none" }));
}

/** A parameter without an argument is left out of the check of extents: as a scalar it claims nothing. */
function checkable(signature: Signature, bound: readonly (BoundArgument | undefined)[]): Signature {
  const params = signature.params.map((p, i): SignatureParam => {
    if (p.kind === "scalar" || bound[i] !== undefined) return p;
    return { kind: "scalar", name: p.name, direction: p.direction, var: p.var, dtype: p.dtype };
  });
  return { ...signature, params };
}

// — one argument, as far as it can be judged alone —

/** A typed array has no shape yet, an Out array that is not given is to be made. */
type Taken =
  | { readonly kind: "scalar"; readonly value: number | bigint }
  | { readonly kind: "array"; readonly array: NdArray }
  | { readonly kind: "typed"; readonly data: ElementData }
  | { readonly kind: "make" };

function taken(param: SignatureParam, value: ArgumentValue | undefined, signature: Signature): Outcome<Taken | undefined> {
  const { span } = param.var.meta;
  if (value === undefined) {
    if (param.kind === "array" && param.direction === "out") return { value: { kind: "make" }, diagnostics: [] };
    return failed(diagnostic("TF6046", span, { function: signature.name, param: param.name }));
  }
  return param.kind === "scalar" ? takenScalar(param, value) : takenArray(param, value);
}

function takenScalar(param: ScalarParam, value: ArgumentValue): Outcome<Taken | undefined> {
  const element = toElement(value, param.dtype);
  if (typeof element !== "object") return { value: { kind: "scalar", value: element }, diagnostics: [] };
  const shown = typeof value === "object" ? "an array" : String(value);
  return failed(diagnostic("TF6045", param.var.meta.span, { param: param.name, dtype: param.dtype, value: shown, fault: element.fault }));
}

function takenArray({ name, dtype, var: { meta } }: ArrayParam, value: ArgumentValue): Outcome<Taken | undefined> {
  if (value instanceof NdArray) {
    if (value.isFreed) return failed(diagnostic("TF6047", meta.span, { param: name }));
    if (sameStorage(value.dtype, dtype)) return { value: { kind: "array", array: value }, diagnostics: [] };
    return failed(diagnostic("TF6040", meta.span, { name: `\`${name}\``, actual: value.dtype, expected: dtype }));
  }
  if (isElementData(value)) return { value: { kind: "typed", data: value }, diagnostics: [] };
  const { value: array, diagnostics } = makeArray(value, { dtype }, `\`${name}\``);
  return { value: array && { kind: "array", array }, diagnostics };
}

// — shapes —

/** What the shapes at hand say about the symbols; `bindSymbols` checks it all later. */
function extentsOf(signature: Signature, given: readonly (Taken | undefined)[]): DimValues {
  const extents = new Map<VarLike, number>();
  for (const [i, param] of signature.params.entries()) {
    const shape = param.kind === "array" ? ownShape(param, given[i]) : undefined;
    if (param.kind !== "array" || shape?.length !== param.shape.length) continue;
    for (const [axis, dim] of param.shape.entries()) {
      const symbol = soleVariable(dim);
      const extent = shape[axis];
      if (symbol !== undefined && extent !== undefined && !extents.has(symbol)) extents.set(symbol, extent);
    }
  }
  return extents;
}

/** The shape that an argument has by itself: a typed array has one along a single axis. */
function ownShape(param: ArrayParam, given: Taken | undefined): readonly number[] | undefined {
  if (given?.kind === "array") return given.array.shape;
  return given?.kind === "typed" && param.shape.length === 1 ? [given.data.length] : undefined;
}

/** The parameter's declared shape, if the extents are known. */
function declaredShape(param: ArrayParam, extents: DimValues): readonly number[] | undefined {
  return unknownExtents(param, extents).length > 0 ? undefined : param.shape.map((d) => evalDim(d, extents));
}

function unknownExtents(param: ArrayParam, extents: DimValues): readonly string[] {
  const names = new Set<string>();
  for (const dim of param.shape) dimVars(dim, (v) => !extents.has(v) && names.add(v.hint));
  return [...names];
}

function bindOne(param: SignatureParam, given: Taken | undefined, extents: DimValues): Outcome<BoundArgument | undefined> {
  if (param.kind === "scalar") return { value: given?.kind === "scalar" ? { kind: "scalar", param, value: given.value } : undefined, diagnostics: [] };
  const { value: array, diagnostics } = arrayFor(param, given, extents);
  return { value: array && { kind: "array", param, array }, diagnostics };
}

function arrayFor(param: ArrayParam, given: Taken | undefined, extents: DimValues): Outcome<NdArray | undefined> {
  if (given === undefined || given.kind === "scalar") return { value: undefined, diagnostics: [] };
  if (given.kind === "array") return { value: given.array, diagnostics: [] };
  const { name, dtype } = param;
  const shape = ownShape(param, given) ?? declaredShape(param, extents);
  if (shape === undefined) return { value: undefined, diagnostics: [] };
  if (given.kind === "make") return placed(newArray(shape, dtype, `\`${name}\``), param);
  const fault = typedFault(given.data, shape, dtype, `\`${name}\``);
  return fault === undefined ? { value: NdArray.wrap(given.data, shape, dtype), diagnostics: [] } : failed(fault);
}

/** What is wrong is shown at the parameter. */
function placed<T>({ value, diagnostics }: Outcome<T>, param: ArrayParam): Outcome<T> {
  const { span } = param.var.meta;
  return { value, diagnostics: diagnostics.map((d) => ({ ...d, span: d.span ?? span })) };
}

/** Arrays whose shape nothing tells. */
function shapeless(signature: Signature, bound: readonly (BoundArgument | undefined)[], extents: DimValues): readonly Diagnostic[] {
  return signature.params.flatMap((p, i) =>
    p.kind === "array" && bound[i] === undefined
      ? [diagnostic("TF6048", p.var.meta.span, { param: p.name, extents: unknownExtents(p, extents).join(", ") })]
      : [],
  );
}

const failed = (fault: Diagnostic): Outcome<undefined> => ({ value: undefined, diagnostics: [fault] });
