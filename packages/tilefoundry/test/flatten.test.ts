// Statements without nested calls, as text.

import { describe, expect, test } from "vitest";
import { after, plain } from "./pass-text.ts";

const CASES: readonly { readonly title: string; readonly source: string; readonly expected: string }[] = [
  {
    title: "operands become assignments above the statement, below its comment",
    source: `
      @pl.function
      def f(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
          # the sum
          pl.store(pl.add(pl.load(x, [0], [8]), pl.exp(pl.load(x, [8], [8]))), [0], y)
          if pl.read(pl.load(x, [0], [8]), [1]) > 0.0:
              pl.write(y, [0], pl.read(pl.add(pl.load(x, [0], [8]), 1.0), [2]))
    `,
    expected: `
      @pl.function
      def f(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
          # the sum
          load = pl.load(x, [0], [8])
          load_1 = pl.load(x, [8], [8])
          exp = pl.exp(load_1)
          add = pl.add(load, exp)
          pl.store(add, [0], y)
          load_2 = pl.load(x, [0], [8])
          if pl.read(load_2, [1]) > 0.0:
              load_3 = pl.load(x, [0], [8])
              add_1 = pl.add(load_3, 1.0)
              pl.write(y, [0], pl.read(add_1, [2]))
    `,
  },
  {
    title: "what a condition needs is computed again in each iteration",
    source: `
      @pl.function
      def f(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
          i = 0
          while pl.read(pl.load(x, [i], [8]), [1]) > 0.0:
              i = i + 1
          pl.write(y, [i], 1.0)
    `,
    expected: `
      @pl.function
      def f(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
          i = 0
          while True:
              load = pl.load(x, [i], [8])
              if not pl.read(load, [1]) > 0.0:
                  break
              i = i + 1
          pl.write(y, [i], 1.0)
    `,
  },
  {
    title: "shared and named values are assigned, the others stay nested until they are flat",
    source: `
      @func
      def g(x: Tensor[(N, 8), "f32"]) -> Tensor[(N, 8), "f32"]:
          # shared
          s = tf.square(x)
          t = tf.add(s, s)
          return tf.mul(tf.exp(t), tf.exp(s))
    `,
    expected: `
      @prim_func
      def g(x: Tensor[(N, 8), "f32"]) -> Tensor[(N, 8), "f32"]:
          # shared
          s = tf.square(x)
          t = tf.add(s, s)
          exp = tf.exp(t)
          exp_1 = tf.exp(s)
          mul = tf.mul(exp, exp_1)
          return mul
    `,
  },
  {
    title: "what an op over elements reads of memory is read before it begins",
    source: `
      @pl.function
      def f(x: pl.Tensor[[N], pl.FP32], at: pl.Tensor[[4], pl.INDEX], y: pl.InOut[pl.Tensor[[N], pl.FP32]]):
          t = pl.load(x, [0], [8])
          pl.store(t, [pl.read(at, [1]) + 1], y)
          pl.write(y, [0], pl.read(y, [pl.read(at, [2])]))
    `,
    expected: `
      @pl.function
      def f(x: pl.Tensor[[N], pl.FP32], at: pl.Tensor[[4], pl.INDEX], y: pl.InOut[pl.Tensor[[N], pl.FP32]]):
          t = pl.load(x, [0], [8])
          read = pl.read(at, [1])
          pl.store(t, [read + 1], y)
          pl.write(y, [0], pl.read(y, [pl.read(at, [2])]))
    `,
  },
];

describe("flat statements", () => {
  test.each(CASES)("$title", ({ source, expected }) => {
    expect(after("flatten", source)).toBe(plain(expected));
  });
});
