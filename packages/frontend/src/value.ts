// What an expression means before it becomes IR: a value known at compile time, an IR expression, or a tuple of these.

import { UNKNOWN, variable, type DimSum, type DType, type Expr, type ModuleNode, type Topology } from "@tilefoundry/ir";
import type { SExpr } from "@tilefoundry/grammar";
import type { Related, Span } from "@tilefoundry/text";

/** A value known at compile time. Integers are unbounded, as in Python. */
export type Known =
  | KnownInt
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "none" }
  | KnownSequence
  | KnownDict
  | KnownRecord
  | { readonly kind: "class"; readonly class: RecordClass }
  | { readonly kind: "dtype"; readonly dtype: DType }
  /** A member of one of the parents' enumerations: `pl.Mem.Acc`, `pl.FunctionType.InCore`. */
  | { readonly kind: "word"; readonly family: string; readonly word: string }
  | { readonly kind: "extent"; readonly dim: DimSum }
  | { readonly kind: "module"; readonly module: ModuleNode }
  | { readonly kind: "topology"; readonly topology: Topology };

export interface KnownInt {
  readonly kind: "int";
  readonly value: bigint;
  /** From a hole: JavaScript does not tell `2` from `2.0`, so it may stand for a float too. */
  readonly loose?: true;
}

export interface KnownSequence {
  readonly kind: "sequence";
  readonly form: "tuple" | "list" | "range";
  readonly items: readonly Known[];
}

/** In the order of its entries; the keys of the map are texts that are the same for equal keys. */
export interface KnownDict {
  readonly kind: "dict";
  readonly entries: ReadonlyMap<string, { readonly key: Known; readonly value: Known }>;
}

/** Values by name: an object of a class, or of a document of bindings. */
export interface KnownRecord {
  readonly kind: "record";
  /** Undefined where a document has it. */
  readonly class: RecordClass | undefined;
  readonly fields: ReadonlyMap<string, Known>;
}

/** A class that only holds values. */
export interface RecordClass {
  readonly name: string;
  readonly span: Span;
  /** What making one takes, in order; undefined where none is made, and the class is a list of constants. */
  readonly fields: readonly RecordField[] | undefined;
  readonly constants: ReadonlyMap<string, Known | Waiting>;
  /** What its properties give, in terms of `self`. */
  readonly properties: ReadonlyMap<string, SExpr>;
}

export interface RecordField {
  readonly name: string;
  readonly default: Known | Waiting | undefined;
}

/** Stands for a value that is made by host code: why it is not known is said where it is needed. */
export interface Waiting {
  readonly because: readonly Related[];
}

export type Value = KnownValue | ExprValue | TupleValue | PoisonValue;

export interface KnownValue {
  readonly kind: "known";
  readonly known: Known;
  readonly span: Span;
  /** Elements of a list as they are written, each with its place. */
  readonly parts?: readonly Value[];
}
export interface ExprValue {
  readonly kind: "expr";
  readonly expr: Expr;
  readonly span: Span;
  /** The value of a name that is assigned once, a compile-time value: it may stand where one is needed. */
  readonly known?: Known | undefined;
}
/** A tuple or list that holds an IR expression. */
export interface TupleValue {
  readonly kind: "tuple";
  readonly form: KnownSequence["form"];
  readonly items: readonly Value[];
  readonly span: Span;
}
/** Its error is reported, or waits in a constant of the module; whatever uses it stays silent. */
export interface PoisonValue extends Partial<Waiting> {
  readonly kind: "poison";
  readonly span: Span;
}

export const poison = (span: Span): PoisonValue => ({ kind: "poison", span });
export const knownValue = (known: Known, span: Span): KnownValue => ({ kind: "known", known, span });
export const exprValue = (expr: Expr, span: Span): Value => (expr.type.kind === "Unknown" ? poison(span) : { kind: "expr", expr, span });

export const int = (value: bigint | number): KnownInt => ({ kind: "int", value: BigInt(value) });
export const float = (value: number): Known => ({ kind: "float", value });
export const bool = (value: boolean): Known => ({ kind: "bool", value });

/** The expression that stands for an erroneous one. */
export const unknownExpr = (span: Span): Expr => variable("unknown", UNKNOWN, { span });

/** The elements of a tuple or list value, or undefined where it is none. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  if (value.kind === "tuple") return value.items;
  if (value.kind === "known" && value.parts !== undefined) return value.parts;
  const known = value.kind === "known" ? value.known : value.kind === "expr" ? value.known : undefined;
  return known?.kind === "sequence" ? known.items.map((k) => knownValue(k, value.span)) : undefined;
}

/** The compile-time value behind a value, if it has one. */
export function knownOf(value: Value): Known | undefined {
  if (value.kind === "known") return value.known;
  if (value.kind === "expr") return value.known;
  if (value.kind !== "tuple") return undefined;
  const items: Known[] = [];
  for (const item of value.items) {
    const known = knownOf(item);
    if (known === undefined) return undefined;
    items.push(known);
  }
  return { kind: "sequence", form: value.form, items };
}
