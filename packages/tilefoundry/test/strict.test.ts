// Strict runs of the interpreter: what the language makes harmless is reported, at its place in the text.

import { interpret } from "@tilefoundry/interp";
import { builtinOps } from "@tilefoundry/ops";
import { arrayOf, zeros } from "@tilefoundry/ops/evaluate";
import { position } from "@tilefoundry/text";
import { expect, test } from "vitest";
import { parseText } from "./laws.ts";

test("a window that begins before the tensor is empty, and TF6104 under strict", () => {
  const { module, breach } = parseText(
    '@prim_func\ndef f(x: Tensor[(8,), "f32"], y: Out[Tensor[(8,), "f32"]]):\n    for i in T.range(2):\n        pl.store(pl.load(x, (i - 1,), (4,)), (i * 4,), y)\n',
    "f",
  );
  expect(breach).toBeUndefined();
  const [fn] = module.functions;
  if (fn === undefined) throw new Error("no function");
  const y = zeros("f32", [8]);
  const x = arrayOf("f32", [8], [1, 2, 3, 4, 5, 6, 7, 8]);
  const { faults } = interpret(module, fn, [x, y], { ops: builtinOps, strict: true });
  expect(Array.from({ length: 8 }, (_, i) => Number(y.data[i]))).toEqual([0, 0, 0, 0, 1, 2, 3, 4]);
  expect(faults.map((d) => [d.code, d.span && position(d.span.source, d.span.start).line])).toEqual([["TF6104", 4]]);
});
