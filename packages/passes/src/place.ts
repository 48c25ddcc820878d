// Gives every buffer its place in the arena, at a multiple of a cache line. A buffer lives in its block: what stands in blocks side by
// side shares space. Buffers of static size come first, so that their offsets are literals; then those whose size is affine in the
// extents; one of any other size may stand at the end of each way through the blocks.

import {
  addDims, blocksOf, dimVars, DTYPES, eachStmt, floorDivDim, isStatic, mapBlocks, maxDim, mulDims, prim, scaleDim, substitute, tensorType, variable,
  type Dim, type FunctionNode, type Prim, type Seq, type Stmt, type TensorType, type Var, type VarLike,
} from "@tilefoundry/ir";
import { Reporter } from "@tilefoundry/text";
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
}

interface Placement {
  readonly offsets: Map<Var, Dim>;
  /** Buffers behind one of unknown end. */
  readonly homeless: Var[];
}

function placeFunction(f: FunctionNode, context: PassContext, reporter: Reporter): FunctionNode {
  if (f.body.kind !== "Seq" || !survey(f.body).open) return f;
  const offsets = offsetsOf(f, f.body, context, reporter);
  return offsets === undefined ? f : { ...f, body: withOffsets(f.body, offsets) };
}

/** Whether every buffer of the function finds its place. */
export const allFindPlace = (f: FunctionNode, context: PassContext): boolean =>
  f.body.kind !== "Seq" || offsetsOf(f, f.body, context, new Reporter()) !== undefined;

/** Where the buffers go that have no place yet; undefined after a complaint. */
function offsetsOf(f: FunctionNode, body: Seq, context: PassContext, reporter: Reporter): ReadonlyMap<Var, Dim> | undefined {
  const { end } = survey(body);
  if (!knowsExtents(f, body, reporter)) return undefined;
  const placement: Placement = { offsets: new Map(), homeless: [] };
  const statics = placeBlock(body, "static", end, placement);
  const affine = placeBlock(body, "affine", statics ?? end, placement);
  placeBlock(body, "other", affine ?? end, placement);
  if (isStatic(statics ?? 0) && Number(statics) > context.device.arenaBytes) {
    const { arenaBytes: limit, name: device } = context.device;
    reporter.report("TF5120", firstOf(placement.offsets)?.meta.span ?? f.meta.span, { function: f.name, size: Number(statics), limit, device });
    return undefined;
  }
  if (placement.homeless.length === 0) return placement.offsets;
  refuse(f, placement.homeless, reporter);
  return undefined;
}

const firstOf = (offsets: ReadonlyMap<Var, Dim>): Var | undefined => [...offsets.keys()][0];

/** Whether a buffer has no place yet, and where those end that have one. */
function survey(body: Seq): { readonly open: boolean; readonly end: Dim } {
  let open = false;
  let end = 0;
  eachStmt(body, (stmt) => {
    const allocation = allocationOf(stmt);
    if (allocation === undefined) return;
    const offset = offsetOf(stmt);
    if (offset === undefined) open = true;
    else if (isStatic(offset) && allocation.bytes !== undefined && isStatic(allocation.bytes)) end = Math.max(end, offset + allocation.bytes);
  });
  return { open, end: alignedUp(end) };
}

function allocationOf(stmt: Stmt): Allocation | undefined {
  if (stmt.kind !== "Assign" || stmt.value.kind !== "Prim" || stmt.value.op !== "alloc_tensor") return undefined;
  const { type } = stmt.value.attrs;
  if (type === undefined) return undefined;
  const start: Dim | undefined = DTYPES[type.dtype].bytes;
  const bytes = type.shape.reduce<Dim | undefined>((size, extent) => (size === undefined ? undefined : mulDims(size, extent)), start);
  return { buffer: stmt.target, type, bytes, kind: bytes === undefined ? "other" : isStatic(bytes) ? "static" : "affine" };
}

const offsetOf = (stmt: Stmt): Dim | undefined => (stmt.kind === "Assign" && stmt.value.kind === "Prim" ? stmt.value.attrs.offset : undefined);

/** Places the buffers of one kind from `start` on; gives where the furthest ends, undefined where that is not known. */
function placeBlock(block: Seq, kind: SizeKind, start: Dim | undefined, placement: Placement): Dim | undefined {
  let next = start;
  let end = start;
  for (const stmt of block.stmts) {
    const allocation = allocationOf(stmt);
    if (allocation?.kind === kind && offsetOf(stmt) === undefined) {
      if (next === undefined) placement.homeless.push(allocation.buffer);
      else placement.offsets.set(allocation.buffer, next);
      next = next === undefined || allocation.bytes === undefined ? undefined : addDims(next, alignedUp(allocation.bytes));
      end = furthest(end, next);
    }
    for (const inner of blocksOf(stmt)) end = furthest(end, placeBlock(inner, kind, next, placement));
  }
  return end;
}

const furthest = (a: Dim | undefined, b: Dim | undefined): Dim | undefined => (a === undefined || b === undefined ? undefined : maxDim(a, b));

const alignedUp = (bytes: Dim): Dim => scaleDim(floorDivDim(addDims(bytes, ALIGNMENT - 1), ALIGNMENT), ALIGNMENT);

// — refusals —

/** A caller makes the arena: it can know its size from the signature only. */
function knowsExtents(f: FunctionNode, body: Seq, reporter: Reporter): boolean {
  const symbols = new Set<VarLike>(f.symbols.map((s) => s.var));
  let known = true;
  eachStmt(body, (stmt) => {
    const allocation = allocationOf(stmt);
    for (const extent of allocation?.type.shape ?? []) {
      dimVars(extent, (v) => {
        if (symbols.has(v)) return;
        known = false;
        reporter.report("TF5122", allocation?.buffer.meta.span ?? stmt.meta.span, { name: allocation?.buffer.hint ?? "", extent: v.hint });
      });
    }
  });
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
  const rebuild = (block: Seq): Seq => ({ ...block, stmts: block.stmts.map((stmt) => placed(stmt)) });
  const placed = (stmt: Stmt): Stmt => {
    const offset = stmt.kind === "Assign" ? offsets.get(stmt.target) : undefined;
    if (stmt.kind === "Assign" && stmt.value.kind === "Prim" && offset !== undefined) return { ...stmt, value: placedAlloc(stmt.value, offset) };
    return blocksOf(stmt).length === 0 ? stmt : mapBlocks(stmt, rebuild);
  };
  return substitute(rebuild(body), inArena);
}

/** In memory a tile is a tensor like any other. */
const arenaType = (type: TensorType): TensorType => tensorType(type.shape, type.dtype, "arena");

function placedAlloc(alloc: Prim, offset: Dim): Prim {
  const { type } = alloc.attrs;
  return prim("alloc_tensor", [], { ...alloc.attrs, ...(type === undefined ? {} : { type: arenaType(type) }), offset }, alloc.meta);
}
