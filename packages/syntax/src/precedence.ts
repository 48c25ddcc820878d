// How tightly each expression binds: what decides where the printer writes parentheses.

import type { BinaryOp, SExpr } from "@tilefoundry/grammar";

/** Loosest first. A position states the least level it takes as it is; what is looser gets parentheses. */
export const LEVEL = {
  yield: 0,
  walrus: 1,
  lambda: 2,
  ternary: 3,
  or: 4,
  and: 5,
  not: 6,
  compare: 7,
  bitor: 8,
  bitxor: 9,
  bitand: 10,
  shift: 11,
  sum: 12,
  product: 13,
  sign: 14,
  power: 15,
  await: 16,
  primary: 17,
} as const;

export type Level = (typeof LEVEL)[keyof typeof LEVEL];

/** What any `expression` of Python's grammar takes: everything but `:=`, `yield` and a bare tuple. */
export const EXPRESSION = LEVEL.lambda;
/** An element of a display, an argument or a condition: `:=` may stand there too. */
export const NAMED = LEVEL.walrus;

export const BINARY_LEVEL = {
  "|": LEVEL.bitor,
  "^": LEVEL.bitxor,
  "&": LEVEL.bitand,
  "<<": LEVEL.shift,
  ">>": LEVEL.shift,
  "+": LEVEL.sum,
  "-": LEVEL.sum,
  "*": LEVEL.product,
  "/": LEVEL.product,
  "//": LEVEL.product,
  "%": LEVEL.product,
  "@": LEVEL.product,
  "**": LEVEL.power,
} as const satisfies Readonly<Record<BinaryOp, Level>>;

type LevelOf = { readonly [K in SExpr["kind"]]: Level | ((e: Extract<SExpr, { readonly kind: K }>) => Level) };

const LEVELS: LevelOf = {
  Name: LEVEL.primary,
  Hole: LEVEL.primary,
  Num: LEVEL.primary,
  Str: LEVEL.primary,
  Keyword: LEVEL.primary,
  // A tuple without parentheses stands only where the printer says so.
  TupleDisplay: (e) => (e.parenthesized ? LEVEL.primary : LEVEL.yield),
  ListDisplay: LEVEL.primary,
  SetDisplay: LEVEL.primary,
  DictDisplay: LEVEL.primary,
  Comprehension: LEVEL.primary,
  Lambda: LEVEL.lambda,
  Ternary: LEVEL.ternary,
  Unary: (e) => (e.op === "not" ? LEVEL.not : LEVEL.sign),
  Binary: (e) => BINARY_LEVEL[e.op],
  BoolOp: (e) => LEVEL[e.op],
  Compare: LEVEL.compare,
  Call: LEVEL.primary,
  Subscript: LEVEL.primary,
  Attribute: LEVEL.primary,
  // These two stand only where the grammar has a place for them, never in parentheses.
  Slice: LEVEL.primary,
  Starred: LEVEL.primary,
  Await: LEVEL.await,
  YieldExpr: LEVEL.yield,
  Walrus: LEVEL.walrus,
  Paren: LEVEL.primary,
  BadExpr: LEVEL.primary,
};

export function levelOf(e: SExpr): Level {
  const entry = LEVELS[e.kind];
  return typeof entry === "function" ? (entry as (e: SExpr) => Level)(e) : entry; // the key fixes the kind
}
