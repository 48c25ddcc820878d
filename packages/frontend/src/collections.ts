// Compile-time lists, tuples, dicts and records are made here, so that no text makes one too long, too deep, or (by sharing) too large
// to walk.

import { beyond, fail, type Failure } from "./python-number.ts";
import type { Known, KnownDict, KnownRecord, KnownSequence, RecordClass } from "./value.ts";

/** Elements of the largest list, those of lists in it included, and of the longest string. */
export const SIZE_LIMIT = 65_536;
const DEPTH_LIMIT = 32;

interface Measure {
  readonly size: number;
  readonly depth: number;
}

/** Of collections that hold collections; most hold none. */
const measures = new WeakMap<Known, Measure>();

/** How large one with these elements is, or that it is too large. */
function measured(items: Iterable<Known>, count: number): Measure | Failure {
  let size = 1 + count;
  let depth = 0;
  for (const item of items) {
    const inner = measureOf(item);
    if (inner === undefined) continue;
    size += inner.size - 1;
    depth = Math.max(depth, inner.depth);
  }
  if (size > SIZE_LIMIT) return beyond(`the result has more than ${SIZE_LIMIT} elements`);
  return depth >= DEPTH_LIMIT ? beyond(`lists are nested more than ${DEPTH_LIMIT} deep`) : { size, depth: depth + 1 };
}

function measureOf(k: Known): Measure | undefined {
  switch (k.kind) {
    case "sequence": return measures.get(k) ?? { size: k.items.length + 1, depth: 1 };
    case "dict": return measures.get(k) ?? { size: k.entries.size + 1, depth: 1 };
    case "record": return measures.get(k) ?? { size: k.fields.size + 1, depth: 1 };
    default: return undefined;
  }
}

/** Elements that a value is made of, itself counted: what it costs to copy or to compare. */
export const sizeOf = (k: Known): number => measureOf(k)?.size ?? (k.kind === "string" ? k.value.length : 1);

function kept<K extends Known>(made: K, measure: Measure | Failure): K | Failure {
  if ("failure" in measure) return measure;
  if (measure.depth > 1) measures.set(made, measure);
  return made;
}

export function sequence(form: KnownSequence["form"], items: readonly Known[]): KnownSequence | Failure {
  return kept({ kind: "sequence", form, items }, measured(items, items.length));
}

/** A list of tuples. */
export function pairs(rows: readonly (readonly Known[])[]): KnownSequence | Failure {
  const tuples: Known[] = [];
  for (const row of rows) {
    const tuple = sequence("tuple", row);
    if ("failure" in tuple) return tuple;
    tuples.push(tuple);
  }
  return sequence("list", tuples);
}

/** A later entry of an equal key gives the value, the first one the key and the place. */
export function dict(pairs: Iterable<readonly [Known, Known]>): KnownDict | Failure {
  const entries = new Map<string, { readonly key: Known; readonly value: Known }>();
  for (const [key, value] of pairs) {
    const text = keyText(key);
    if (text === undefined) return fail("a key of a dict may not be a list or a dict");
    entries.set(text, { key: entries.get(text)?.key ?? key, value });
    if (entries.size > SIZE_LIMIT) break;
  }
  return kept({ kind: "dict", entries }, measured([...entries.values()].map((e) => e.value), entries.size));
}

export function record(of: RecordClass | undefined, fields: ReadonlyMap<string, Known>): KnownRecord | Failure {
  return kept({ kind: "record", class: of, fields }, measured(fields.values(), fields.size));
}

/** The same for equal keys: Python's `1`, `1.0` and `True` are one. Undefined for what is no key. */
export function keyText(k: Known): string | undefined {
  switch (k.kind) {
    case "int": return `n${k.value}`;
    case "bool": return `n${Number(k.value)}`;
    case "float": return Number.isInteger(k.value) ? `n${BigInt(k.value)}` : `f${k.value}`;
    case "string": return `s${k.value}`;
    case "none": return "none";
    case "dtype": return `d${k.dtype}`;
    case "word": return `w${k.family}.${k.word}`;
    case "sequence": {
      if (k.form === "list") return undefined;
      const parts = k.items.map(keyText);
      return parts.includes(undefined) ? undefined : `t${JSON.stringify(parts)}`;
    }
    default: return undefined;
  }
}
