// What compiled code runs on. Code is linked to one machine: closures over its register files, so that numbers are never boxed.
//
// Numbers of every dtype live in one `Float64Array`: bool as 0 and 1, vectors as consecutive registers. A 64-bit integer that is no
// safe integer stands in `wide` under the same number, and its register holds NaN, which fails every fast test.

import type { ArrayValue } from "@tilefoundry/ops/evaluate";

export interface Machine {
  readonly n: Float64Array;
  readonly wide: (bigint | undefined)[];
  readonly arrays: ArrayValue[];
  /** How the last statement ended. */
  signal: Signal;
  /** Loop iterations left. */
  fuel: number;
  /** Whether a new buffer holds a pattern instead of zeros. */
  readonly poison: boolean;
  /** Order of the iterations of a parallel loop of `n`; undefined for in order. */
  readonly orderOf: ((n: number) => ArrayLike<number>) | undefined;
}

/** One step; it leaves by `signal` where it jumps. */
export type Code = () => void;

/** Makes the code for a machine: compiling is once a function, linking once a run. */
export type Emit = (m: Machine) => Code;

export type Signal = 0 | 1 | 2 | 3;
export const NEXT: Signal = 0;
export const BREAK: Signal = 1;
export const CONTINUE: Signal = 2;
export const RETURN: Signal = 3;

/** Register of an array, or first register of a scalar or vector. A register is always within its file. */
export const at = (file: Float64Array, register: number): number => file[register] as number; // the layout has counted it

export function arrayAt(m: Machine, register: number): ArrayValue {
  return m.arrays[register] as ArrayValue; // definition before use is the verifier's
}

/** A 64-bit integer in its canonical form. */
export function get64({ n, wide }: Machine, register: number): number | bigint {
  const near = at(n, register);
  return near === near ? near : (wide[register] ?? 0n);
}

export function put64({ n, wide }: Machine, register: number, value: number | bigint): void {
  if (typeof value === "number") n[register] = value;
  else {
    n[register] = NaN;
    wide[register] = value;
  }
}

/** Thrown by a loop that runs out of fuel, caught where the run began. */
export const OUT_OF_FUEL = Symbol("out of fuel");
