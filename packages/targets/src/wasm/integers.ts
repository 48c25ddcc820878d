// 32- and 64-bit integer trees with the obvious simplifications, and the change of width of `index` values.

import { i32, i64, op, type Tree } from "./tree.ts";

export type IntType = "i32" | "i64";

/** Whether a number is one of 32 bits with sign. */
export const fitsWord = (number: number): boolean => number === (number | 0);

/** The low 32 bits of an integer, with sign. */
export function lowWord(value: number | bigint): number {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number | 0 : Number(BigInt.asIntN(32, BigInt(value))); // only exact numbers tell their bits
}

const constantOf = (t: Tree): number | undefined => (t.kind === "const" && t.type === "i32" ? Number(t.value) : undefined);

export function add32(a: Tree, b: Tree): Tree {
  const x = constantOf(a);
  const y = constantOf(b);
  if (x !== undefined && y !== undefined) return i32(x + y);
  if (x === 0) return b;
  if (y === 0) return a;
  return op("i32.add", [a, b]);
}

export function mul32(a: Tree, b: Tree): Tree {
  const x = constantOf(a);
  const y = constantOf(b);
  if (x !== undefined && y !== undefined) return i32(Math.imul(x, y));
  if (x === 1) return b;
  if (y === 1) return a;
  return x === 0 || y === 0 ? i32(0) : op("i32.mul", [a, b]);
}

export function shl32(a: Tree, bits: number): Tree {
  const x = constantOf(a);
  if (x !== undefined) return i32(x << bits);
  return bits === 0 ? a : op("i32.shl", [a, i32(bits)]);
}

export const number = (t: IntType, value: number): Tree => (t === "i32" ? i32(value) : i64(BigInt(value)));

/** The value as an i64; an i32 is sign-extended. */
export function wide(tree: Tree): Tree {
  if (tree.type !== "i32") return tree;
  return tree.kind === "const" ? i64(BigInt(tree.value)) : op("i64.extend_i32_s", [tree]);
}

/** The low 32 bits. */
export function low(tree: Tree): Tree {
  if (tree.type !== "i64") return tree;
  if (tree.kind === "const") return i32(lowWord(tree.value));
  const inner = tree.kind === "op" && tree.op === "i64.extend_i32_s" ? tree.operands[0] : undefined;
  return inner ?? op("i32.wrap_i64", [tree]);
}

export const asWidth = (tree: Tree, t: IntType): Tree => (t === "i32" ? low(tree) : wide(tree));
