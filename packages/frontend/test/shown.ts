// A text as canonical text: the shortest way to say what IR it became. Reading that again must give the same IR.

import { parse } from "@tilefoundry/grammar";
import { equal } from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import { print } from "@tilefoundry/syntax";
import { makeSource } from "@tilefoundry/text";
import { toIR, toSurface } from "@tilefoundry/frontend";
import { expect } from "vitest";
import { read, type Read } from "./read.ts";

/** The canonical text of what was read; checks that it reads back as the same. */
export function canonical({ module, diagnostics }: Read): string {
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.message}`)).toEqual([]);
  const text = print(toSurface(module, builtinOps));
  const again = toIR(parse(makeSource("again.tf", text)).value, { name: module.name, ops: builtinOps });
  expect(again.diagnostics.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.message}`)).toEqual([]);
  expect(equal(module, again.value, { printed: true }), text).toBeUndefined();
  return text;
}

/** The body of the one function as canonical text, without its indentation. */
export function body(text: string): string {
  const lines = canonical(read(text)).trimEnd().split("\n");
  return lines.slice(lines.findIndex((l) => /^(def |\)).*:$/.test(l)) + 1).map((l) => l.slice(4)).join("\n");
}

/** The signature, on one line however long it is. */
export function signature(text: string): string {
  const lines = canonical(read(text)).split("\n");
  const [first, last] = [lines.findIndex((l) => l.startsWith("def ")), lines.findIndex((l) => /^(def |\)).*:$/.test(l))];
  return lines.slice(first, last + 1).map((l) => l.trim()).join(" ").replace("( ", "(").replace(", )", ")");
}
