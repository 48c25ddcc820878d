// Comments stay with the statement that they explain, and none is lost.

import { eachStmt, type FunctionNode } from "@tilefoundry/ir";
import { expect, it } from "vitest";
import { read, readFunction, tf } from "./read.ts";

/** The comment lines of a function, in order, each with the kind of what holds it. */
function comments(f: FunctionNode): readonly string[] {
  const lines = (f.meta.comments ?? []).map((c) => `Function: ${c}`);
  if (f.body.kind !== "Seq") return lines;
  const visit = (node: { readonly kind: string; readonly meta: FunctionNode["meta"] }): void => {
    for (const c of node.meta.comments ?? []) lines.push(`${node.kind}: ${c}`);
  };
  eachStmt(f.body, visit);
  visit(f.body);
  return lines;
}

it("comments above, behind and inside a statement belong to it", () => {
  const f = readFunction(tf("# above\nb = T.max(a,  # first\n    # second\n    1.0)  # behind"));
  expect(comments(f)).toEqual(["Assign: above", "Assign: first", "Assign: second", "Assign: behind"]);
});

it("comments of a statement that leaves nothing wait for the next", () => {
  expect(comments(readFunction(tf("# one\npass\n\"\"\"two\"\"\"\n# three\nb = a\n# four")))).toEqual([
    "Assign: one", "Assign: two", "Assign: three", "Seq: four",
  ]);
});

it("comments on the lines of `if`, `elif` and `else` go to what begins there", () => {
  const f = readFunction(tf("if a > a:  # if\n    b = a\n# before elif\nelif a < a:  # elif\n    b = a\nelse:  # else\n    b = a"));
  expect(comments(f)).toEqual(["If: if", "If: before elif", "If: elif", "Assign: else"]);
});

it("the comments of a function are those above it, in its signature, and its docstring", () => {
  const text = "# one\nA = 1  # two\n# three\n@prim_func  # four\n# five\ndef k(\n    x: Scalar[\"f32\"],  # six\n):  # seven\n    \"\"\"Eight.\n\n    Nine.\n    \"\"\"\n    # ten\n    b = x\n";
  expect(comments(readFunction(text))).toEqual([
    ...["one", "two", "three", "four", "five", "six", "seven", "Eight.", "", "Nine."].map((c) => `Function: ${c}`), "Assign: ten",
  ]);
});

it("comments at the end of a text are the module's", () => {
  expect(read(`${tf("b = a")}# last\n`).module.meta.comments).toEqual(["last"]);
});

it("comments in `@func` belong to the value below them", () => {
  const f = readFunction("@func\ndef k(x: Tensor[(8,), \"f32\"]):\n    # double\n    y = x * 2.0\n    # done\n    return y + x\n");
  const result = f.body.kind === "Graph" ? f.body.result : undefined;
  expect(result?.meta.comments).toEqual(["done"]);
  expect(result?.kind === "Call" && result.args[0]?.meta).toMatchObject({ label: "y", comments: ["double"] });
});
