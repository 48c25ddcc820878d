// Proofs about extents must not depend on what variables are called: dims list their terms by name.
import { expect, it } from "vitest";
import { addDims, dimVar, INDEX, loopBounds, proveLess, proveLessEqual, symbolFacts, variable, withBounds, type Dim } from "@tilefoundry/ir";

const NAMES = [["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["b", "c", "a"], ["c", "a", "b"], ["c", "b", "a"]] as const;

it.each(NAMES)("a triangle of loops stays inside its extent, whatever its variables are called (%s, %s, %s)", (extent, outer, inner) => {
  const [M, r, k] = [extent, outer, inner].map((hint) => variable(hint, INDEX));
  if (M === undefined || r === undefined || k === undefined) return expect.unreachable();
  const next = (v: Dim): Dim => addDims(v, 1);
  const rows = withBounds(symbolFacts([{ var: M, lo: 0, hi: 2 ** 31 }]), r, loopBounds(0, dimVar(M), 1));
  const facts = withBounds(rows, k, loopBounds(0, next(dimVar(r)), 1));
  expect(proveLess(facts, dimVar(r), dimVar(M))).toBe(true);
  expect(proveLessEqual(facts, dimVar(k), dimVar(r))).toBe(true);
  expect(proveLess(facts, dimVar(k), dimVar(M))).toBe(true);
  expect(proveLess(facts, next(dimVar(k)), dimVar(M))).toBe(undefined);
});
