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
  {
    broke: "a carry of a while loop in C takes its next value before another reads it",
    text: `@prim_func
def k(y: InOut[Tensor[(9,), "f32"]], p: Scalar["f32"]):
    for (turn, c) in pl.while_(init_values=(0, 7)):
        pl.cond(turn < 2)
        last, total = pl.yield_(turn + 1, turn)
    y[total] = p
`,
  },
  {
    broke: "simplification puts an i64 in the place of an index",
    text: `@pl.function(type=pl.FunctionType.InCore)
def k(x: pl.Tensor[[N], pl.INT32], y: pl.InOut[pl.Tensor[[N, 21], pl.FP32]], p: pl.Scalar[pl.INT64]):
    for i, (c,) in pl.range(T.min(T.max(p, -2), 0), init_values=(p,)):
        total = pl.yield_(-(N - c))
    m = T.max(N, -1)
    for i, (c,) in pl.range(0, m, 2, init_values=(0,)):
        q = pl.yield_(T.max(p, p) + c * 1)
    pl.store(pl.load(y, [T.max(total, p) % 7, T.min(m, p) * 1], [2, 2]), [T.max(total, p) % 7, T.min(q, p + 0) + m], y)
`,
  },
  {
    broke: "a handle that a loop binds first began as one of a branch",
    text: `@prim_func
def k(x: Tensor[(8, 9), "f32"], y: InOut[Tensor[(7, 5), "f32"]], p0: Scalar["index"], p1: Scalar["f32"], p2: Scalar["bool"]):
    a = pl.load(x, (p0 % 9, p0 % 10), (1, 19))
    if p2:
        v = p1
    else:
        b = pl.load(x, (0, p0 % 6), (1, 19))
        a, b = b, a
        v = p1 + 1.0
    for i in T.range(1, 4):
        a = pl.load(y, (0, p0 % 7), (1, 19))
    pl.store(a, (0, 0), y)
    y[0, 0] = v
`,
  },
  {
    broke: "a handle that a loop binds first began as a carry of another loop",
    text: `@prim_func
def k(x: Tensor[(8, 9), "f32"], y: InOut[Tensor[(7, 5), "f32"]], p: Scalar["index"]):
    a = pl.load(x, (0, 0), (1, 19))
    for i, (acc,) in T.range(p, init_values=(a,)):
        t = acc
        total = pl.yield_(pl.add(t, a))
    if p > 3:
        u = pl.yield_(a)
    else:
        u = pl.yield_(total)
    if p > 4:
        w = u
        y[0, 0] = w[0, 0]
        for i, (acc2,) in T.range(p, init_values=(w,)):
            w = acc2
            total2 = pl.yield_(pl.add(w, a))
    for i in T.range(1, 4):
        t = pl.load(y, (0, p % 7), (1, 19))
        w = pl.load(y, (0, p % 5), (1, 19))
    pl.store(pl.add(w, t), (0, 0), y)
`,
  },
  {
    broke: "without folding only the opposite of a condition is a literal",
    text: `@pl.function(type=pl.FunctionType.InCore)
def k(y: pl.InOut[pl.Tensor[[4], pl.FP32]], p: pl.Scalar[pl.INT32]):
    if not T.select(True, False, False):
        a = p + p
    else:
        pl.write(y, [0], 1.0)
`,
  },
  {
    broke: "propagation makes a literal amount outside of the width",
    text: `@prim_func
def k(y: InOut[Tensor[(4,), "i32"]], p: Scalar["i32"]):
    by = T.const(-1, "i32")
    if p > p:
        by = T.const(35, "i32")
    pl.write(y, (0,), (p << by) + (p >> by))
    by = T.const(33, "i32")
    pl.write(y, (1,), (p << by) + (p >> by))
`,
  },
  {
    broke: "what is known of u64: it wraps below 0, and its upper half is negative as i64",
    text: `@prim_func
def k(x: Tensor[(4,), "f64"], y: InOut[Tensor[(4,), "f64"]], p: Scalar["u64"]):
    a = T.const(2, "u64") - T.const(4, "u64") + T.const(1, "u64")
    if a < T.const(1, "u64"):
        y[0] = x[0]
    if T.cast(p | T.const(9223372036854775808, "u64"), "i64") >= 0:
        y[1] = x[1]
    if p + T.const(5, "u64") >= T.const(5, "u64"):
        y[2] = x[2]
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
