// Control flow in SSA, rule by rule, as text: each case up to `simplify`, which removes the copies that `to-ssa` makes.

import { describe, expect, test } from "vitest";
import { after, plain } from "./pass-text.ts";

const CASES: readonly { readonly title: string; readonly source: string; readonly expected: string }[] = [
  {
    title: "carries are updated at once: a swap stays a swap",
    source: `
      @prim_func
      def swap(a: Scalar["i32"], b: Scalar["i32"], out: Out[Tensor[(2,), "i32"]]):
          x = a
          y = b
          for i in T.range(5):
              t = x
              x = y
              y = t
          pl.write(out, (0,), x)
          pl.write(out, (1,), y)
    `,
    expected: `
      @prim_func
      def swap(a: Scalar["i32"], b: Scalar["i32"], out: Out[Tensor[(2,), "i32"]]):
          for i, (x, y) in T.range(5, init_values=(a, b)):
              x_3, y_3 = pl.yield_(y, x)
          out_1 = pl.write(out, (0,), x_3)
          out_2 = pl.write(out_1, (1,), y_3)
    `,
  },
  {
    title: "a name that every iteration binds before it reads it belongs to the iteration",
    source: `
      @prim_func
      def own(x: Tensor[(N,), "f32"], y: Out[Tensor[(N,), "f32"]]):
          t = 0.0
          for i in T.parallel(N):
              t = pl.read(x, (i,)) * 2.0
              pl.write(y, (i,), t)
    `,
    expected: `
      @prim_func
      def own(x: Tensor[(N,), "f32"], y: Out[Tensor[(N,), "f32"]]):
          for i, (y_1,) in T.parallel(N, init_values=(y,)):
              t = pl.read(x, (i,)) * 2.0
              y_2 = pl.write(y_1, (i,), t)
              y_3 = pl.yield_(y_2)
    `,
  },
  {
    title: "what a branch does not assign flows through",
    source: `
      @prim_func
      def join(n: Scalar["i32"], out: Out[Tensor[(1,), "i32"]]):
          x = n
          if n < T.const(0, "i32"):
              x = -n
          pl.write(out, (0,), x)
    `,
    expected: `
      @prim_func
      def join(n: Scalar["i32"], out: Out[Tensor[(1,), "i32"]]):
          if n < T.const(0, "i32"):
              x = -n
              x_2 = pl.yield_(x)
          else:
              x_2 = pl.yield_(n)
          out_1 = pl.write(out, (0,), x_2)
    `,
  },
  {
    title: "handles are threaded through branches and loops, read or not",
    source: `
      @prim_func
      def handles(c: Scalar["bool"], y: Out[Tensor[(4,), "f32"]]):
          if c:
              pl.write(y, (0,), 1.0)
          for i in T.range(4):
              if c:
                  pl.write(y, (i,), 2.0)
    `,
    expected: `
      @prim_func
      def handles(c: Scalar["bool"], y: Out[Tensor[(4,), "f32"]]):
          if c:
              y_1 = pl.write(y, (0,), 1.0)
              y_2 = pl.yield_(y_1)
          else:
              y_2 = pl.yield_(y)
          for i, (y_3,) in T.range(4, init_values=(y_2,)):
              if c:
                  y_4 = pl.write(y_3, (i,), 2.0)
                  y_5 = pl.yield_(y_4)
              else:
                  y_5 = pl.yield_(y_3)
              y_6 = pl.yield_(y_5)
    `,
  },
  {
    title: "a `for` that is left by `break` becomes a `while` over its index",
    source: `
      @prim_func
      def first(x: Tensor[(N,), "i32"], k: Scalar["i32"], at: Out[Tensor[(1,), "i64"]]):
          found = -1
          for i in T.range(N):
              if pl.read(x, (i,)) == k:
                  found = i
                  break
          pl.write(at, (0,), found)
    `,
    expected: `
      @prim_func
      def first(x: Tensor[(N,), "i32"], k: Scalar["i32"], at: Out[Tensor[(1,), "i64"]]):
          for (running, i, found) in pl.while_(init_values=(True, 0, -1)):
              pl.cond(running and i < N)
              if pl.read(x, (i,)) == k:
                  found_3, running_3 = pl.yield_(i, False)
              else:
                  found_3, running_3 = pl.yield_(found, True)
              i_2 = i + 1
              running_4, i_3, found_4 = pl.yield_(running_3, i_2, found_3)
          at_1 = pl.write(at, (0,), found_4)
    `,
  },
  {
    title: "`continue` makes the rest of the body a branch",
    source: `
      @prim_func
      def odd(x: Tensor[(N,), "i32"], total: Out[Tensor[(1,), "i32"]]):
          sum = T.const(0, "i32")
          for i in T.range(N):
              if i % 2 == 0:
                  continue
              sum = sum + pl.read(x, (i,))
          pl.write(total, (0,), sum)
    `,
    expected: `
      @prim_func
      def odd(x: Tensor[(N,), "i32"], total: Out[Tensor[(1,), "i32"]]):
          for i, (sum,) in T.range(N, init_values=(T.const(0, "i32"),)):
              if i % 2 != 0:
                  sum_2 = sum + pl.read(x, (i,))
                  sum_3 = pl.yield_(sum_2)
              else:
                  sum_3 = pl.yield_(sum)
              sum_4 = pl.yield_(sum_3)
          total_1 = pl.write(total, (0,), sum_4)
    `,
  },
  {
    title: "where both branches may go on, a flag guards the rest",
    source: `
      @prim_func
      def nested(x: Tensor[(N,), "i32"], total: Out[Tensor[(1,), "i32"]]):
          sum = T.const(0, "i32")
          i = 0
          while i < N:
              v = pl.read(x, (i,))
              if v < T.const(0, "i32"):
                  if v == T.const(-1, "i32"):
                      break
                  v = -v
              sum = sum + v
              i = i + 1
          pl.write(total, (0,), sum)
    `,
    expected: `
      @prim_func
      def nested(x: Tensor[(N,), "i32"], total: Out[Tensor[(1,), "i32"]]):
          for (running, sum, i) in pl.while_(init_values=(True, T.const(0, "i32"), 0)):
              pl.cond(running and i < N)
              v = pl.read(x, (i,))
              if v < T.const(0, "i32"):
                  if v == T.const(-1, "i32"):
                      running_3, v_2 = pl.yield_(False, v)
                  else:
                      v_1 = -v
                      running_3, v_2 = pl.yield_(True, v_1)
                  running_4, v_3 = pl.yield_(running_3, v_2)
              else:
                  running_4, v_3 = pl.yield_(True, v)
              if running_4:
                  sum_2 = sum + v_3
                  i_2 = i + 1
                  sum_3, i_3 = pl.yield_(sum_2, i_2)
              else:
                  sum_3, i_3 = pl.yield_(sum, i)
              running_5, sum_4, i_4 = pl.yield_(running_4, sum_3, i_3)
          total_1 = pl.write(total, (0,), sum_4)
    `,
  },
  {
    title: "a branch that returns makes the rest its other branch",
    source: `
      @prim_func
      def early(n: Scalar["i32"]) -> Scalar["i32"]:
          if n < T.const(0, "i32"):
              return T.const(0, "i32")
          m = n * n
          return m
    `,
    expected: `
      @prim_func
      def early(n: Scalar["i32"]) -> Scalar["i32"]:
          if n < T.const(0, "i32"):
              result = pl.yield_(T.const(0, "i32"))
          else:
              m = n * n
              result = pl.yield_(m)
          return result
    `,
  },
  {
    title: "a second loop over the same name has a variable of its own",
    source: `
      @prim_func
      def twice(y: Out[Tensor[(4,), "f32"]]):
          for i in T.range(2):
              pl.write(y, (i,), 1.0)
          for i in T.range(2, 4):
              pl.write(y, (i,), 2.0)
    `,
    expected: `
      @prim_func
      def twice(y: Out[Tensor[(4,), "f32"]]):
          for i, (y_1,) in T.range(2, init_values=(y,)):
              y_2 = pl.write(y_1, (i,), 1.0)
              y_3 = pl.yield_(y_2)
          for i_1, (y_4,) in T.range(2, 4, init_values=(y_3,)):
              y_5 = pl.write(y_4, (i_1,), 2.0)
              y_6 = pl.yield_(y_5)
    `,
  },
  {
    title: "a name bound in a loop that surely runs may be read after it",
    source: `
      @prim_func
      def last(x: Tensor[(4,), "f32"], y: Out[Tensor[(1,), "f32"]]):
          for i in T.range(4):
              v = pl.read(x, (i,))
          pl.write(y, (0,), v)
    `,
    expected: `
      @prim_func
      def last(x: Tensor[(4,), "f32"], y: Out[Tensor[(1,), "f32"]]):
          for i, (v,) in T.range(4, init_values=(0.0,)):
              v_1 = pl.read(x, (i,))
              v_2 = pl.yield_(v_1)
          y_1 = pl.write(y, (0,), v_2)
    `,
  },
  {
    title: "a step that is not known counts in either direction and never wraps around",
    source: `
      @prim_func
      def strided(a: Scalar["i64"], b: Scalar["i64"], s: Scalar["i64"], y: Out[Tensor[(1,), "i64"]]):
          n = 0
          for i in T.range(a, b, s):
              if n == 3:
                  break
              n = n + 1
          pl.write(y, (0,), n)
    `,
    expected: `
      @prim_func
      def strided(a: Scalar["i64"], b: Scalar["i64"], s: Scalar["i64"], y: Out[Tensor[(1,), "i64"]]):
          i_1: Scalar["index"] = a
          for (running, i, n) in pl.while_(init_values=(True, i_1, 0)):
              pl.cond(running and (s > 0 and i < b or s < 0 and i > b))
              if n == 3:
                  running_3, n_3 = pl.yield_(False, n)
              else:
                  n_2 = n + 1
                  running_3, n_3 = pl.yield_(True, n_2)
              next_i = i + s
              running_4 = running_3 and T.select(s > 0, i < next_i, i > next_i)
              running_5, i_3, n_4 = pl.yield_(running_4, next_i, n_3)
          y_1 = pl.write(y, (0,), n_4)
    `,
  },
];

describe("to SSA", () => {
  test.each(CASES)("$title", ({ source, expected }) => {
    expect(after("simplify", source)).toBe(plain(expected));
  });

  test.each(CASES)("$title, and the text is left alone when it comes back", ({ expected }) => {
    expect(after("simplify", expected)).toBe(plain(expected));
  });
});

describe("jumps", () => {
  const COMMENTED = `
    @prim_func
    def f(x: Tensor[(N,), "i32"], total: Out[Tensor[(1,), "i32"]]):
        # sums
        sum = T.const(0, "i32")
        # each one
        for i in T.range(N):
            # even?
            if i % 2 == 0:
                # skip
                continue
                # behind
            # add
            sum = sum + pl.read(x, (i,))
            if sum == T.const(5, "i32"):
                # enough
                break
            # last one
            if i == 7:
                # nothing left
                continue
            # loop end
        if N > 5:
            # early
            return
            # gone
        # write
        pl.write(total, (0,), sum)
        # the end
  `;

  test.each(["to-ssa", "simplify"] as const)("keep their comments and those around them, after %s", (pass) => {
    const comments = (text: string): readonly string[] => (text.match(/# .*/g) ?? []).toSorted();
    expect(comments(after(pass, COMMENTED))).toEqual(comments(COMMENTED));
  });

  test("by the hundred neither nest without end nor overflow, and the text parses back", () => {
    const jumps = Array.from({ length: 250 }, (_, i) => [`        if x == T.const(${i}, "i32"):`, `            ${i % 3 === 0 ? "break" : "continue"}`, "        x = x + k"]).flat();
    const source = ["@prim_func", 'def f(k: Scalar["i32"], y: Out[Tensor[(1,), "i32"]]):', "    x = k", "    for i in T.range(9):", ...jumps, "    pl.write(y, (0,), x)"].join("\n");
    const once = after("simplify", source);
    expect(Math.max(...once.split("\n").map((line) => line.length - line.trimStart().length))).toBeLessThan(100);
    expect(after("simplify", once)).toBe(once);
  });
});

