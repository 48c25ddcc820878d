// The names of the primitives and of their modes. What each is: prims.ts.

export const PRIM_OPS = [
  "add", "sub", "mul", "div", "floordiv", "mod", "bitand", "bitor", "bitxor", "shl", "shr", "and", "or", "eq", "ne",
  "lt", "le", "gt", "ge", "max", "min", "neg", "invert", "not", "abs", "sqrt", "floor", "ceil", "rint", "select",
  "cast", "bitcast", "fma", "mad", "exp", "exp2", "log", "log2", "sin", "cos", "tanh", "erf", "splat", "lane", "reduce", "alloc_tensor", "load", "store", "barrier",
] as const;

export type PrimOp = (typeof PRIM_OPS)[number];

/** Rounding of a float → int cast; `odd` and `none` come with the narrow float types. */
export const CAST_MODES = ["trunc", "floor", "ceil", "rint", "round"] as const;
export type CastMode = (typeof CAST_MODES)[number];

export const REDUCE_KINDS = ["add", "mul", "max", "min", "and", "or"] as const;
export type ReduceKind = (typeof REDUCE_KINDS)[number];
