// Ops with several results keep all laws: as carries, taken several times, written through, from branches.

import { findCompiler } from "@tilefoundry/runtime";
import { describe, expect, test } from "vitest";
import { failureOf, LAWS } from "./fuzz-laws.ts";

const ROPE = 'small_q: Tensor[(2, S, 4, 8), "f32"], small_k: Tensor[(2, S, 2, 8), "f32"], small_cos: Tensor[(L, 8), "f32"], small_sin: Tensor[(L, 8), "f32"], small_at: Tensor[(S,), "i64"]';

const TEXTS = {
  "as carries": `@prim_func
def f(${ROPE}, n: Scalar["i64"]):
    a, b = tf.rope(small_q, small_k, small_cos, small_sin, small_at)
    for i in T.range(T.min(n, 3)):
        a, b = tf.rope(a, b, small_cos, small_sin, small_at)
        a = pl.write(a, (0, 0, 0, 0), 1.0)
    return a, b
`,
  "taken several times, and written through": `@prim_func
def f(${ROPE}):
    t = tf.rope(small_q, small_k, small_cos, small_sin, small_at)
    s = 0.0
    for i in T.range(3):
        c = t[0]
        s = s + pl.read(c, (0, 0, 0, 0))
        c = pl.write(c, (0, 0, 0, 0), s + 2.0)
    return t[0], s
`,
  "from branches": `@prim_func
def f(${ROPE}, n: Scalar["i64"]):
    t = tf.rope(small_q, small_k, small_cos, small_sin, small_at)
    if n > 1:
        x, y = tf.rope(t[0], small_k, small_cos, small_sin, small_at)
    else:
        x = t[0]
        y = t[1]
    return x, y
`,
  "in a value function, of which one is not used": `@func
def f(${ROPE}):
    q, _ = tf.rope(small_q, small_k, small_cos, small_sin, small_at)
    r, k = tf.rope(q, small_k, small_cos, small_sin, small_at)
    return r * 2.0, k
`,
} as const;

describe.each(Object.entries(TEXTS))("several results %s", (_title, text) => {
  for (const law of LAWS) {
    const missing = law.needs !== undefined && findCompiler() === undefined;
    test.skipIf(missing)(`${law.name}${law.needs === undefined ? "" : ` [needs ${law.needs}]`}`, () => {
      for (const seed of [1, 2, 3]) expect(failureOf(text, seed, [law])).toBeUndefined();
    });
  }
});
