// Statements: variables, branches, loops, results. Each case is a body and the canonical text of what it becomes.

import { eachStmt, type Var } from "@tilefoundry/ir";
import { describe, expect, it } from "vitest";
import { pl, readFunction, tf } from "./read.ts";
import { body } from "./shown.ts";

/** Accepted as written, so that the canonical text is the text itself. */
const UNCHANGED = {
  "an assignment in every branch": "if a > 0.0:\n    b = a\nelif a < 0.0:\n    b = -a\nelse:\n    b = 0.0\nc = b + a",
  "a branch that falls through to the value before": "b = a\nif a > 0.0:\n    b = 0.0\nc = b",
  "a branch that returns leaves the other one's names": "if a > 0.0:\n    return\nelse:\n    b = a\nc = b",
  "a name of a loop that provably runs": "for i in T.range(4):\n    b = a\nc = b",
  "a name that every way out of `while True` binds": "while True:\n    b = a\n    if a > b:\n        break\nc = b",
  "a handle that a loop binds first": "for i in T.range(M):\n    z = pl.write(y, (i, 0), a)\npl.write(z, (0, 0), a)",
  "a name of an iteration in a parallel loop": "for i in T.parallel(M):\n    b = a * a\n    pl.write(y, (i, 0), b)",
  "a handle carried by a parallel loop": "for i, (z,) in T.parallel(M, init_values=(y,)):\n    w = pl.write(z, (i, 0), a)\n    v = pl.yield_(w)\npl.write(v, (0, 0), a)",
  "rebinding to another type where the old value is dead": "b = 1.0\nfor i in T.range(M):\n    b = i\n    c = b + 1\nd = a",
  "results of an `if`": "if a > 0.0:\n    b, c = pl.yield_(a, 1)\nelse:\n    b, c = pl.yield_(-a, 2)\nd = b",
  "a loop with carries": "for i, (s, t) in T.range(M, init_values=(0.0, 1)):\n    u, v = pl.yield_(s + a, t + i)\nb = u",
  "`pl.while_`": "for (s,) in pl.while_(init_values=(0.0,)):\n    pl.cond(s < a)\n    t = pl.yield_(s + 1.0)\nb = t",
  "nests": "for i, j in T.nest((M, 8)):\n    T.store(y, (i, j), a)\nfor k, (s,) in T.nest((8,), reduce=True, init_values=(0.0,)):\n    t = pl.yield_(s + T.load(x, (0, k)))\nT.store(y, (0, 0), t)",
  "a reduction nest of two axes": "for i, j, (s,) in T.nest((M, 8), reduce=True, init_values=(0.0,)):\n    t = pl.yield_(s + T.load(x, (i, j)))\nb = t",
  "loops of every kind": "for i in T.unroll(4):\n    b = i\nfor i in T.pipeline(0, M, 2, stage=3):\n    b = i\nfor i in T.vector(8):\n    c = i\nfor i in T.parallel(M, level=\"core\"):\n    d = i",
  "`break` and `continue`": "for i in T.range(M):\n    if i > 4:\n        break\n    if i > 2:\n        continue\n    pl.write(y, (i, 0), a)",
  "memory": "b = T.alloc_tensor((1, 64), \"f32\", \"vec\")\nc = T.load(b, (0, 4), lanes=4)\nd = T.load(b, (0, 4), lanes=4, mask=c > c)\nT.store(b, (0, 0), d, mask=d > c)\ne = T.alloc_tensor((M, 8), \"f32\", \"gmem\")",
  "vectors": "b = T.splat(a, lanes=4)\nc = T.fma(b, b, T.const(1.0, \"f32\", lanes=4))\nd = T.reduce(\"add\", c) + T.lane(c, 3)\ne = T.bitcast(d, \"u32\")",
} as const;

describe("statements that are canonical already", () => {
  for (const [title, text] of Object.entries(UNCHANGED)) it(title, () => expect(body(tf(text))).toBe(text));
});

const REWRITTEN = {
  "a swap goes through a new name": ["b, c = a, 1.0\nb, c = c, b", "b = a\nc = 1.0\nc_1 = b\nb = c\nc = c_1"],
  "unpacking without crossing needs none": ["b, c = a, 1.0\nb, c = b + 1.0, c", "b = a\nc = 1.0\nb = b + 1.0\nc = c"],
  "an op by its kind": ["b = tf.binary(x, x, kind=BinaryKind.MAX)\nc = tf.unary(b, kind=\"neg\")", "b = tf.maximum(x, x)\nc = tf.neg(b)"],
  "an element assignment is the op `write`": ["y[0, 1] = 2.0", "y = pl.write(y, (0, 1), 2.0)"],
  "a loop variable that the body assigns starts a variable of its own": ["for i in T.range(4):\n    i = i + 1\n    b = i", "for i_1 in T.range(4):\n    i = i_1\n    i = i + 1\n    b = i"],
  "so does a carry": ["for i, (s,) in T.range(4, init_values=(0.0,)):\n    if a > s:\n        s = a\n    t = pl.yield_(s)", "for i, (s_1,) in T.range(4, init_values=(0.0,)):\n    s = s_1\n    if a > s:\n        s = a\n    t = pl.yield_(s)"],
  "an annotation converts a literal": ["b: Scalar[\"u8\"] = 3", "b = T.const(3, \"u8\")"],
  "an annotation casts an integer": ["b: Scalar[\"i32\"] = M", "b = T.cast(M, \"i32\")"],
  "`i64` and `index` keep their annotation": ["b: Scalar[\"i64\"] = 3\nb = M", "b: Scalar[\"i64\"] = 3\nb: Scalar[\"i64\"] = M"],
  "a name for a list is for the compiler": ["shape = [1, 8]\nt = pl.load(x, (0, 0), shape)", "t = pl.load(x, (0, 0), (1, 8))"],
  "a number assigned once may stand in a shape": ["rows = 2\nt = pl.load(x, (0, 0), (rows, 8))", "rows = 2\nt = pl.load(x, (0, 0), (2, 8))"],
  "bounds of any integer dtype": ["for i in T.range(n):\n    b = i", "for i in T.range(T.cast(n, \"index\")):\n    b = i"],
  "`range` is the sequential loop": ["for i in range(1, M, 2):\n    b = i", "for i in T.range(1, M, 2):\n    b = i"],
  "an `elif` that yields is the value of the else branch": [
    "if a > 1.0:\n    b = pl.yield_(a)\nelif a > 0.0:\n    b = pl.yield_(1.0)\nelse:\n    b = pl.yield_(0.0)\nc = b",
    "if a > 1.0:\n    b = pl.yield_(a)\nelse:\n    if a > 0.0:\n        b = pl.yield_(1.0)\n    else:\n        b = pl.yield_(0.0)\n    b = pl.yield_(b)\nc = b",
  ],
} as const;

describe("statements that are written in another way", () => {
  for (const [title, [text, meaning]] of Object.entries(REWRITTEN)) it(title, () => expect(body(tf(text))).toBe(meaning));
});

/** Variables that are assigned, in order, each time. */
function assigned(text: string): readonly Var[] {
  const f = readFunction(text);
  const targets: Var[] = [];
  if (f.body.kind === "Seq") eachStmt(f.body, (s) => s.kind === "Assign" && targets.push(s.target));
  return targets;
}

describe("variables", () => {
  it("a name keeps its variable as long as its type stays", () => {
    const [first, second, third] = assigned(tf("b = a\nb = b + 1.0\nif a > b:\n    b = 0.0"));
    expect(first === second && second === third).toBe(true);
  });

  it("a new type starts a new variable, and the old type finds the old one again", () => {
    const [first, second, third] = assigned(tf("b = a\nb = 1\nb = a"));
    expect(first === second).toBe(false);
    expect(first === third).toBe(true);
  });

  it("a parameter is assigned in place", () => {
    const f = readFunction(tf("a = a + 1.0"));
    expect(f.body.kind === "Seq" && f.body.stmts[0]?.kind === "Assign" && f.body.stmts[0].target).toBe(f.params[3]?.var);
  });

  it("an extent keeps its variable when a local hides it", () => {
    const f = readFunction(tf("M = 3\nb = M + 1"));
    expect(f.body.kind === "Seq" && f.body.stmts[0]?.kind === "Assign" && f.body.stmts[0].target).not.toBe(f.symbols[0]?.var);
  });

  it("`pl.store` as a statement keeps the handle's name", () => {
    expect(body(pl("pl.store(pl.load(x, [0, 0], [1, 8]), [0, 0], y)\nz = pl.store(pl.load(y, [0, 0], [1, 8]), [1, 0], y)"))).toBe(
      "pl.store(pl.load(x, [0, 0], [1, 8]), [0, 0], y)\nz = pl.store(pl.load(y, [0, 0], [1, 8]), [1, 0], y)",
    );
  });
});
