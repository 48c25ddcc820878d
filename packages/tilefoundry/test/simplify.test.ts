// Simplification, rule by rule, as text.

import { describe, expect, test } from "vitest";
import { after, plain } from "./pass-text.ts";

/** Element type, expression, and what it becomes; `i` runs over M, `j` over 64. */
const EXPRESSIONS: readonly (readonly [type: string, before: string, after: string])[] = [
  ["i64", "n + 2 * 3", "n + 6"],
  ["i64", "n - n", 'T.const(0, "i64")'],
  ["i64", "(i + 1) * 4 - 4", "i * 4"],
  ["i64", "i * 64 + j - i * 64", "j"],
  ["i64", "n + n + n", 'n * T.const(3, "i64")'],
  ["i64", "(n + 1) + (2 + n)", 'n * T.const(2, "i64") + T.const(3, "i64")'],
  ["i64", "(i * 64 + j) // 64", "i"],
  ["i64", "(i * 64 + j) % 64", "j"],
  ["i64", "(n * 64 + j) // 64", "(n * 64 + j) // 64"],
  ["i64", "(i * 128 + j + 64) // 64", "i * 2 + 1"],
  ["i64", "n + j // 64", "n"],
  ["i64", "j % 64", "j"],
  ["i64", "n % 1", 'T.const(0, "i64")'],
  ["i64", "n // 1", "n"],
  ["i64", "(n % 8) % 8", "n % 8"],
  ["i64", "T.min(i, M)", "i"],
  ["i64", "T.min(i + 1, M)", "i + 1"],
  ["i64", "T.max(j, 0)", "j"],
  ["i64", "T.min(64, M - i)", "T.min(64, M - i)"],
  ["i64", "T.max(n, n)", "n"],
  ["bool", "i < M", "True"],
  ["bool", "i + 1 <= M", "True"],
  ["bool", "j >= 64", "False"],
  ["bool", "j >= 0", "True"],
  ["bool", "j <= 63", "True"],
  ["bool", "j > 63", "False"],
  ["bool", "j == 64", "False"],
  ["bool", "n < n", "False"],
  ["bool", "n + 1 > n", "n + 1 > n"],
  ["bool", "i + 1 > i", "True"],
  ["bool", "p == p", "p == p"],
  ["bool", "not (k < m)", "k >= m"],
  ["bool", "not (p < 1.0)", "not p < 1.0"],
  ["bool", "not not q", "q"],
  ["bool", "q and True", "q"],
  ["bool", "q or i < M", "True"],
  ["bool", "q == True", "q"],
  ["bool", "q and q", "q"],
  ["f32", "p - p", "p - p"],
  ["f32", "p * 0.0", "p * 0.0"],
  ["f32", "p * 1.0", "p"],
  ["f32", "p + 0.0", "p + 0.0"],
  ["f32", "p - 0.0", "p"],
  ["f32", "p / p", "p / p"],
  ["f32", "p / 1.0", "p"],
  ["f32", "0.1 + 0.2", "0.3"],
  ["f32", "T.exp(1.0)", "T.exp(1.0)"],
  ["f32", "T.select(i < M, p, 0.0)", "p"],
  ["f32", "-(-p)", "p"],
  ["i32", 'k * T.const(0, "i32")', 'T.const(0, "i32")'],
  ["i32", "k & k", "k"],
  ["i32", "k ^ k", 'T.const(0, "i32")'],
  ["i32", 'T.const(2147483647, "i32") + T.const(1, "i32")', 'T.const(-2147483648, "i32")'],
  ["i32", 'T.cast(T.cast(k, "i64"), "i32")', "k"],
  ["i32", 'T.cast(k, "i32")', "k"],
  ["i32", 'k // T.const(0, "i32")', 'T.const(0, "i32")'],
  ["i32", 'k << T.const(0, "i32")', "k"],
  ["i32", 'T.abs(T.cast(u, "i32"))', 'T.cast(u, "i32")'],
  ["u8", 'u + T.const(255, "u8") + T.const(1, "u8")', "u"],
  ["i32", "k // k", "k // k"],
  ["i32", "T.select(q, k, k)", "k"],
  ["bool", "T.select(q, True, False)", "q"],
  ["bool", "T.select(q, False, True)", "not q"],
];

function program(type: string, expr: string): string {
  return `
    @prim_func
    def f(n: Scalar["i64"], k: Scalar["i32"], m: Scalar["i32"], p: Scalar["f32"], q: Scalar["bool"], u: Scalar["u8"], x: Tensor[(M, 64), "f32"], out: Out[Tensor[(8,), "${type}"]]):
        for i in T.range(M):
            for j in T.range(64):
                pl.write(out, (0,), ${expr})
  `;
}

describe("expressions", () => {
  test.each(EXPRESSIONS)("of %s: %s becomes %s", (type, before, expected) => {
    expect(after("simplify", program(type, before))).toContain(`= pl.write(out_2, (0,), ${expected})\n`);
  });

  test.each(EXPRESSIONS)("of %s: what %s becomes stays %s", (type, _before, expected) => {
    expect(after("simplify", program(type, expected))).toContain(`= pl.write(out_2, (0,), ${expected})\n`);
  });

  test("without folding, operations on literals stay and neutral operands still go", () => {
    expect(after("simplify", program("i64", "n + 2 * 3 + 0"), false)).toContain("= pl.write(out_2, (0,), n + 6)");
    expect(after("simplify", program("i32", 'T.add(T.const(2, "i32"), T.const(3, "i32"))'), false)).toContain('T.add(T.const(2, "i32"), T.const(3, "i32"))');
  });
});

const CASES: readonly { readonly title: string; readonly source: string; readonly expected: string }[] = [
  {
    title: "literals reach their uses, known branches stay, comments go on to what is left",
    source: `
      @prim_func
      def known(x: Tensor[(4,), "f32"], y: Out[Tensor[(4,), "f32"]]):
          # how many
          n = 4
          half = n // 2
          if half == 2:
              # the usual case
              pl.write(y, (half,), 1.0)
          else:
              pl.write(y, (0,), 2.0)
    `,
    expected: `
      @prim_func
      def known(x: Tensor[(4,), "f32"], y: Out[Tensor[(4,), "f32"]]):
          # how many
          # the usual case
          y_1 = pl.write(y, (2,), 1.0)
    `,
  },
  {
    title: "a loop that runs once is its body, one that never runs is gone",
    source: `
      @prim_func
      def trips(x: Tensor[(64,), "f32"], y: Out[Tensor[(64,), "f32"]]):
          for i in T.range(0, 64, 64):
              t = pl.load(x, (i,), (64,))
              for j in T.range(i, i):
                  pl.write(y, (j,), 0.0)
              pl.store(t, (i,), y)
    `,
    expected: `
      @prim_func
      def trips(x: Tensor[(64,), "f32"], y: Out[Tensor[(64,), "f32"]]):
          t = pl.load(x, (0,), (64,))
          y_5 = pl.store(t, (0,), y)
    `,
  },
  {
    title: "what nobody reads goes, a loop around nothing too",
    source: `
      @prim_func
      def unused(x: Tensor[(4,), "f32"], y: Out[Tensor[(4,), "f32"]]):
          # nobody reads it
          a = pl.read(x, (0,))
          b = 0.0
          for i in T.range(4):
              b = b + pl.read(x, (i,))
          pl.write(y, (0,), 1.0)
          # the end
    `,
    expected: `
      @prim_func
      def unused(x: Tensor[(4,), "f32"], y: Out[Tensor[(4,), "f32"]]):
          # nobody reads it
          y_1 = pl.write(y, (0,), 1.0)
          # the end
    `,
  },
  {
    title: "what a condition tells holds behind it",
    source: `
      @prim_func
      def told(q: Scalar["bool"], u: Scalar["u8"], y: Out[Tensor[(4,), "u8"]]):
          if q and u < T.const(4, "u8"):
              if q:
                  pl.write(y, (0,), u % T.const(4, "u8"))
          elif q:
              pl.write(y, (1,), T.max(u, T.const(4, "u8")))
    `,
    expected: `
      @prim_func
      def told(q: Scalar["bool"], u: Scalar["u8"], y: Out[Tensor[(4,), "u8"]]):
          if q and u < T.const(4, "u8"):
              y_1 = pl.write(y, (0,), u)
              y_5 = pl.yield_(y_1)
          else:
              if q:
                  y_3 = pl.write(y, (1,), T.max(u, T.const(4, "u8")))
                  y_4 = pl.yield_(y_3)
              else:
                  y_4 = pl.yield_(y)
              y_5 = pl.yield_(y_4)
    `,
  },
  {
    title: "results that both branches agree on, and carries that never change, are what they start with",
    source: `
      @prim_func
      def same(q: Scalar["bool"], a: Scalar["f32"], y: Out[Tensor[(4,), "f32"]]):
          if q:
              pl.write(y, (0,), a)
              b, c = pl.yield_(a, 1.0)
          else:
              b, c = pl.yield_(a, 2.0)
          for i, (d, e) in T.range(4, init_values=(b, c)):
              s, t = pl.yield_(d, e + d)
          pl.write(y, (1,), s + t)
    `,
    expected: `
      @prim_func
      def same(q: Scalar["bool"], a: Scalar["f32"], y: Out[Tensor[(4,), "f32"]]):
          if q:
              y_1 = pl.write(y, (0,), a)
              c, y_2 = pl.yield_(1.0, y_1)
          else:
              c, y_2 = pl.yield_(2.0, y)
          for i, (e,) in T.range(4, init_values=(c,)):
              t = pl.yield_(e + a)
          y_3 = pl.write(y_2, (1,), a + t)
    `,
  },
  {
    title: "an access that comes to be outside is left as it is",
    source: `
      @prim_func
      def outside(q: Scalar["bool"], k: Scalar["i64"], x: Tensor[(N,), "f32"], y: Out[Tensor[(4,), "f32"]]):
          i = 0
          if k > 0:
              pl.write(y, (0,), pl.read(x, (i - 1,)))
    `,
    expected: `
      @prim_func
      def outside(q: Scalar["bool"], k: Scalar["i64"], x: Tensor[(N,), "f32"], y: Out[Tensor[(4,), "f32"]]):
          if k > 0:
              y_1 = pl.write(y, (0,), pl.read(x, (-1,)))
              y_2 = pl.yield_(y_1)
          else:
              y_2 = pl.yield_(y)
    `,
  },
  {
    title: "an empty branch is turned around unless a handle goes through it",
    source: `
      @prim_func
      def away(n: Scalar["i64"], y: Out[Tensor[(4,), "f32"]]):
          if n < 0:
              pass
          else:
              pl.write(y, (0,), 1.0)
          if n > 5:
              t = n
    `,
    expected: `
      @prim_func
      def away(n: Scalar["i64"], y: Out[Tensor[(4,), "f32"]]):
          if n < 0:
              y_2 = pl.yield_(y)
          else:
              y_1 = pl.write(y, (0,), 1.0)
              y_2 = pl.yield_(y_1)
    `,
  },
];

describe("statements", () => {
  test.each(CASES)("$title", ({ source, expected }) => {
    expect(after("simplify", source)).toBe(plain(expected));
  });
});
