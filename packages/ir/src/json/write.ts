// A module as JSON: one line for each node, type and symbolic dim, those that a line refers to above it, so that sharing is kept and
// nothing nests deeply. The same module gives the same bytes in every process. Spans are left out.

import { invariant } from "@tilefoundry/text";
import type { DimSum, ModuleNode } from "../nodes.ts";
import type { Entry } from "./codec.ts";
import { codecOf } from "./rows.ts";

export const FORMAT = "tilefoundry-ir";
export const VERSION = 1;

/** JSON of a module at whatever stage it stands; `readJson` gives an equal one back. */
export function writeJson(module: ModuleNode): string {
  const writing: Writing = { lines: [], ids: new Map(), byText: new Map() };
  const open: Open[] = [opened(module)];
  const inside = new Set<Entry>([module]);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.refs[top.at++];
    if (next === undefined) {
      writeEntry(top.entry, writing);
      inside.delete(top.entry);
      open.pop();
    } else if (!writing.ids.has(next)) {
      invariant(!inside.has(next), () => `a ${next.kind} that holds itself`);
      inside.add(next);
      open.push(opened(next));
    }
  }
  const nodes = writing.lines.map((line) => `    ${line}`).join(",\n");
  return `{\n  "format": "${FORMAT}",\n  "version": ${VERSION},\n  "nodes": [\n${nodes}\n  ],\n  "root": ${writing.lines.length - 1}\n}\n`;
}

interface Writing {
  readonly lines: string[];
  readonly ids: Map<Entry, number>;
  /** Types and dims by their line: they are values, so equal ones are one. */
  readonly byText: Map<string, number>;
}

interface Open {
  readonly entry: Entry;
  readonly refs: readonly Entry[];
  at: number;
}

function opened(entry: Entry): Open {
  const refs: Entry[] = [];
  codecOf(entry.kind).refs(entry, (next) => refs.push(next));
  return { entry, refs, at: 0 };
}

const VALUES: ReadonlySet<Entry["kind"]> = new Set<Entry["kind"]>(["Scalar", "Vec", "Tensor", "TupleType", "Unit", "Unknown", "sum"]);

function writeEntry(entry: Entry, { lines, ids, byText }: Writing): void {
  const idOf = (other: Entry): number => {
    const id = ids.get(other);
    invariant(id !== undefined, () => `a ${other.kind} without a line`);
    return id;
  };
  const line = codecOf(entry.kind).write(entry.kind === "sum" ? inOrder(entry, idOf) : entry, idOf) ?? "";
  const known = VALUES.has(entry.kind) ? byText.get(line) : undefined;
  ids.set(entry, known ?? lines.length);
  if (known !== undefined) return;
  if (VALUES.has(entry.kind)) byText.set(line, lines.length);
  lines.push(line);
}

/** Namesakes among variables are ordered by the process that made the dim; in the file the earlier line comes first. */
function inOrder(sum: DimSum, idOf: (entry: Entry) => number): DimSum {
  const [first, ...rest] = sum.terms;
  if (first === undefined || rest.length === 0) return sum;
  const terms = [...sum.terms].sort((a, b) => {
    if (a.leaf.kind !== "var" || b.leaf.kind !== "var" || a.leaf.variable.hint !== b.leaf.variable.hint) return 0;
    return idOf(a.leaf.variable) - idOf(b.leaf.variable);
  });
  return { ...sum, terms };
}
