// Gives every buffer its place in the arena: one offset after the other, each a multiple of a cache line. Buffers of static size come
// first, so that their offsets are literals; then those whose size is affine in the extents. One buffer of any other size may come last.

import {
  addDims, DTYPES, eachStmt, floorDivDim, isStatic, mapChildren, mulDims, prim, scaleDim,
  type Dim, type FunctionNode, type Node, type Prim, type Seq, type TensorType, type Var,
} from "@tilefoundry/ir";
import type { Reporter } from "@tilefoundry/text";
import { eachFunction, type Pass, type PassContext } from "./pass.ts";

/** Bytes of a cache line, to which buffers are aligned. */
const ALIGNMENT = 64;

export const place = {
  name: "place",
  from: "mapped",
  to: "placed",
  doc: "Gives every buffer its place in the arena.",
  run: eachFunction(placeFunction),
} as const satisfies Pass;

interface Allocation {
  readonly variable: Var;
  readonly type: TensorType;
  /** Undefined where it is no affine function of the extents. */
  readonly bytes: Dim | undefined;
}

function placeFunction(fn: FunctionNode, context: PassContext, reporter: Reporter): FunctionNode {
  if (fn.body.kind !== "Seq") return fn;
  const { open, end } = allocationsOf(fn.body);
  if (open.length === 0) return fn;
  const offsets = new Map<Var, Dim>();
  let next: Dim = end;
  for (const { variable, bytes } of [...open].sort((a, b) => rank(a) - rank(b))) {
    offsets.set(variable, next);
    if (bytes === undefined) break;
    next = addDims(next, alignedUp(bytes));
  }
  if (offsets.size < open.length) return refuse(fn, open.filter((a) => !offsets.has(a.variable)), reporter);
  const size = next;
  if (isStatic(size) && size > context.device.arenaBytes) {
    reporter.report("TF5120", open[0]?.variable.meta.span, { function: fn.name, size, limit: context.device.arenaBytes, device: context.device.name });
    return fn;
  }
  return { ...fn, body: withOffsets(fn.body, offsets) };
}

const rank = ({ bytes }: Allocation): number => (bytes === undefined ? 2 : isStatic(bytes) ? 0 : 1);

/** Allocations without a place, and the end of those that have one. */
function allocationsOf(body: Seq): { readonly open: readonly Allocation[]; readonly end: Dim } {
  const open: Allocation[] = [];
  let end = 0;
  eachStmt(body, (stmt) => {
    if (stmt.kind !== "Assign" || stmt.value.kind !== "Prim" || stmt.value.op !== "alloc_tensor") return;
    const { type, offset } = stmt.value.attrs;
    if (type === undefined) return;
    const bytes = bytesOf(type);
    if (offset === undefined) open.push({ variable: stmt.target, type, bytes });
    else if (isStatic(offset) && bytes !== undefined && isStatic(bytes)) end = Math.max(end, offset + bytes);
  });
  return { open, end: alignedUp(end) };
}

function bytesOf(type: TensorType): Dim | undefined {
  return type.shape.reduce<Dim | undefined>((size, extent) => (size === undefined ? undefined : mulDims(size, extent)), DTYPES[type.dtype].bytes);
}

const alignedUp = (bytes: Dim): Dim => scaleDim(floorDivDim(addDims(bytes, ALIGNMENT - 1), ALIGNMENT), ALIGNMENT);

function refuse(fn: FunctionNode, rest: readonly Allocation[], reporter: Reporter): FunctionNode {
  const names = rest.map((a) => `\`${a.variable.hint}\``).join(", ");
  reporter.report("TF5121", rest[0]?.variable.meta.span, { function: fn.name, names });
  return fn;
}

function withOffsets(block: Seq, offsets: ReadonlyMap<Var, Dim>): Seq {
  const rebuild = (node: Node): Node => {
    if (node.kind === "Assign") {
      const offset = offsets.get(node.target);
      return offset === undefined || node.value.kind !== "Prim" ? node : { ...node, value: placed(node.value, offset) };
    }
    return mapChildren(node, (child, role) => (role === "body" || role === "stmts" ? rebuild(child) : child));
  };
  return rebuild(block) as Seq; // a block stays one
}

const placed = (alloc: Prim, offset: Dim): Prim => prim("alloc_tensor", [], { ...alloc.attrs, offset }, alloc.meta);
