// Dims and types as short text for messages. The printer of canonical text is elsewhere (frontend): this is not parsed back.

import { isStatic } from "./dims.ts";
import type { Dim, DimLeaf, Type } from "./nodes.ts";

/** `4`, `M`, `2*M - 1`, `M//4`. */
export function dimText(d: Dim): string {
  if (isStatic(d)) return String(d);
  const terms = d.terms.map(({ coefficient, leaf }, i) => signed(coefficient, leafText(leaf), i === 0));
  const last = d.constant === 0 ? "" : d.constant < 0 ? ` - ${-d.constant}` : ` + ${d.constant}`;
  return terms.join("") + last;
}

function signed(coefficient: number, leaf: string, first: boolean): string {
  const size = Math.abs(coefficient);
  const term = size === 1 ? leaf : `${size}*${leaf}`;
  if (first) return coefficient < 0 ? `-${term}` : term;
  return coefficient < 0 ? ` - ${term}` : ` + ${term}`;
}

function leafText(leaf: DimLeaf): string {
  switch (leaf.kind) {
    case "var": return leaf.variable.hint;
    case "floordiv": return `(${dimText(leaf.dividend)})//${leaf.divisor}`;
    case "mod": return `(${dimText(leaf.dividend)})%${leaf.divisor}`;
    case "min":
    case "max": return `${leaf.kind}(${dimText(leaf.a)}, ${dimText(leaf.b)})`;
  }
}

/** `(M, 64)`, `(M,)`, `()`. */
export function shapeText(shape: readonly Dim[]): string {
  return shape.length === 1 ? `(${shape.map(dimText).join("")},)` : `(${shape.map(dimText).join(", ")})`;
}

/** `f32`, `f32x4`, `tensor (M, 64) f32`, `tile (64,) f32 in acc`. */
export function typeText(t: Type): string {
  switch (t.kind) {
    case "Scalar": return t.dtype;
    case "Vec": return `${t.dtype}x${t.lanes}`;
    case "Tensor": return `${t.domain} ${shapeText(t.shape)} ${t.dtype}${usual(t.domain, t.storage) ? "" : ` in ${t.storage}`}`;
    case "TupleType": return `(${t.fields.map(typeText).join(", ")})`;
    case "Unit": return "no value";
    case "Unknown": return "unknown";
  }
}

const usual = (domain: "tensor" | "tile", storage: string): boolean => storage === (domain === "tensor" ? "gmem" : "vec");
