// What is printed reads back as the same IR, and that prints as the same text.

import { parse } from "@tilefoundry/grammar";
import { equal, type ModuleNode } from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import { print } from "@tilefoundry/syntax";
import { makeSource, renderDiagnostics } from "@tilefoundry/text";
import { expect, test } from "vitest";
import { toIR, toSurface } from "../../src/index.ts";
import { program } from "./generate.ts";

function read(text: string, name: string): ModuleNode {
  const tree = parse(makeSource(`${name}.tf`, text));
  const { value, diagnostics } = toIR(tree.value, { name, ops: builtinOps });
  const errors = [...tree.diagnostics, ...diagnostics].filter((d) => d.severity === "error");
  expect(renderDiagnostics(errors), text).toBe("");
  return value;
}

function roundTrips(module: ModuleNode): void {
  const text = print(toSurface(module, builtinOps));
  const back = read(text, module.name);
  expect(equal(module, back, { printed: true }), text).toBeUndefined();
  expect(print(toSurface(back, builtinOps))).toBe(text);
}

test("generated functions of all kinds of statements and primitives", () => {
  for (let seed = 0; seed < 200; seed++) roundTrips(program(seed));
});
