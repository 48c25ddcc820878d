// Arguments of a call against the signature, for every target: each is there, of its dtype and rank, extents agree, none that is
// written overlaps another. Out arrays that the caller does not bring are made.

import { bindSymbols, dimVars, evalDim, soleVariable, type ArrayParam, type DimValues, type ScalarParam, type Signature, type SignatureParam, type VarLike } from "@tilefoundry/ir";
import { diagnostic, hasErrors, type Diagnostic, type Outcome } from "@tilefoundry/text";
import { makeArray, typedFault, type Nested } from "./array.ts";
import { isElementData, sameStorage, toElement, type ElementData } from "./elements.ts";
import { NdArray } from "./nd-array.ts";
import { overlapFaults } from "./overlap.ts";

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
  const given = signature.params.map((p) => own(values, p.name) ?? own(out, p.name));
  const shapes = signature.params.map((p, i) => (p.kind === "array" ? knownShape(p, given[i]) : undefined));
  const extents = extentsOf(signature, shapes);
  const bound = signature.params.map((p, i) => {
    const made = p.kind === "scalar" ? bindScalar(p, given[i], signature) : bindArray(p, given[i], extents, signature);
    diagnostics.push(...made.diagnostics);
    return made.value;
  });
  const symbols = bindSymbols(checkable(signature, bound), bound.map((b) => (b?.kind === "array" ? b.array.shape : undefined)));
  diagnostics.push(...symbols.diagnostics);
  const args = bound.flatMap((b) => (b === undefined ? [] : [b]));
  diagnostics.push(...overlapFaults(args));
  return { value: hasErrors(diagnostics) ? undefined : { args, extents: symbols.value }, diagnostics };
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

/** A parameter whose argument is at fault is left out of the check of extents: as a scalar it claims nothing. */
function checkable(signature: Signature, bound: readonly (BoundArgument | undefined)[]): Signature {
  const params = signature.params.map((p, i): SignatureParam => {
    if (p.kind === "scalar" || bound[i] !== undefined) return p;
    return { kind: "scalar", name: p.name, direction: p.direction, var: p.var, dtype: p.dtype };
  });
  return { ...signature, params };
}

// — scalars —

function bindScalar(param: ScalarParam, value: ArgumentValue | undefined, signature: Signature): Outcome<BoundArgument | undefined> {
  if (value === undefined) return missing(param, signature);
  const element = toElement(value, param.dtype);
  if (typeof element !== "object") return { value: { kind: "scalar", param, value: element }, diagnostics: [] };
  const shown = typeof value === "object" ? "an array" : String(value);
  return failed(diagnostic("TF6045", param.var.meta.span, { param: param.name, dtype: param.dtype, value: shown, fault: element.fault }));
}

// — arrays —

/** The shape of an argument where it does not depend on the extents: that of an array, or of a typed array along one axis. */
function knownShape(param: ArrayParam, value: ArgumentValue | undefined): readonly number[] | undefined {
  if (value instanceof NdArray) return value.shape;
  if (isElementData(value)) return param.shape.length === 1 ? [value.length] : undefined;
  return value === undefined ? undefined : makeArray(value, { dtype: param.dtype }).value?.shape;
}

/** What the shapes at hand say about the symbols; `bindSymbols` checks it all later. */
function extentsOf(signature: Signature, shapes: readonly (readonly number[] | undefined)[]): DimValues {
  const extents = new Map<VarLike, number>();
  for (const [i, param] of signature.params.entries()) {
    if (param.kind !== "array" || shapes[i]?.length !== param.shape.length) continue;
    for (const [axis, dim] of param.shape.entries()) {
      const symbol = soleVariable(dim);
      const extent = shapes[i]?.[axis];
      if (symbol !== undefined && extent !== undefined && !extents.has(symbol)) extents.set(symbol, extent);
    }
  }
  return extents;
}

/** The parameter's own shape, if the extents are known. */
function shapeFrom(param: ArrayParam, extents: DimValues): readonly number[] | undefined {
  let known = true;
  for (const dim of param.shape) dimVars(dim, (v) => (known &&= extents.has(v)));
  return known ? param.shape.map((d) => evalDim(d, extents)) : undefined;
}

function bindArray(param: ArrayParam, value: ArgumentValue | undefined, extents: DimValues, signature: Signature): Outcome<BoundArgument | undefined> {
  const made = arrayFor(param, value, extents, signature);
  if (made.value === undefined) return { value: undefined, diagnostics: made.diagnostics };
  return { value: { kind: "array", param, array: made.value }, diagnostics: made.diagnostics };
}

function arrayFor(param: ArrayParam, value: ArgumentValue | undefined, extents: DimValues, signature: Signature): Outcome<NdArray | undefined> {
  const { name, dtype } = param;
  const { span } = param.var.meta;
  if (value instanceof NdArray) {
    if (value.isFreed) return failed(diagnostic("TF6047", span, { param: name }));
    if (sameStorage(value.dtype, dtype)) return { value, diagnostics: [] };
    return failed(diagnostic("TF6040", span, { name: `\`${name}\``, actual: value.dtype, expected: dtype }));
  }
  const shape = knownShape(param, value) ?? shapeFrom(param, extents);
  if (value === undefined && param.direction !== "out") return missing(param, signature);
  if (shape === undefined) return failed(diagnostic("TF6048", span, { param: name, extents: unknownExtents(param, extents) }));
  if (value === undefined) return { value: NdArray.zeros(shape, dtype), diagnostics: [] };
  if (!isElementData(value)) return makeArray(value, { dtype }, `\`${name}\``);
  const fault = typedFault(value, shape, dtype, `\`${name}\``);
  return fault === undefined ? { value: NdArray.wrap(value, shape, dtype), diagnostics: [] } : failed(fault);
}

function unknownExtents(param: ArrayParam, extents: DimValues): string {
  const names = new Set<string>();
  for (const dim of param.shape) dimVars(dim, (v) => !extents.has(v) && names.add(v.hint));
  return [...names].join(", ");
}

const missing = (param: SignatureParam, signature: Signature): Outcome<undefined> =>
  failed(diagnostic("TF6046", param.var.meta.span, { function: signature.name, param: param.name }));

const failed = (fault: Diagnostic): Outcome<undefined> => ({ value: undefined, diagnostics: [fault] });
