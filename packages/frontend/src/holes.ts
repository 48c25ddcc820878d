// Values of a template's holes as compile-time values.

import type { DType, ModuleNode } from "@tilefoundry/ir";
import type { SModule } from "@tilefoundry/grammar";
import type { ModuleContext } from "./context.ts";
import { dtypeCalled } from "./dtype-names.ts";
import { extentDim } from "./extents.ts";
import { failed } from "./known-ops.ts";
import { sequence } from "./collections.ts";
import { bool, float, type Known } from "./value.ts";

/** What a hole may hold. Arrays are shapes and lists of constants. */
export type HoleValue =
  | number | bigint | boolean
  | { readonly kind: "dtype"; readonly dtype: DType }
  | { readonly kind: "dimvar"; readonly name: string; readonly lo: number; readonly hi: number }
  /** A program, to be called; what TypeScript gives is turned into its module by the front door. */
  | { readonly kind: "module"; readonly module: ModuleNode }
  /** Not known: typed by its use. `name` is how messages call it: `${rows}`. */
  | { readonly kind: "unknown"; readonly name: string }
  | readonly HoleValue[];

/** The compile-time value; undefined (with a complaint at the hole) where there is none. */
export function knownHole(value: unknown, index: number, tree: SModule, module: ModuleContext): Known | undefined {
  const known = convert(value, module);
  if (known !== undefined) return known;
  module.reporter.report("TF2006", holeSpan(index, tree), { found: describeHole(value) });
  return undefined;
}

function convert(value: unknown, module: ModuleContext): Known | undefined {
  switch (typeof value) {
    case "bigint": return { kind: "int", value };
    case "boolean": return bool(value);
    case "number": return Number.isInteger(value) && !Object.is(value, -0) ? { kind: "int", value: BigInt(value), loose: true } : float(value);
    case "object": return value === null ? undefined : convertObject(value, module);
    default: return undefined;
  }
}

function convertObject(value: object, module: ModuleContext): Known | undefined {
  if (Array.isArray(value)) {
    const items: Known[] = [];
    for (const item of value as readonly unknown[]) {
      const known = convert(item, module);
      if (known === undefined) return undefined;
      items.push(known);
    }
    const made = sequence("tuple", items);
    return failed(made) ? undefined : made;
  }
  if (!("kind" in value)) return undefined;
  if (value.kind === "dtype" && "dtype" in value && typeof value.dtype === "string") {
    const dtype = dtypeCalled(value.dtype);
    return dtype && { kind: "dtype", dtype };
  }
  if (value.kind === "module" && "module" in value) return { kind: "module", module: value.module as ModuleNode }; // made by the front door
  return value.kind === "dimvar" ? extentOf(value, module) : undefined;
}

function extentOf(value: object, module: ModuleContext): Known | undefined {
  const { name, lo, hi } = value as { readonly name?: unknown; readonly lo?: unknown; readonly hi?: unknown }; // checked below
  if (typeof name !== "string" || !/^[A-Za-z_]\w*$/.test(name) || typeof lo !== "number" || typeof hi !== "number") return undefined;
  if (!Number.isSafeInteger(lo) || !Number.isSafeInteger(hi) || lo < 0 || hi <= lo) return undefined;
  return { kind: "extent", dim: extentDim(module, { name, lo, hi, span: undefined }) };
}

function describeHole(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array with something else in it";
  if (typeof value === "object") return "an object";
  return typeof value === "undefined" ? "undefined" : `a ${typeof value}`;
}

/** Where a hole stands in the tree: searched only to report a value. */
function holeSpan(index: number, tree: SModule) {
  const open: unknown[] = [tree.body];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== "object" || part === null) continue;
    if (isHole(part) && part.index === index) return part.span;
    for (const [field, child] of Object.entries(part)) if (!field.toLowerCase().endsWith("span")) open.push(child);
  }
  return tree.span;
}

const isHole = (part: object): part is { readonly kind: "Hole"; readonly index: number; readonly span: SModule["span"] } => "kind" in part && part.kind === "Hole";
