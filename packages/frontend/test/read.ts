// Text → IR and what is said about it, for the tests of the frontend.

import { parse, templateSource } from "@tilefoundry/grammar";
import type { FunctionNode, ModuleNode } from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import { makeSource, type Diagnostic } from "@tilefoundry/text";
import { toIR, type HoleValue } from "@tilefoundry/frontend";

export interface Read {
  readonly module: ModuleNode;
  readonly diagnostics: readonly Diagnostic[];
}

export function read(text: string, name = "text"): Read {
  const tree = parse(makeSource(`${name}.tf`, text));
  const { value, diagnostics } = toIR(tree.value, { name, ops: builtinOps });
  return { module: value, diagnostics: [...tree.diagnostics, ...diagnostics] };
}

/** A template: `read` with holes. */
export function readTemplate(raw: readonly string[], holes: readonly HoleValue[], host: "skipped" | "refused" = "skipped"): Read {
  const { source, holes: ranges } = templateSource(raw, "template");
  const tree = parse(source, ranges);
  const { value, diagnostics } = toIR(tree.value, { name: "template", ops: builtinOps, holes, host });
  return { module: value, diagnostics: [...tree.diagnostics, ...diagnostics] };
}

/** The one function of a text that is read without complaint. */
export function readFunction(text: string): FunctionNode {
  const { module, diagnostics } = read(text);
  const [f] = module.functions;
  const said = diagnostics.filter((d) => d.severity !== "note").map((d) => `${d.code} ${d.message}`);
  if (f === undefined || said.length > 0) throw new Error(said.join("\n") || "no function");
  return f;
}

/** What a diagnostic points at. */
export const pointsAt = ({ span }: Diagnostic): string => (span === undefined ? "" : span.source.text.slice(span.start, span.end));

const indent = (body: string): string => body.split("\n").map((line) => (line === "" ? "" : `    ${line}`)).join("\n");

/** A body in a TileFoundry kernel over `x`, `y` (both written and read) and the scalars `n` and `a`. */
export const tf = (body: string): string =>
  `@prim_func\ndef kernel(x: Tensor[(M, 8), "f32"], y: InOut[Tensor[(M, 8), "f32"]], n: Scalar["i32"], a: Scalar["f32"]):\n${indent(body)}\n`;

/** The same in a PyPTO kernel. */
export const pl = (body: string): string =>
  `@pl.function(type=pl.FunctionType.InCore)\ndef kernel(x: pl.Tensor[[M, 8], pl.FP32], y: pl.InOut[pl.Tensor[[M, 8], pl.FP32]], n: pl.Scalar[pl.INT32], a: pl.Scalar[pl.FP32]):\n${indent(body)}\n`;

/** A body in a `@func`. */
export const func = (body: string): string => `@func\ndef kernel(x: Tensor[(M, 8), "f32"], w: Tensor[(8,), "f32"]):\n${indent(body)}\n`;
