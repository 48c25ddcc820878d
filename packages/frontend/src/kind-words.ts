// The words of TileFoundry's `kind=`: what `tf.binary` and `tf.unary` can be, and its enumerations of them.

/** Kinds by the number of operands, with the ops that have other names. */
export const KINDS = {
  binary: [
    "add", "sub", "mul", "div", "floor_div", "mod", "min", "max",
    "cmp_eq", "cmp_ne", "cmp_lt", "cmp_le", "cmp_gt", "cmp_ge", "logical_and", "logical_or",
  ],
  unary: ["neg", "abs", "sqrt", "rsqrt", "exp", "exp2", "log", "log2", "square", "ceil", "floor", "round", "relu", "logical_not"],
} as const;

export const SAME: Readonly<Record<string, string>> = {
  minimum: "min", maximum: "max", eq: "cmp_eq", ne: "cmp_ne", lt: "cmp_lt", le: "cmp_le", gt: "cmp_gt", ge: "cmp_ge",
  and: "logical_and", or: "logical_or", not: "logical_not",
};

/** What `BinaryKind` and `UnaryKind` hold. */
export const KIND_WORDS = {
  binary: [...KINDS.binary.map(upper), "EQ", "NE", "LT", "LE", "GT", "GE", "AND", "OR"],
  unary: [...KINDS.unary.map(upper), "NOT"],
} as const;

function upper(word: string): string {
  return word.toUpperCase();
}
