// Dims hide in the types and attributes of nodes. Both are plain data, so one visitor and one mapper reach every dim in them.

import { isDimSum } from "./dims.ts";
import type { Dim, DimSum, Node } from "./nodes.ts";
import { fieldsOf, fieldValue } from "./fields.ts";

/** Calls `visit` with every symbolic dim in a type, an attribute, or a list or record of these. */
export function eachDimIn(data: unknown, visit: (d: DimSum) => void): void {
  if (typeof data !== "object" || data === null) return;
  if (isDimSum(data)) return visit(data);
  for (const part of Object.values(data)) eachDimIn(part, visit);
}

/** Rebuilds a type or an attribute with every symbolic dim mapped; the same object comes back if none changed. */
export function mapDimsIn<T>(data: T, map: (d: DimSum) => Dim): T {
  return mapped(data, map) as T; // a dim stays a dim, all else keeps its shape
}

function mapped(data: unknown, map: (d: DimSum) => Dim): unknown {
  if (typeof data !== "object" || data === null || isRegisterType(data)) return data;
  if (isDimSum(data)) return map(data);
  let changed: Record<string, unknown> | unknown[] | undefined;
  for (const [key, part] of Object.entries(data)) {
    const after = mapped(part, map);
    if (after === part) continue;
    changed ??= Array.isArray(data) ? [...(data as readonly unknown[])] : { ...data };
    (changed as Record<string, unknown>)[key] = after; // an entry of a list or a record, by its key
  }
  return changed ?? data;
}

/** Most types are these, and they hold no dims. */
const isRegisterType = (data: object): boolean => "kind" in data && (data.kind === "Scalar" || data.kind === "Vec" || data.kind === "Unit");

/** Calls `visit` with every symbolic dim in the node's own types and attributes. */
export function eachDimOf(node: Node, visit: (d: DimSum) => void): void {
  for (const [field, role] of fieldsOf(node.kind)) {
    if (role === "type" || role === "attr") eachDimIn(fieldValue(node, field), visit);
  }
}

/** Rebuilds a node with every symbolic dim in its own types and attributes mapped. */
export function mapDimsOf<N extends Node>(node: N, map: (d: DimSum) => Dim): N {
  let changed: Record<string, unknown> | undefined;
  for (const [field, role] of fieldsOf(node.kind)) {
    if (role !== "type" && role !== "attr") continue;
    const before = fieldValue(node, field);
    const after = mapDimsIn(before, map);
    if (after !== before) (changed ??= { ...node })[field] = after;
  }
  return changed === undefined ? node : (changed as unknown as N); // same kind, same fields
}
