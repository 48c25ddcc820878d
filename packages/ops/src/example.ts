// Short forms for the literals of examples.

import { DTYPE_NAMES, type DType } from "@tilefoundry/ir";
import type { ArrayLiteral, ScalarLiteral } from "./define.ts";

type Elements = ArrayLiteral["data"];

export const tile = (dtype: DType, shape: readonly number[], data: Elements): ArrayLiteral => ({ dtype, shape, data, domain: "tile" });
export const tensor = (dtype: DType, shape: readonly number[], data: Elements): ArrayLiteral => ({ dtype, shape, data, domain: "tensor" });
/** A tile of rank 1. */
export const row = (dtype: DType, data: Elements): ArrayLiteral => tile(dtype, [data.length], data);
export const scalar = (dtype: DType, value: ScalarLiteral["scalar"]): ScalarLiteral => ({ dtype, scalar: value });

export const FLOATS = ["f32", "f64"] as const satisfies readonly DType[];
export const INTEGERS = ["i8", "i16", "i32", "i64", "index", "u8", "u16", "u32", "u64"] as const satisfies readonly DType[];
export const NUMBERS = [...FLOATS, ...INTEGERS] as const;
export const ALL = DTYPE_NAMES;
