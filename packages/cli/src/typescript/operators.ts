// JavaScript's own operators and functions for values that are told without running a file. They are given whatever a file gives them, and
// throw what they throw there.

import { DimVar, dtype } from "tilefoundry";

type Binary = (a: number, b: number) => unknown;
type Unary = (a: number) => unknown;
type Callable = (...args: never[]) => unknown;

export const apply = (f: Callable, args: readonly unknown[]): unknown => Reflect.apply(f, undefined, args);

export const BINARY: ReadonlyMap<string, Binary> = new Map<string, Binary>([
  ["+", (a, b) => a + b], ["-", (a, b) => a - b], ["*", (a, b) => a * b], ["/", (a, b) => a / b], ["%", (a, b) => a % b], ["**", (a, b) => a ** b],
  ["<<", (a, b) => a << b], [">>", (a, b) => a >> b], [">>>", (a, b) => a >>> b], ["&", (a, b) => a & b], ["|", (a, b) => a | b], ["^", (a, b) => a ^ b],
  ["<", (a, b) => a < b], ["<=", (a, b) => a <= b], [">", (a, b) => a > b], [">=", (a, b) => a >= b], ["===", (a, b) => a === b], ["!==", (a, b) => a !== b],
]);

export const UNARY: ReadonlyMap<string, Unary> = new Map<string, Unary>([["+", (a) => +a], ["-", (a) => -a], ["~", (a) => ~a], ["!", (a) => !a]]);

/** What the front door makes for holes. */
export const FRONT_DOOR: ReadonlyMap<string, Callable> = new Map<string, Callable>([["dtype", dtype], ["DimVar", DimVar]]);

/** Global functions that give the same for the same. */
export const FUNCTIONS: ReadonlyMap<string, Callable> = new Map<string, Callable>([
  ["Number", Number], ["BigInt", BigInt], ["Boolean", Boolean], ["Object.freeze", <T>(value: T) => value],
  ["Math.abs", Math.abs], ["Math.ceil", Math.ceil], ["Math.clz32", Math.clz32], ["Math.exp", Math.exp], ["Math.floor", Math.floor], ["Math.fround", Math.fround],
  ["Math.hypot", Math.hypot], ["Math.imul", Math.imul], ["Math.log", Math.log], ["Math.log2", Math.log2], ["Math.log10", Math.log10], ["Math.max", Math.max],
  ["Math.min", Math.min], ["Math.pow", Math.pow], ["Math.round", Math.round], ["Math.sign", Math.sign], ["Math.sqrt", Math.sqrt], ["Math.trunc", Math.trunc],
]);
