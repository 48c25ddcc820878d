// Scalars between registers and the values that `ops/evaluate` computes with, by dtype.

import type { DType } from "@tilefoundry/ir";
import type { Scalar } from "@tilefoundry/ops/evaluate";
import { at, get64, put64, type Emit, type Machine } from "./machine.ts";

export type Read = (m: Machine, register: number) => Scalar;
export type Write = (m: Machine, register: number, value: Scalar) => void;

const readNumber: Read = ({ n }, register) => at(n, register);
const writeNumber: Write = ({ n }, register, value) => void (n[register] = Number(value));
const readBool: Read = ({ n }, register) => at(n, register) !== 0;
const write64: Write = (m, register, value) => put64(m, register, typeof value === "bigint" ? value : Number(value));

export const isWide = (dtype: DType): boolean => dtype === "i64" || dtype === "index" || dtype === "u64";

export const reader = (dtype: DType): Read => (dtype === "bool" ? readBool : isWide(dtype) ? get64 : readNumber);

/** Writes a value of the dtype in its canonical form. */
export const writer = (dtype: DType): Write => (isWide(dtype) ? write64 : writeNumber);

/** Copies one register. */
export function copyScalar(dtype: DType, to: number, from: number): Emit {
  if (!isWide(dtype)) return ({ n }) => () => void (n[to] = at(n, from));
  return ({ n, wide }) => () => {
    const value = at(n, from);
    n[to] = value;
    if (value !== value) wide[to] = wide[from];
  };
}
