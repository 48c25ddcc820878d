// Loads and stores. Unmasked accesses are in bounds, so an address computed modulo 2^32 is exact; masked ones touch nothing where
// the mask says no.

import { DTYPES, type Expr, type Prim } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { addressOf, type Address } from "./addresses.ts";
import { hold, type Emit, type Parts } from "./context.ts";
import { wide } from "./integers.ts";
import { byShape, fromMask, laneOf } from "./lanes.ts";
import type { Opcode } from "./opcodes.ts";
import { kindOf, lanesOf, type Kind, type Lanes } from "./registers.ts";
import { choose, f32, f64, i32, i64, ifElse, laneConst, memory, op, sequence, type Tree } from "./tree.ts";
import { operandAt } from "./uniform.ts";

interface Access {
  readonly kind: Kind;
  readonly size: number;
  readonly address: () => Address;
  readonly mask: Expr | undefined;
}

function accessOf(p: Prim, values: number, c: Emit): Access {
  const [buffer] = p.args;
  invariant(buffer?.type.kind === "Tensor", () => `${p.op} of no buffer`);
  const { type } = buffer;
  const size = DTYPES[type.dtype].bytes;
  const indices = p.args.slice(1, 1 + type.shape.length);
  invariant(p.args.length === 1 + indices.length + values + (p.attrs.masked ? 1 : 0), () => `${p.op} with ${p.args.length} operands`);
  return { kind: kindOf(type.dtype), size, address: () => addressOf(buffer, type, indices, size, c), mask: p.attrs.masked ? p.args.at(-1) : undefined };
}

// — loads —

const LOADS = {
  f32: "f32.load", f64: "f64.load", i32: "i32.load", u32: "i32.load", i64: "i64.load", u8: "i32.load8_u", bool: "i32.load8_u",
} as const satisfies Readonly<Record<Kind, Opcode>>;

const ZEROS = { f32: f32(0), f64: f64(0), i32: i32(0), u32: i32(0), i64: i64(0n), u8: i32(0), bool: i32(0) } as const satisfies Readonly<Record<Kind, Tree>>;

export function load(p: Prim, c: Emit): Parts {
  const access = accessOf(p, 0, c);
  if (p.type.kind === "Vec") return loadVector(access, lanesOf(access.kind, p.type.lanes), c);
  if (access.mask === undefined) return [loadScalar(access)];
  return [choose(c.scalar(access.mask), loadScalar(access), ZEROS[access.kind])];
}

function loadScalar({ kind, size, address }: Access): Tree {
  const { tree, offset } = address();
  const value = memory(LOADS[kind], [tree], Math.log2(size), offset);
  return kind === "bool" ? op("i32.ne", [value, i32(0)]) : value; // any stored byte but 0 is true
}

function loadVector(access: Access, lanes: Lanes, c: Emit): Parts {
  const { tree, offset } = access.address();
  if (lanes.parts === 1 && access.mask === undefined) return [loadPart({ tree, offset }, 0, access, lanes)];
  const held = hold(tree, c);
  const at: Address = { tree: held.read, offset };
  const masks = access.mask === undefined ? undefined : heldMasks(access.mask, lanes, c);
  return Array.from({ length: lanes.parts }, (_, part) => {
    const mask = masks?.reads[part];
    const loaded = mask === undefined ? loadPart(at, part, access, lanes) : loadMasked(at, part, mask, access, lanes);
    // the first part computes what all read
    return part === 0 ? sequence([...held.before, ...(masks?.before ?? [])], loaded) : loaded;
  });
}

/** The parts of a mask in lanes as wide as the values'. */
function heldMasks(mask: Expr, lanes: Lanes, c: Emit): { readonly before: readonly Tree[]; readonly reads: readonly Tree[] } {
  const held = fromMask(c.value(mask), lanes.shape, lanes.count, c).map((part) => hold(part, c));
  return { before: held.flatMap((h) => h.before), reads: held.map((h) => h.read) };
}

const lanesInPart = (lanes: Lanes): number => Math.min(lanes.perPart, lanes.count);

const allTrue = (mask: Tree, { shape }: Lanes): Tree => op(byShape(shape, "i32x4.all_true", "i64x2.all_true"), [mask]);

function maskBit(mask: Tree, { shape }: Lanes, i: number): Tree {
  if (!shape.endsWith("x2")) return op("i32x4.extract_lane", [mask], [i]);
  return op("i64.ne", [op("i64x2.extract_lane", [mask], [i]), i64(0n)]);
}

/** As many elements as a part holds, next to each other in memory. */
function loadPart({ tree, offset }: Address, part: number, { kind, size }: Access, lanes: Lanes): Tree {
  const count = lanesInPart(lanes);
  const from = (name: Opcode): Tree => memory(name, [tree], Math.log2(size), offset + part * count * size);
  if (size > 1) return from(count * size === 16 ? "v128.load" : "v128.load64_zero");
  const packed = count === 4 ? from("v128.load32_zero") : op("i32x4.splat", [from("i32.load16_u")]);
  const words = op("i32x4.extend_low_i16x8_u", [op("i16x8.extend_low_i8x16_u", [packed])]);
  return kind === "bool" ? storedMask(words, lanes) : words;
}

/** Bytes in 32-bit lanes as a mask. */
function storedMask(words: Tree, lanes: Lanes): Tree {
  const mask = op("i32x4.ne", [words, laneConst("i32x4", 0)]);
  return lanes.shape === "i64x2" ? op("i64x2.extend_low_i32x4_s", [mask]) : mask;
}

/** At once if all lanes are wanted; else lane by lane, and a lane that is masked off is not read. */
function loadMasked(at: Address, part: number, mask: Tree, access: Access, lanes: Lanes): Tree {
  let vector: Tree = laneConst(lanes.shape, 0);
  for (let i = 0; i < lanesInPart(lanes); i++) {
    const skip = (part * lanesInPart(lanes) + i) * access.size;
    const value = choose(maskBit(mask, lanes, i), loadLane(access, at, skip, lanes), laneZero(access.kind, lanes));
    vector = op(`${lanes.shape}.replace_lane`, [vector, value], [i]);
  }
  return choose(allTrue(mask, lanes), loadPart(at, part, access, lanes), vector);
}

/** An element as it stands in a lane. */
function loadLane(access: Access, at: Address, skip: number, lanes: Lanes): Tree {
  const value = loadScalar({ ...access, address: () => ({ tree: at.tree, offset: at.offset + skip }) });
  return access.kind === "bool" ? boolLane(value, lanes) : value;
}

const laneZero = (kind: Kind, lanes: Lanes): Tree => (kind === "bool" && lanes.shape === "i64x2" ? i64(0n) : ZEROS[kind]);

/** 0 or -1, as wide as the lanes of the mask. */
function boolLane(value: Tree, lanes: Lanes): Tree {
  const mask = op("i32.sub", [i32(0), value]);
  return lanes.shape === "i64x2" ? wide(mask) : mask;
}

// — stores —

const STORES = {
  f32: "f32.store", f64: "f64.store", i32: "i32.store", u32: "i32.store", i64: "i64.store", u8: "i32.store8", bool: "i32.store8",
} as const satisfies Readonly<Record<Kind, Opcode>>;

/** The statements of a store. */
export function store(p: Prim, c: Emit): Parts {
  const access = accessOf(p, 1, c);
  const value = p.args[p.args.length - (access.mask === undefined ? 1 : 2)];
  invariant(value !== undefined, () => "a store without a value");
  if (value.type.kind === "Vec") return storeVector(access, value, lanesOf(access.kind, value.type.lanes), c);
  const { tree, offset } = access.address();
  const scalar = access.kind === "i64" ? wide(c.scalar(value)) : c.scalar(value);
  const stored = memory(STORES[access.kind], [tree, scalar], Math.log2(access.size), offset);
  return [access.mask === undefined ? stored : ifElse(c.scalar(access.mask), [stored])];
}

function storeVector(access: Access, value: Expr, lanes: Lanes, c: Emit): Parts {
  const { tree, offset } = access.address();
  const parts = c.value(value);
  if (lanes.parts === 1 && access.mask === undefined) return [storePart({ tree, offset }, 0, operandAt(parts, 0), access, lanes)];
  const held = hold(tree, c);
  const at: Address = { tree: held.read, offset };
  // all parts are computed before one is stored: they may be read from where it goes
  const values = parts.map((part) => hold(part, c));
  if (access.mask === undefined) {
    return [...held.before, ...values.flatMap((v) => v.before), ...values.map(({ read }, i) => storePart(at, i, read, access, lanes))];
  }
  const masks = heldMasks(access.mask, lanes, c);
  const stores = values.map(({ read }, i) => storeMasked(at, i, read, operandAt(masks.reads, i), access, lanes));
  return [...held.before, ...values.flatMap((v) => v.before), ...masks.before, ...stores];
}

function storePart({ tree, offset }: Address, part: number, value: Tree, { kind, size }: Access, lanes: Lanes): Tree {
  const count = lanesInPart(lanes);
  const skip = offset + part * count * size;
  const align = Math.log2(size);
  if (size > 1) {
    return count * size === 16 ? memory("v128.store", [tree, value], align, skip) : memory("v128.store64_lane", [tree, value], align, skip, 0);
  }
  return memory(count === 4 ? "v128.store32_lane" : "v128.store16_lane", [tree, packedBytes(value, kind, lanes)], align, skip, 0);
}

/** The low byte of each lane, side by side; a mask as 0 and 1. */
function packedBytes(value: Tree, kind: Kind, { shape }: Lanes): Tree {
  const bytes = kind === "bool" ? op("v128.and", [value, laneConst("i32x4", 0x01010101)]) : value;
  const step = shape.endsWith("x2") ? 8 : 4;
  const order = Array.from({ length: 16 }, (_, i) => (i * step) % 16);
  return op("i8x16.shuffle", [bytes, laneConst("i32x4", 0)], order);
}

/** At once if all lanes are wanted; else lane by lane. */
function storeMasked(at: Address, part: number, value: Tree, mask: Tree, access: Access, lanes: Lanes): Tree {
  const single = Array.from({ length: lanesInPart(lanes) }, (_, i) => {
    const skip = at.offset + (part * lanesInPart(lanes) + i) * access.size;
    const lane = laneOf(() => value, lanes, i);
    return ifElse(maskBit(mask, lanes, i), [memory(STORES[access.kind], [at.tree, lane], Math.log2(access.size), skip)]);
  });
  return ifElse(allTrue(mask, lanes), [storePart(at, part, value, access, lanes)], single);
}
