// The variables of a function's locals: one for each name and type, so that a name keeps its variable when it is assigned again
// and gets a new one when its type changes.

import { isTensor, sameDType, shapesEqual, variable, type Type, type Var } from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";

export interface Locals {
  readonly byName: Map<string, Var[]>;
}

export const makeLocals = (): Locals => ({ byName: new Map() });

/** A variable that exists already, as a parameter does. */
export function adopt(locals: Locals, v: Var): void {
  locals.byName.set(v.hint, [...(locals.byName.get(v.hint) ?? []), v]);
}

/**
 * The variable that an assignment of a value of this type to the name assigns. Where an array is stored is the first one's, unless
 * the assignment declares it.
 */
export function localFor(locals: Locals, name: string, type: Type, span: Span, declared = false): Var {
  const known = locals.byName.get(name)?.find((v) => sameKind(v.type, type) && (!declared || sameStorage(v.type, type)));
  if (known !== undefined) return known;
  const made = variable(name.replaceAll(".", "_"), type, { span }); // a coordinate is named with a dot
  adopt(locals, made);
  return made;
}

/** Whether one variable may hold both: equal types but for where an array is stored, `i64` and `index` being one. */
function sameKind(a: Type, b: Type): boolean {
  if (a.kind === "Scalar" && b.kind === "Scalar") return sameDType(a.dtype, b.dtype);
  if (isTensor(a) && isTensor(b)) return a.domain === b.domain && a.dtype === b.dtype && shapesEqual(a.shape, b.shape);
  if (a.kind === "TupleType" && b.kind === "TupleType") {
    return a.fields.length === b.fields.length && a.fields.every((t, i) => sameKind(t, b.fields[i] ?? t));
  }
  return a === b || (a.kind === b.kind && a.kind !== "Vec" && a.kind !== "Scalar");
}

const sameStorage = (a: Type, b: Type): boolean => !isTensor(a) || !isTensor(b) || a.storage === b.storage;
