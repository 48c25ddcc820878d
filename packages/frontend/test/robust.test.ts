// Whatever is written, the frontend answers: no exception, every place inside the text, and what it accepts verifies.

import { verify } from "@tilefoundry/ir";
import { hasErrors } from "@tilefoundry/text";
import { expect, it } from "vitest";
import { FLOW } from "./cases/flow.ts";
import { NAMES } from "./cases/names.ts";
import { REFUSED } from "./cases/refused.ts";
import { TYPES } from "./cases/types.ts";
import { read, tf } from "./read.ts";

const TEXTS = [...NAMES, ...TYPES, ...FLOW, ...REFUSED].map((c) => c.text);

/** A small linear generator: the same programs every time. */
function randomBelow(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * n);
  };
}

const tokens = (text: string): string[] => text.match(/[A-Za-z_]\w*|\d+|\s+|./gs) ?? [];

/** The text with tokens dropped, doubled, exchanged, and taken from another one. */
function mutated(text: string, below: (n: number) => number): string {
  const list = tokens(text);
  const other = tokens(TEXTS[below(TEXTS.length)] ?? "");
  for (let edits = 1 + below(4); edits > 0; edits--) {
    const at = below(list.length);
    const kind = below(4);
    if (kind === 0) list.splice(at, 1 + below(3));
    else if (kind === 1) list.splice(at, 0, ...other.slice(below(other.length)).slice(0, 1 + below(8)));
    else if (kind === 2) list.splice(at, 0, list[below(list.length)] ?? "");
    else list[at] = other[below(other.length)] ?? "";
  }
  return list.join("");
}

it("mutated texts never raise an exception", () => {
  const below = randomBelow(7);
  for (let round = 0; round < 1500; round++) {
    const text = mutated(TEXTS[below(TEXTS.length)] ?? "", below);
    const { module, diagnostics } = read(text);
    for (const { span } of diagnostics) expect(span === undefined || (span.start >= 0 && span.start <= span.end && span.end <= text.length), text).toBe(true);
    if (!hasErrors(diagnostics)) expect(verify(module, "parsed").map((d) => d.message), text).toEqual([]);
  }
});

const nested = (depth: number, inner: string): string =>
  [...Array.from({ length: depth }, (_, i) => `${"    ".repeat(i)}if a > ${i}.0:`), `${"    ".repeat(depth)}${inner}`].join("\n");

it("a hundred brackets in a hundred blocks stand", () => {
  expect(read(tf(nested(100, `b = ${"(".repeat(100)}a${")".repeat(100)}`))).diagnostics).toEqual([]);
});

it("chains of hundreds of operators stand", () => {
  expect(read(tf(`b = ${Array.from({ length: 480 }, () => "a").join(" + ")}\nc = ${Array.from({ length: 480 }, () => "a > a").join(" or ")}`)).diagnostics).toEqual([]);
});

it("many errors are reported in time that grows with the text", () => {
  const text = tf(Array.from({ length: 3000 }, (_, i) => `b${i} = unknown${i} + 1`).join("\n"));
  expect(read(text).diagnostics).toHaveLength(3000);
});
