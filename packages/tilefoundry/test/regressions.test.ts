// Texts that once broke a law, each with what it broke; all of them keep all laws.

import { findCompiler } from "@tilefoundry/runtime";
import { describe, expect, test } from "vitest";
import { failureOf, LAWS } from "./fuzz-laws.ts";

interface Regression {
  /** What the text once broke. */
  readonly broke: string;
  readonly text: string;
}

const REGRESSIONS: readonly Regression[] = [
  {
    broke: "a loop over an axis of no elements stores at its variable",
    text: `@prim_func
def k(y: InOut[Tensor[(4, 0), "f32"]]):
    for i in T.range(0, 4, 4):
        for j in T.range(0, 0, 4):
            pl.store(pl.full((4, 4), dtype="f32", value=1.0), (i, j), y)
`,
  },
  {
    broke: "simplification proves an access outside of its array",
    text: `@prim_func
def k(x: Tensor[(5,), "f32"], y: InOut[Tensor[(5,), "f32"]], n: Scalar["index"]):
    m = (n - n) - 1
    pl.store(pl.load(x, (m,), (4,)), (0,), y)
    pl.write(y, (m,), pl.read(x, (m,)))
`,
  },
  {
    broke: "a name is a product in one branch and a loaded tile in the other",
    text: `@prim_func
def k(x: Tensor[(M, 8), "f32"], y: InOut[Tensor[(M, 8), "f32"]]):
    a = pl.maximum(pl.load(x, (0, 0), (4, 4)), 3.0)
    if M > 3:
        b = pl.full((4, 4), dtype="f32", value=2.0)
    else:
        b = pl.matmul(pl.full((4, 4), dtype="f32", value=2.0), pl.full((4, 4), dtype="f32", value=1.0))
    for i in T.range(M):
        a = pl.matmul(b, pl.full((4, 4), dtype="f32", value=0.0))
    pl.store(pl.maximum(a, b), (0, 0), y)
`,
  },
  {
    broke: "a folded NaN has another sign than a written one",
    text: `@prim_func
def k(y: InOut[Tensor[(5,), "f32"]]):
    x = pl.full((1,), dtype="f32", value=0.0)
    for i in T.parallel(0, 5, 1):
        pl.store(pl.div(x, pl.div(x, 2.0)), (i,), y)
`,
  },
  {
    broke: "a nest writes a buffer that is read under its name after it",
    text: `@prim_func
def k(y: InOut[Tensor[(N, M), "f32"]], p: Scalar["f32"]):
    for i, j in T.nest((N, M)):
        y[i, j] = y[i, j] + p
    pl.store(pl.transpose(pl.load(y, (0, 0), (3, 3)), 0, 1), (0, 0), y)
    if p > 0.0:
        for i, j in T.nest((N, M)):
            y[i, j] = p
    pl.store(pl.load(y, (0, 0), (3, 3)), (1, 1), y)
`,
  },
  {
    broke: "a loop that runs once carries a product and yields a tile stored elsewhere",
    text: `@pl.function(type=pl.FunctionType.InCore)
def k(x: pl.Tensor[[N, N], pl.INT32], y: pl.InOut[pl.Tensor[[N, N], pl.INT32]]):
    for i, (acc,) in pl.range(1, 2, 2, init_values=(pl.matmul(pl.load(x, [0, 0], [3, 3]), pl.load(x, [0, 0], [3, 3])),)):
        total = pl.yield_(pl.maximum(pl.load(x, [0, i], [3, 3]), acc))
    pl.store(pl.neg(total), [0, 0], y)
`,
  },
  {
    broke: "an early return of a parameter",
    text: `@prim_func
def k(x: Tensor[(5, 21), "f32"], y: InOut[Tensor[(5, 21), "f32"]], p: Scalar["i64"]):
    if p > 0:
        if p > 2:
            return x
        v = p
    else:
        v = p * p
        y[0, 0] = 1.0
    y[0, v % 3] = 2.0
    return x
`,
  },
  {
    broke: "offsets of numbers that no array reaches",
    text: `@prim_func
def k(x: Tensor[(M, 9), "f32"], y: InOut[Tensor[(M, 9), "f32"]], n: Scalar["index"]):
    pl.store(pl.load(x, (9223372036854775807, n * 4611686018427387904), (2, 2)), (0, n * 9223372036854775807), y)
    for i in T.range(0, 3):
        y[i * 4611686018427387904 * 4, i * 70368744177664] = x[n * 9007199254740993, 0]
        pl.store(pl.load(x, (0, i * 4611686018427387904 * 4 + 1), (2, 2)), (0, 9223372036854775807 - i), y)
`,
  },
];

describe.each(REGRESSIONS)("$broke", ({ text }) => {
  for (const law of LAWS) {
    const missing = law.needs !== undefined && findCompiler() === undefined;
    test.skipIf(missing)(`${law.name}${law.needs === undefined ? "" : ` [needs ${law.needs}]`}`, () => {
      for (const seed of [1, 2]) expect(failureOf(text, seed, [law])).toBeUndefined();
    });
  }
});
