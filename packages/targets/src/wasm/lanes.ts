// Moving between lanes: halves, single lanes, masks of either width, and applying a scalar sequence to each lane.

import { partsOf, reuse, type Emit, type Parts } from "./context.ts";
import { wide } from "./integers.ts";
import type { Opcode } from "./opcodes.ts";
import type { Lanes } from "./registers.ts";
import { isWide, SHAPES, type LaneShape } from "./shapes.ts";
import { i32, i64, laneConst, op, type Tree } from "./tree.ts";
import { operandAt } from "./uniform.ts";

/** Bytes of two vectors in a new order. */
const LOW_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const LOW_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
const HIGH_HALF = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];

/** Low halves of two vectors. */
export const joinLow = (a: Tree, b: Tree): Tree => op("i8x16.shuffle", [a, b], LOW_HALVES);

/** Every second 32-bit lane of two vectors: the low words of 64-bit lanes. */
export const joinWords = (a: Tree, b: Tree): Tree => op("i8x16.shuffle", [a, b], LOW_WORDS);

/** The high half, moved to the low one. */
export function highHalf(v: () => Tree): Tree {
  const first = v();
  return op("i8x16.shuffle", [first, v()], HIGH_HALF);
}

/** Each part as low half and high half (both to be read as low halves): twice as many trees; a lone half vector stays one. */
export function halves(parts: Parts, count: number, c: Emit): readonly Tree[] {
  if (count === 2) return parts;
  return parts.flatMap((part) => {
    const v = reuse(part, c);
    return [v(), highHalf(v)];
  });
}

/** Pairs of half vectors, joined; a lone one stays. */
export function paired(trees: readonly Tree[], join: (a: Tree, b: Tree) => Tree): Parts {
  if (trees.length === 1) return trees;
  return trees.flatMap((tree, i) => (i % 2 === 0 ? [join(tree, operandAt(trees, i + 1))] : []));
}

/** A mask in lanes as wide as those of `shape`, in the width that masks of `count` lanes have. */
export function toMask(parts: Parts, shape: LaneShape, count: number, c: Emit): Parts {
  const is64 = isWide(shape);
  if (is64 === (count === 2)) return parts;
  if (is64) return paired(parts, joinWords);
  return halves(parts, count, c).map((half) => op("i64x2.extend_low_i32x4_s", [half]));
}

/** A mask of `count` lanes in lanes as wide as those of `shape`. */
export function fromMask(parts: Parts, shape: LaneShape, count: number, c: Emit): Parts {
  const is64 = isWide(shape);
  if (is64 === (count === 2)) return parts;
  if (is64) return halves(parts, count, c).map((half) => op("i64x2.extend_low_i32x4_s", [half]));
  return parts.map((part) => {
    const v = reuse(part, c);
    const first = v();
    return joinWords(first, v());
  });
}

/** The value of one lane of `v`, which reads the part that holds it. */
export function laneOf(v: () => Tree, lanes: Lanes, lane: number): Tree {
  const value = op(SHAPES[lanes.shape].extract, [v()], [lane % lanes.perPart]);
  if (lanes.kind !== "bool") return value;
  // a mask lane is 0 or -1
  return lanes.shape === "i64x2" ? op("i64.ne", [value, i64(0n)]) : op("i32.and", [value, i32(1)]);
}

/** Reads of parts in order of their lanes. */
export function laneReader(parts: Parts, lanes: Lanes, c: Emit): (lane: number) => Tree {
  const readers = parts.map((part) => reuse(part, c));
  return (lane) => {
    const reader = readers[Math.floor(lane / lanes.perPart)];
    if (reader === undefined) throw new Error(`internal error of TileFoundry (please report it): no lane ${lane}`);
    return laneOf(reader, lanes, lane);
  };
}

/** Scalars as the lanes of a vector; `scalar` is asked in the order of lanes. */
export function fromLanes(to: Lanes, scalar: (lane: number) => Tree): Parts {
  const { splat, replace } = SHAPES[to.shape];
  return partsOf(to.parts, (part) => {
    const first = part * to.perPart;
    let vector = op(splat, [laneValue(to, scalar(first))]);
    for (let lane = 1; lane < Math.min(to.perPart, to.count); lane++) {
      vector = op(replace, [vector, laneValue(to, scalar(first + lane))], [lane]);
    }
    return vector;
  });
}

/** A scalar as it stands in a lane: a bool as 0 or -1, an index in 64 bits. */
function laneValue(to: Lanes, scalar: Tree): Tree {
  if (to.kind === "i64") return wide(scalar);
  if (to.kind !== "bool") return scalar;
  const mask = op("i32.sub", [i32(0), scalar]);
  return to.shape === "i64x2" ? wide(mask) : mask;
}

/** One scalar in all lanes; one that is just loaded is spread by the load. */
export function splatParts(scalar: Tree, to: Lanes, c: Emit): Parts {
  const loaded = scalar.kind === "op" && to.parts === 1 ? SPREADING_LOADS.get(scalar.op) : undefined;
  if (loaded !== undefined && scalar.kind === "op") return [op(loaded, scalar.operands, scalar.immediates)];
  const value = reuse(laneValue(to, scalar), c);
  return partsOf(to.parts, () => op(SHAPES[to.shape].splat, [value()]));
}

const SPREADING_LOADS: ReadonlyMap<Opcode, Opcode> = new Map<Opcode, Opcode>([
  ["f32.load", "v128.load32_splat"], ["i32.load", "v128.load32_splat"], ["f64.load", "v128.load64_splat"], ["i64.load", "v128.load64_splat"],
]);

/** A constant in all lanes. */
export function constantParts(value: number | bigint | boolean, to: Lanes): Parts {
  const lane = typeof value === "boolean" ? (value ? -1n : 0n) : to.kind === "u64" ? BigInt.asIntN(64, BigInt(value)) : value;
  return partsOf(to.parts, () => laneConst(to.shape, lane));
}

/** A scalar sequence applied to each lane of vectors of equally many lanes. */
export function lanewise(args: readonly Parts[], from: readonly Lanes[], to: Lanes, c: Emit, scalar: (operands: readonly Tree[]) => Tree): Parts {
  const readers = args.map((parts, i) => {
    const lanes = from[i];
    if (lanes === undefined) throw new Error("internal error of TileFoundry (please report it): an operand without lanes");
    return laneReader(parts, lanes, c);
  });
  return fromLanes(to, (lane) => scalar(readers.map((read) => read(lane))));
}
