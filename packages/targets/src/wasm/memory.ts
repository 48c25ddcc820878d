// Loads and stores. Unmasked accesses are in bounds, so an address computed modulo 2^32 is exact; masked ones touch nothing where
// the mask says no.

import { DTYPES, type Expr, type Prim, type TensorType } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { addressOf, type Address } from "./addresses.ts";
import { hold, partsOf, type Emit, type Held, type Parts } from "./context.ts";
import { wide } from "./integers.ts";
import { fromMask, laneOf } from "./lanes.ts";
import type { Opcode } from "./opcodes.ts";
import { isNarrow, NARROW, kindOf, lanesOf, type Kind, type Lanes } from "./registers.ts";
import { isWide, SHAPES } from "./shapes.ts";
import { choose, f32, f64, i32, i64, ifElse, laneConst, memory, op, sequence, type Tree } from "./tree.ts";
import { operandAt } from "./uniform.ts";

interface Access {
  readonly prim: Prim;
  readonly buffer: Expr;
  readonly type: TensorType;
  readonly kind: Kind;
  /** Bytes of an element. */
  readonly size: number;
  readonly mask: Expr | undefined;
}

function accessOf(prim: Prim, values: number): Access {
  const { args, attrs } = prim;
  const buffer = args[0];
  invariant(buffer?.type.kind === "Tensor", () => `${prim.op} of no buffer`);
  const { type } = buffer;
  invariant(args.length === 1 + type.shape.length + values + (attrs.masked ? 1 : 0), () => `${prim.op} with ${args.length} operands`);
  return { prim, buffer, type, kind: kindOf(type.dtype), size: DTYPES[type.dtype].bytes, mask: attrs.masked ? args[args.length - 1] : undefined };
}

const addressIn = ({ prim, buffer, type, size }: Access, c: Emit): Address => addressOf(buffer, type, prim.args, size, c);

/** The natural alignment of an element, as its logarithm. */
const alignment = (size: number): number => 31 - Math.clz32(size);

const further = ({ tree, offset }: Address, bytes: number): Address => ({ tree, offset: offset + bytes });

// — loads —

const LOADS = {
  f32: "f32.load", f64: "f64.load", i8: "i32.load8_s", i16: "i32.load16_s", i32: "i32.load", i64: "i64.load",
  u8: "i32.load8_u", u16: "i32.load16_u", u32: "i32.load", u64: "i64.load", bool: "i32.load8_u",
} as const satisfies Readonly<Record<Kind, Opcode>>;

const ZEROS = {
  f32: f32(0), f64: f64(0), i8: i32(0), i16: i32(0), i32: i32(0), i64: i64(0n), u8: i32(0), u16: i32(0), u32: i32(0), u64: i64(0n), bool: i32(0),
} as const satisfies Readonly<Record<Kind, Tree>>;

export function load(p: Prim, c: Emit): Parts {
  const access = accessOf(p, 0);
  const { kind, mask } = access;
  if (p.type.kind === "Vec") return loadVector(access, lanesOf(kind, p.type.lanes), c);
  if (mask === undefined) return [loadScalar(addressIn(access, c), access)];
  const wanted = c.scalar(mask);
  return [choose(wanted, loadScalar(addressIn(access, c), access), ZEROS[kind])];
}

function loadScalar({ tree, offset }: Address, { kind, size }: Access): Tree {
  const value = memory(LOADS[kind], [tree], alignment(size), offset);
  return kind === "bool" ? op("i32.ne", [value, i32(0)]) : value; // any stored byte but 0 is true
}

function loadVector(access: Access, lanes: Lanes, c: Emit): Parts {
  const { tree, offset } = addressIn(access, c);
  if (lanes.parts === 1 && access.mask === undefined) return [loadPart({ tree, offset }, 0, access, lanes)];
  const held = hold(tree, c);
  const at: Address = { tree: held.read, offset };
  const masks = access.mask === undefined ? [] : heldMasks(access.mask, lanes, c);
  return partsOf(lanes.parts, (part) => {
    const mask = masks[part]?.read;
    const loaded = mask === undefined ? loadPart(at, part, access, lanes) : loadMasked(at, part, mask, access, lanes);
    // the first part computes what all read
    return part === 0 ? sequence([...held.before, ...allBefore(masks)], loaded) : loaded;
  });
}

/** The parts of a mask in lanes as wide as the values'. */
const heldMasks = (mask: Expr, lanes: Lanes, c: Emit): readonly Held[] => fromMask(c.value(mask), lanes.shape, lanes.count, c).map((part) => hold(part, c));

const allBefore = (held: readonly Held[]): readonly Tree[] => held.flatMap((h) => h.before);

const lanesInPart = (lanes: Lanes): number => Math.min(lanes.perPart, lanes.count);

const allTrue = (mask: Tree, { shape }: Lanes): Tree => op(SHAPES[shape].allTrue, [mask]);

function maskBit(mask: Tree, { shape }: Lanes, i: number): Tree {
  if (!isWide(shape)) return op("i32x4.extract_lane", [mask], [i]);
  return op("i64.ne", [op("i64x2.extract_lane", [mask], [i]), i64(0n)]);
}

/** As many elements as a part holds, next to each other in memory. */
function loadPart({ tree, offset }: Address, part: number, { kind, size }: Access, lanes: Lanes): Tree {
  const count = lanesInPart(lanes);
  const from = (name: Opcode): Tree => memory(name, [tree], alignment(size), offset + part * count * size);
  if (size > 2) return from(count * size === 16 ? "v128.load" : "v128.load64_zero");
  const sign = isNarrow(kind) ? NARROW[kind].sign : "u";
  if (size === 2) return op(`i32x4.extend_low_i16x8_${sign}`, [from(count === 4 ? "v128.load64_zero" : "v128.load32_zero")]);
  const packed = count === 4 ? from("v128.load32_zero") : op("i32x4.splat", [from("i32.load16_u")]);
  const words = op(`i32x4.extend_low_i16x8_${sign}`, [op(`i16x8.extend_low_i8x16_${sign}`, [packed])]);
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
    const place = further(at, (part * lanesInPart(lanes) + i) * access.size);
    const value = choose(maskBit(mask, lanes, i), loadLane(place, access, lanes), laneZero(access.kind, lanes));
    vector = op(SHAPES[lanes.shape].replace, [vector, value], [i]);
  }
  return choose(allTrue(mask, lanes), loadPart(at, part, access, lanes), vector);
}

/** An element as it stands in a lane. */
function loadLane(at: Address, access: Access, lanes: Lanes): Tree {
  const value = loadScalar(at, access);
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
  f32: "f32.store", f64: "f64.store", i8: "i32.store8", i16: "i32.store16", i32: "i32.store", i64: "i64.store",
  u8: "i32.store8", u16: "i32.store16", u32: "i32.store", u64: "i64.store", bool: "i32.store8",
} as const satisfies Readonly<Record<Kind, Opcode>>;

/** The statements of a store. */
export function store(p: Prim, c: Emit): Parts {
  const access = accessOf(p, 1);
  const { kind, mask } = access;
  const value = p.args[p.args.length - (mask === undefined ? 1 : 2)];
  invariant(value !== undefined, () => "a store without a value");
  if (value.type.kind === "Vec") return storeVector(access, value, lanesOf(kind, value.type.lanes), c);
  const at = addressIn(access, c);
  const scalar = c.scalar(value);
  const stored = storeScalar(at, kind === "i64" ? wide(scalar) : scalar, access);
  return [mask === undefined ? stored : ifElse(c.scalar(mask), [stored])];
}

const storeScalar = ({ tree, offset }: Address, value: Tree, { kind, size }: Access): Tree => memory(STORES[kind], [tree, value], alignment(size), offset);

function storeVector(access: Access, value: Expr, lanes: Lanes, c: Emit): Parts {
  const { tree, offset } = addressIn(access, c);
  const parts = c.value(value);
  if (lanes.parts === 1 && access.mask === undefined) return [storePart({ tree, offset }, 0, operandAt(parts, 0), access, lanes)];
  const held = hold(tree, c);
  const at: Address = { tree: held.read, offset };
  // all parts are computed before one is stored: they may be read from where it goes
  const values = parts.map((part) => hold(part, c));
  if (access.mask === undefined) {
    return [...held.before, ...allBefore(values), ...values.map(({ read }, part) => storePart(at, part, read, access, lanes))];
  }
  const masks = heldMasks(access.mask, lanes, c);
  const bits = masks.map((mask) => mask.read);
  const stores = values.map(({ read }, part) => storeMasked(at, part, read, operandAt(bits, part), access, lanes));
  return [...held.before, ...allBefore(values), ...allBefore(masks), ...stores];
}

function storePart({ tree, offset }: Address, part: number, value: Tree, { kind, size }: Access, lanes: Lanes): Tree {
  const count = lanesInPart(lanes);
  const skip = offset + part * count * size;
  const align = alignment(size);
  if (size === 2) {
    const halfWords = op("i8x16.shuffle", [value, laneConst("i32x4", 0)], LOW_HALF_WORDS);
    return memory(count === 4 ? "v128.store64_lane" : "v128.store32_lane", [tree, halfWords], align, skip, 0);
  }
  if (size > 1) {
    return count * size === 16 ? memory("v128.store", [tree, value], align, skip) : memory("v128.store64_lane", [tree, value], align, skip, 0);
  }
  return memory(count === 4 ? "v128.store32_lane" : "v128.store16_lane", [tree, packedBytes(value, kind, lanes)], align, skip, 0);
}

/** Where the low halves of 32-bit lanes stand. */
const LOW_HALF_WORDS = [0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13];

/** Where the low bytes of lanes of 4 and of 8 bytes stand; what lies beyond is not stored. */
const LOW_BYTES = {
  2: [0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8],
  4: [0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12],
} as const;

/** The low byte of each lane, side by side; a mask as 0 and 1. */
function packedBytes(value: Tree, kind: Kind, { shape }: Lanes): Tree {
  const bytes = kind === "bool" ? op("v128.and", [value, laneConst("i32x4", 0x01010101)]) : value;
  return op("i8x16.shuffle", [bytes, laneConst("i32x4", 0)], LOW_BYTES[SHAPES[shape].lanes]);
}

/** At once if all lanes are wanted; else lane by lane. */
function storeMasked(at: Address, part: number, value: Tree, mask: Tree, access: Access, lanes: Lanes): Tree {
  const single = partsOf(lanesInPart(lanes), (i) => {
    const place = further(at, (part * lanesInPart(lanes) + i) * access.size);
    return ifElse(maskBit(mask, lanes, i), [storeScalar(place, laneOf(() => value, lanes, i), access)]);
  });
  return ifElse(allTrue(mask, lanes), [storePart(at, part, value, access, lanes)], single);
}
