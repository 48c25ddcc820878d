// What the tests of the grammar share: texts, a seeded random source, a walk over all that a tree holds.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeSource, position, type Diagnostic, type Outcome, type Span } from "@tilefoundry/text";
import type { Comment, SModule } from "../src/ast.ts";
import { parse } from "../src/parse.ts";

export const SINK = readFileSync(fileURLToPath(new URL("kitchen-sink.py", import.meta.url)), "utf8");

export const read = (text: string): Outcome<SModule> => parse(makeSource("test.tf", text));

/** `line:column code message`, as tests compare them. */
export function told(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ code, message, span }) => {
    if (span === undefined) return `${code} ${message}`;
    const { line, column } = position(span.source, span.start);
    return `${line}:${column} ${code} ${message}`;
  });
}

/** Numbers in [0, 1), the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function pick<T>(from: readonly T[], next: () => number): T {
  const found = from[Math.floor(next() * from.length)];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}

/** Calls `visit` with every object of a tree but sources. */
export function walk(root: unknown, visit: (node: Readonly<Record<string, unknown>>) => void): void {
  const waiting = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) waiting.push(...value);
    else if (!("lineStarts" in value)) {
      visit({ ...value });
      waiting.push(...Object.values(value));
    }
  }
}

export function spansOf(root: unknown): readonly Span[] {
  const spans: Span[] = [];
  walk(root, (node) => {
    if ("source" in node) spans.push(node as unknown as Span); // only spans have a source
  });
  return spans;
}

/** Where each comment of a tree begins, in order. */
export function commentsOf(root: unknown): readonly number[] {
  const starts: number[] = [];
  walk(root, (node) => {
    const { text, span } = node as Partial<Comment>;
    if (text !== undefined && span?.source.text[span.start] === "#") starts.push(span.start);
  });
  return starts.sort((a, b) => a - b);
}
