// Each row of a table is watched by a law: with one row deliberately broken, the law reports a program that it finds right with the
// true row. Tables are reached inside of their packages, since nothing but this test may change them.

import { PRIMS } from "@tilefoundry/ir";
import { findCompiler } from "@tilefoundry/runtime";
import { describe, expect, test } from "vitest";
import { fieldsOf } from "../../ir/src/fields.ts";
import { BUILTINS } from "../../ops/src/builtins.ts";
import { EVALUATE } from "../../ops/src/evaluate/catalog.ts";
import { RULES } from "../../passes/src/simplify/rules.ts";
import { PRIM_TEXT } from "../../targets/src/cpu/prims.ts";
import { SCALARS } from "../../targets/src/wasm/scalars.ts";
import { failureOf, LAWS } from "./fuzz-laws.ts";

interface BrokenRow {
  readonly row: string;
  /** The table, or the row of which one entry is broken. */
  readonly table: object;
  readonly key: string | number;
  readonly broken: unknown;
  /** The body of a kernel that the law finds right with the true row. */
  readonly body: string;
  /** The law that must report it. */
  readonly law: string;
}

const STORE_MAX = "pl.store(pl.maximum(pl.load(x, (0, 0), (4, 4)), 0.5), (0, 0), y)";

const BROKEN: readonly BrokenRow[] = [
  {
    row: "the value of an op", table: EVALUATE, key: "maximum", broken: EVALUATE.minimum,
    body: STORE_MAX, law: "keeps its bits through all passes",
  },
  {
    row: "how an op is lowered", table: BUILTINS.row_max.lowering, key: "combine", broken: "min",
    body: "pl.store(pl.row_max(pl.load(x, (0, 0), (4, 4))), (0, 0), y)", law: "keeps its bits through all passes",
  },
  {
    row: "the type an op infers", table: BUILTINS.transpose, key: "infer", broken: ({ x }: { readonly x: { readonly type: unknown } }) => x.type,
    body: "pl.store(pl.transpose(pl.load(x, (0, 0), (2, 4)), 0, 1), (0, 0), y)", law: "keeps its bits through all passes",
  },
  {
    row: "the typing rule of a primitive", table: PRIMS.lt, key: "rule", broken: PRIMS.add.rule,
    body: "if n < 2:\n        y[0, 0] = 1.0", law: "is a correct program",
  },
  {
    row: "the role of a field", table: fieldsOf("If"), key: 0, broken: ["cond", "attr"],
    body: "if n > 2:\n        y[0, 0] = 1.0", law: "verifies, prints and parses back after every pass",
  },
  {
    row: "a rule of simplification", table: RULES, key: "neg", broken: ({ args: [x] }: { readonly args: readonly unknown[] }) => x,
    body: "y[0, 0] = -x[0, 0]", law: "keeps its bits through all passes",
  },
  {
    row: "an instruction of WebAssembly", table: SCALARS.f32, key: "max", broken: SCALARS.f32.min,
    body: "y[0, 0] = T.max(x[0, 0], 0.5)", law: "computes the same in WebAssembly",
  },
  {
    row: "a primitive in C", table: PRIM_TEXT, key: "sub", broken: PRIM_TEXT.add,
    body: "y[0, 0] = x[0, 0] - x[1, 1]", law: "computes the same in C",
  },
];

const kernel = (body: string): string => `@prim_func\ndef k(x: Tensor[(4, 4), "f32"], y: InOut[Tensor[(4, 4), "f32"]], n: Scalar["index"]):\n    ${body}\n`;
const SEED = 5;

/** Runs with one entry of a table replaced. */
function withBroken<T>({ table, key, broken }: BrokenRow, run: () => T): T {
  const rows = table as Record<string | number, unknown>; // a table that only this test writes to
  const right = rows[key];
  rows[key] = broken;
  try {
    return run();
  } finally {
    rows[key] = right;
  }
}

describe("a broken row", () => {
  for (const row of BROKEN) {
    const law = LAWS.find((l) => l.name === row.law);
    const laws = law === undefined ? [] : [law];
    const needs = law?.needs;
    test.skipIf(needs !== undefined && findCompiler() === undefined)(`of ${row.row} breaks the law that a program ${row.law}${needs === undefined ? "" : ` [needs ${needs}]`}`, () => {
      const text = kernel(row.body);
      expect(failureOf(text, SEED, laws)).toBeUndefined();
      expect(withBroken(row, () => failureOf(text, SEED, laws))?.law).toBe(row.law);
      expect(failureOf(text, SEED, laws)).toBeUndefined();
    });
  }
});
