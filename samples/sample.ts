// What a sample is: a program, arguments for it, and the same computation in plain TypeScript.

import type { AnyProgram, CallArguments, DType } from "tilefoundry";

/** Rounds a number to the precision that the reference computes in: `Math.fround`, or nothing for the f64 reference. */
export type Rounding = (x: number) => number;

export interface Expected {
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly data: ArrayLike<number>;
}

export interface Sample {
  readonly name: string;
  readonly program: AnyProgram;
  /** Argument sets by what they show: the plain case, tails, empty arrays, … */
  readonly cases: Readonly<Record<string, () => CallArguments>>;
  /** Outputs by name, computed straightforwardly, each operation rounded. */
  readonly reference: (args: CallArguments, round: Rounding) => Readonly<Record<string, Expected>>;
  /** `exact`: every operation is rounded alike everywhere. `composite`: sums and functions, bounded against f64. */
  readonly comparison: "exact" | "composite";
}
