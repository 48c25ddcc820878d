// Gives every buffer its place in the arena, at a multiple of a cache line. A buffer lives in its block: what stands in blocks side by
// side shares space. Buffers of static size come first, so that their offsets are literals; then those whose size is affine in the
// extents; one of any other size may stand at the end of each way through the blocks.

import {
  addDims, assign, blocksOf, dimVars, DTYPES, floorDivDim, isStatic, mapBlocks, maxDim, mulDims, prim, scaleDim, tensorType, variable,
  type Dim, type Expr, type FunctionNode, type Prim, type Seq, type Stmt, type TensorType, type Var, type VarLike,
} from "@tilefoundry/ir";
import { Reporter, type Span } from "@tilefoundry/text";
import { replaceExpr, type Replacing } from "./map/replace.ts";
import { mapOperands, mapStmts } from "./map/rewrite.ts";
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

/** What kind of number the size of a buffer is; places are given out in this order. */
const SIZES = ["static", "affine", "other"] as const;
type SizeKind = (typeof SIZES)[number];

interface Allocation {
  readonly buffer: Var;
  readonly type: TensorType;
  readonly kind: SizeKind;
  /** Undefined where it is no affine function of the extents. */
  readonly bytes: Dim | undefined;
  /** Where it is, if it has its place. */
  readonly offset: Dim | undefined;
  readonly span: Span | undefined;
}

/** What a block holds that has no place yet, and of the blocks in it those that hold some. */
type Room = readonly (Allocation | Room)[];

/** The allocations of a function. */
interface Layout {
  readonly all: readonly Allocation[];
  readonly open: Room;
}

interface Placement {
  readonly offsets: Map<Var, Dim>;
  /** Buffers behind one of unknown end. */
  readonly homeless: Var[];
}

function placeFunction(f: FunctionNode, context: PassContext, reporter: Reporter): FunctionNode {
  if (f.body.kind !== "Seq") return f;
  const layout = layoutOf(f.body);
  if (layout.open.length === 0) return f;
  const offsets = offsetsOf(f, layout, context, reporter);
  return offsets === undefined ? f : { ...f, body: withOffsets(f.body, offsets) };
}

/** Whether every buffer of the function finds its place. */
export const allFindPlace = (f: FunctionNode, context: PassContext): boolean =>
  f.body.kind !== "Seq" || offsetsOf(f, layoutOf(f.body), context, new Reporter()) !== undefined;

/** Where the buffers go that have no place yet; undefined after a complaint. */
function offsetsOf(f: FunctionNode, layout: Layout, context: PassContext, reporter: Reporter): ReadonlyMap<Var, Dim> | undefined {
  if (!knowsExtents(f, layout, reporter)) return undefined;
  const placement: Placement = { offsets: new Map(), homeless: [] };
  let end = endOf(layout);
  let statics = 0;
  for (const kind of SIZES) {
    if (layout.all.some((a) => a.kind === kind)) end = placeRoom(layout.open, kind, end, placement) ?? end;
    if (kind === "static" && isStatic(end)) statics = end;
  }
  if (statics > context.device.arenaBytes) {
    const { arenaBytes: limit, name: device } = context.device;
    reporter.report("TF5120", firstOf(placement.offsets)?.meta.span ?? f.meta.span, { function: f.name, size: statics, limit, device });
    return undefined;
  }
  if (placement.homeless.length === 0) return placement.offsets;
  refuse(f, placement.homeless, reporter);
  return undefined;
}

const firstOf = (offsets: ReadonlyMap<Var, Dim>): Var | undefined => [...offsets.keys()][0];

/** Where the static buffers end that have their place. */
function endOf({ all }: Layout): Dim {
  let end = 0;
  for (const { offset, bytes } of all) {
    if (offset !== undefined && isStatic(offset) && bytes !== undefined && isStatic(bytes)) end = Math.max(end, offset + bytes);
  }
  return alignedUp(end);
}

function layoutOf(body: Seq): Layout {
  const all: Allocation[] = [];
  return { all, open: roomOf(body, all) };
}

/** Adds the allocations of a block to `all`. */
function roomOf(block: Seq, all: Allocation[]): Room {
  const room: (Allocation | Room)[] = [];
  for (const stmt of block.stmts) {
    const allocation = allocationOf(stmt);
    if (allocation !== undefined) {
      all.push(allocation);
      if (allocation.offset === undefined) room.push(allocation);
    }
    for (const inner of blocksOf(stmt)) {
      const nested = roomOf(inner, all);
      if (nested.length > 0) room.push(nested);
    }
  }
  return room;
}

function allocationOf(stmt: Stmt): Allocation | undefined {
  if (stmt.kind !== "Assign" || stmt.value.kind !== "Prim" || stmt.value.op !== "alloc_tensor") return undefined;
  const { target } = stmt;
  const { type, offset } = stmt.value.attrs;
  if (type === undefined) return undefined;
  const start: Dim | undefined = DTYPES[type.dtype].bytes;
  const bytes = type.shape.reduce<Dim | undefined>((size, extent) => (size === undefined ? undefined : mulDims(size, extent)), start);
  return { buffer: target, type, bytes, kind: bytes === undefined ? "other" : isStatic(bytes) ? "static" : "affine", offset, span: target.meta.span ?? stmt.meta.span };
}

/** Places the buffers of one kind from `start` on; gives where the furthest ends, undefined where that is not known. */
function placeRoom(room: Room, kind: SizeKind, start: Dim | undefined, placement: Placement): Dim | undefined {
  let next = start;
  let end = start;
  for (const item of room) {
    if (isRoom(item)) end = furthest(end, placeRoom(item, kind, next, placement));
    else if (item.kind === kind) {
      if (next === undefined) placement.homeless.push(item.buffer);
      else placement.offsets.set(item.buffer, next);
      next = next === undefined || item.bytes === undefined ? undefined : addDims(next, alignedUp(item.bytes));
      end = furthest(end, next);
    }
  }
  return end;
}

const isRoom = (item: Allocation | Room): item is Room => Array.isArray(item);

const furthest = (a: Dim | undefined, b: Dim | undefined): Dim | undefined => (a === undefined || b === undefined ? undefined : maxDim(a, b));

const alignedUp = (bytes: Dim): Dim => scaleDim(floorDivDim(addDims(bytes, ALIGNMENT - 1), ALIGNMENT), ALIGNMENT);

// — refusals —

/** A caller makes the arena: it can know its size from the signature only. */
function knowsExtents(f: FunctionNode, { all }: Layout, reporter: Reporter): boolean {
  let known = true;
  for (const { buffer, type, span } of all) {
    for (const extent of type.shape) {
      if (isStatic(extent)) continue;
      dimVars(extent, (v) => {
        if (f.symbols.some((s) => s.var === v)) return;
        known = false;
        reporter.report("TF5122", span, { name: buffer.hint, extent: v.hint });
      });
    }
  }
  return known;
}

function refuse(f: FunctionNode, homeless: readonly Var[], reporter: Reporter): void {
  const names = homeless.map((v) => `\`${v.hint}\``).join(", ");
  reporter.report("TF5121", homeless[0]?.meta.span, { function: f.name, names });
}

// — the result —

/** The body with offsets, and buffers that say where they are. */
function withOffsets(body: Seq, offsets: ReadonlyMap<Var, Dim>): Seq {
  const inArena = new Map<VarLike, Var>();
  for (const buffer of offsets.keys()) {
    if (buffer.type.kind === "Tensor") inArena.set(buffer, variable(buffer.hint, arenaType(buffer.type), buffer.meta));
  }
  const placed = (stmt: Stmt): Stmt => {
    const offset = stmt.kind === "Assign" ? offsets.get(stmt.target) : undefined;
    if (stmt.kind !== "Assign" || stmt.value.kind !== "Prim" || offset === undefined) return mapBlocks(mapOperands(stmt, redirected), rebuild);
    return assign(inArena.get(stmt.target) ?? stmt.target, placedAlloc(stmt.value, offset), stmt.meta);
  };
  const replacing: Replacing = { values: inArena };
  const redirected = (operand: Expr): Expr => replaceExpr(operand, replacing);
  const rebuild = (block: Seq): Seq => mapStmts(block, placed);
  return rebuild(body);
}

/** In memory a tile is a tensor like any other. */
const arenaType = (type: TensorType): TensorType => tensorType(type.shape, type.dtype, "arena");

function placedAlloc(alloc: Prim, offset: Dim): Prim {
  const { type } = alloc.attrs;
  return prim("alloc_tensor", [], { ...alloc.attrs, ...(type === undefined ? {} : { type: arenaType(type) }), offset }, alloc.meta);
}
