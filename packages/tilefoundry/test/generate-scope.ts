// What a generated program has in scope, and how its dialect spells things. A program is text from the start: a statement maker
// gives lines, and a scope says which names those lines may use.

import { DTYPES, type DType } from "@tilefoundry/ir";
import type { Random } from "./generate-random.ts";

export type Lines = readonly string[];
export type Weighted<T> = readonly (readonly [weight: number, value: T])[];

export interface ScalarName {
  readonly name: string;
  readonly dtype: DType;
}

/**
 * Bound of the magnitude of elements that are whole numbers; undefined for any other elements. Sums are made only of whole
 * numbers that add up exactly in every order. A tile that is not whole never becomes so again, whatever is assigned to it: so a
 * program of which lines are taken away stays exact.
 */
export type Whole = number | undefined;

export interface TileName {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
  whole: Whole;
  /** Whether its elements are written: no other name may then stand for it. */
  readonly written?: boolean;
}

/** A parameter, or a tensor that the program makes. Extents are numbers, or symbols and terms of them. */
export interface TensorName {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly (number | string)[];
  readonly whole: Whole;
  readonly writable: boolean;
  /** The parameter whose buffer it names; undefined for a tensor of the program's own. */
  readonly root?: string;
}

/** What a function returns: a scalar, a parameter's buffer, or a new tensor like a parameter. */
export type Returned =
  | { readonly kind: "scalar"; readonly dtype: DType }
  | { readonly kind: "handle" | "fresh"; readonly root: string };

export interface Program {
  readonly random: Random;
  /** Of the function: `pl` for `@pl.function`, `tf` for `@prim_func` and `@func`. */
  readonly dialect: "pl" | "tf";
  /** Extents that tiles have. */
  readonly extents: readonly number[];
  readonly symbols: readonly string[];
  /** Dtypes of scalars and of arrays, by how often they are made. */
  readonly scalarDTypes: Weighted<DType>;
  readonly arrayDTypes: Weighted<DType>;
  readonly returns: readonly Returned[];
  /** Statements of a nested block, as the table of makers gives them. */
  readonly block: (scope: Scope, most: number) => Lines;
  /** Statements that may still be made. */
  budget: number;
  /** Numbers names, so that each is new. */
  made: number;
}

/** What a block sees, and what it may do. Lists are replaced, never changed. */
export interface Scope {
  readonly program: Program;
  scalars: readonly ScalarName[];
  tiles: readonly TileName[];
  tensors: readonly TensorName[];
  /** Names of scalars and tiles that may not be assigned or written here. */
  readonly fixed: ReadonlySet<string>;
  readonly inLoop: boolean;
  /** Whether `break` and `continue` may stand here. */
  readonly mayJump: boolean;
  readonly depth: number;
}

export function inner(scope: Scope, change: Partial<Scope> = {}): Scope {
  return { ...scope, depth: scope.depth + 1, ...change };
}

export function fresh(scope: Scope, hint: string): string {
  return `${hint}${++scope.program.made}`;
}

export const indent = (lines: Lines): Lines => lines.map((line) => `    ${line}`);

export const scalarsOf = (dtype: DType, scope: Scope): readonly ScalarName[] => scope.scalars.filter((s) => s.dtype === dtype);

export const assignable = <T extends { readonly name: string }>(names: readonly T[], scope: Scope): readonly T[] => names.filter((n) => !scope.fixed.has(n.name));

// — spelling —

export const isWhole = (dtype: DType): boolean => dtype !== "f32" && dtype !== "f64";

/** A dtype where an argument or a type names it. */
export function dtypeText(dtype: DType, { dialect, random }: Program): string {
  return (dialect === "pl") !== random.chance(0.05) ? `pl.${DTYPES[dtype].pl}` : `"${dtype}"`;
}

export function listText(items: readonly (string | number)[], { dialect, random }: Program): string {
  const inside = items.join(", ");
  return (dialect === "pl") !== random.chance(0.1) ? `[${inside}]` : items.length === 1 ? `(${inside},)` : `(${inside})`;
}

export function constText(value: string | number, dtype: DType, program: Program): string {
  return program.dialect === "pl" && program.random.chance(0.8) ? `pl.const(${value}, ${dtypeText(dtype, program)})` : `T.const(${value}, "${dtype}")`;
}

/** A number beside a tile of a dtype, or as a value to write. */
export function elementText(value: number, dtype: DType, program: Program): string {
  if (dtype === "bool") return value !== 0 ? "True" : "False";
  if (!isWhole(dtype)) return Number.isInteger(value) ? `${Object.is(value, -0) ? "-0" : value}.0` : String(value);
  return program.dialect === "pl" || dtype === "i64" ? String(value) : constText(value, dtype, program);
}

export const arrayType = (shape: readonly (string | number)[], dtype: DType, program: Program): string =>
  program.dialect === "pl" ? `pl.Tensor[${listText(shape, program)}, ${dtypeText(dtype, program)}]` : `Tensor[${listText(shape, program)}, ${dtypeText(dtype, program)}]`;
