// Casts and bitcasts. Float to integer rounds by its mode, then clamps, NaN giving 0; integer to integer keeps the low bits; to bool
// asks for not 0; every conversion to a float rounds once.

import { invariant } from "@tilefoundry/text";
import type { CastMode } from "@tilefoundry/ir";
import { reuse, type Emit, type Parts } from "./context.ts";
import { low, wide } from "./integers.ts";
import { constantParts, fromMask, halves, joinLow, joinWords, lanewise, paired, toMask } from "./lanes.ts";
import { isLong, isNarrow, lanesOf, NARROW, type Kind, type Lanes, type NarrowKind } from "./registers.ts";
import { narrowed } from "./scalars.ts";
import { f32, f64, i32, i64, laneConst, op, select, type Tree } from "./tree.ts";
import { narrowedLanes } from "./vectors.ts";
import type { Opcode } from "./opcodes.ts";

type Float = "f32" | "f64";
const isFloat = (k: Kind): k is Float => k === "f32" || k === "f64";

// — scalars —

export function castScalar(x: Tree, from: Kind, to: Kind, mode: CastMode, c: Emit): Tree {
  if (from === to) return x;
  if (to === "bool") return isNotZero(x);
  if (isFloat(from)) return isFloat(to) ? op(to === "f64" ? "f64.promote_f32" : "f32.demote_f64", [x]) : fromFloat(x, from, to, mode, c);
  if (isFloat(to)) return toFloat(x, from, to);
  return betweenIntegers(x, from, to);
}

function isNotZero(x: Tree): Tree {
  switch (x.type) {
    case "f32": return op("f32.ne", [x, f32(0)]);
    case "f64": return op("f64.ne", [x, f64(0)]);
    case "i64": return op("i64.ne", [x, i64(0n)]);
    default: return op("i32.ne", [x, i32(0)]);
  }
}

/** An `i64` that comes as an i32 converts from there: the value is the same. */
function toFloat(x: Tree, from: Kind, to: Float): Tree {
  if (x.type === "i64") return op(`${to}.convert_i64_${from === "u64" ? "u" : "s"}`, [x]);
  return op(from === "u32" ? `${to}.convert_i32_u` : `${to}.convert_i32_s`, [x]);
}

function betweenIntegers(x: Tree, from: Kind, to: Kind): Tree {
  if (isLong(to)) {
    if (from === "u32") return op("i64.extend_i32_u", [x]);
    return to === "i64" ? x : wide(x); // the others fit an i32, as which an `index` may come, but no u64
  }
  return isNarrow(to) && from !== "bool" ? narrowed(to, low(x)) : low(x);
}

function fromFloat(x: Tree, from: Float, to: Kind, mode: CastMode, c: Emit): Tree {
  const rounded = roundScalar(x, from, mode, c);
  if (isNarrow(to)) return clamped(to, op(`i32.trunc_sat_${from}_${NARROW[to].sign}`, [rounded]), c);
  switch (to) {
    case "i64": return op(`i64.trunc_sat_${from}_s`, [rounded]);
    case "u64": return op(`i64.trunc_sat_${from}_u`, [rounded]);
    case "i32": return op(`i32.trunc_sat_${from}_s`, [rounded]);
    default: return op(`i32.trunc_sat_${from}_u`, [rounded]);
  }
}

/** The nearest value of a narrow integer. */
function clamped(kind: NarrowKind, x: Tree, c: Emit): Tree {
  const { bits, sign } = NARROW[kind];
  const at = (limit: number, compare: "i32.lt_u" | "i32.lt_s" | "i32.gt_s", value: Tree): Tree => {
    const held = reuse(value, c);
    const first = held();
    return select(first, i32(limit), op(compare, [held(), i32(limit)]));
  };
  return sign === "u" ? at(2 ** bits - 1, "i32.lt_u", x) : at(-(2 ** (bits - 1)), "i32.gt_s", at(2 ** (bits - 1) - 1, "i32.lt_s", x));
}

/** Adding the largest number below a half, with the sign of x, and truncating rounds halves away from zero. */
const BELOW_HALF = { f32: Math.fround(0.5 - 2 ** -25), f64: 0.5 - 2 ** -54 } as const;

function roundScalar(x: Tree, t: Float, mode: CastMode, c: Emit): Tree {
  switch (mode) {
    case "trunc": return x;
    case "floor":
    case "ceil": return op(`${t}.${mode}`, [x]);
    case "rint": return op(`${t}.nearest`, [x]);
    case "round": {
      const value = reuse(x, c);
      const first = value();
      return op(`${t}.add`, [first, op(`${t}.copysign`, [t === "f32" ? f32(BELOW_HALF.f32) : f64(BELOW_HALF.f64), value()])]);
    }
  }
}

const BITCASTS: Readonly<Record<string, Opcode>> = {
  "f32 i32": "i32.reinterpret_f32", "f32 u32": "i32.reinterpret_f32", "i32 f32": "f32.reinterpret_i32", "u32 f32": "f32.reinterpret_i32",
  "f64 i64": "i64.reinterpret_f64", "i64 f64": "f64.reinterpret_i64", "f64 u64": "i64.reinterpret_f64", "u64 f64": "f64.reinterpret_i64",
};

export function bitcastScalar(x: Tree, from: Kind, to: Kind): Tree {
  const code = BITCASTS[`${from} ${to}`];
  if (code !== undefined) return op(code, [isLong(from) ? wide(x) : x]);
  if (isNarrow(to) && from !== to) return narrowed(to, x);
  return to === "u64" ? wide(x) : x;
}

// — vectors —

/** Only the names of the lanes change, but where they hold narrower integers. */
export const bitcastVector = (x: Parts, from: Kind, to: Kind): Parts => (isNarrow(to) && from !== to ? x.map((part) => narrowedLanes(to, part)) : x);

export function castVector(x: Parts, from: Lanes, kind: Kind, mode: CastMode, c: Emit): Parts {
  const to = lanesOf(kind, from.count);
  if (from.kind === kind) return x;
  if (kind === "bool") return toMask(x.map((part) => op(`${from.shape}.ne`, [part, laneConst(from.shape, 0)])), from.shape, from.count, c);
  if (from.kind === "bool") return fromBool(x, to, c);
  if (isFloat(from.kind) && isFloat(kind)) return betweenFloats(x, from, kind, c);
  if (isLong(from.kind) ? isFloat(kind) : isLong(kind) && isFloat(from.kind)) {
    return lanewise([x], [from], to, c, ([lane]) => castScalar(given(lane), from.kind, kind, mode, c));
  }
  if (isFloat(from.kind)) return vectorFromFloat(roundVector(x, from, mode, c), from.kind, kind);
  if (isFloat(kind)) return vectorToFloat(x, from, kind, c);
  return betweenIntegerLanes(x, from, kind, c);
}

/** 1 where the mask is set. */
function fromBool(x: Parts, to: Lanes, c: Emit): Parts {
  const ones = constantParts(isLong(to.kind) ? 1n : 1, to);
  return fromMask(x, to.shape, to.count, c).map((part, i) => op("v128.and", [part, given(ones[i])]));
}

function betweenFloats(x: Parts, from: Lanes, to: Float, c: Emit): Parts {
  if (to === "f64") return halves(x, from.count, c).map((half) => op("f64x2.promote_low_f32x4", [half]));
  return paired(x.map((part) => op("f32x4.demote_f64x2_zero", [part])), joinLow);
}

function roundVector(x: Parts, from: Lanes, mode: CastMode, c: Emit): Parts {
  const shape = from.kind === "f32" ? "f32x4" : "f64x2";
  switch (mode) {
    case "trunc": return x;
    case "floor":
    case "ceil": return x.map((part) => op(`${shape}.${mode}`, [part]));
    case "rint": return x.map((part) => op(`${shape}.nearest`, [part]));
    case "round": return x.map((part) => {
      const value = reuse(part, c);
      const first = value();
      const sign = op("v128.and", [value(), laneConst(shape, -0)]);
      return op(`${shape}.add`, [first, op("v128.or", [sign, laneConst(shape, from.kind === "f32" ? BELOW_HALF.f32 : BELOW_HALF.f64)])]);
    });
  }
}

const signOf = (kind: Kind): "s" | "u" => (isNarrow(kind) ? NARROW[kind].sign : kind === "i32" ? "s" : "u");

/** Rounded f32 or f64 lanes to integers in 32-bit lanes. */
function vectorFromFloat(x: Parts, from: Float, to: Kind): Parts {
  const s = signOf(to);
  const whole = from === "f32"
    ? x.map((part) => op(`i32x4.trunc_sat_f32x4_${s}`, [part]))
    : paired(x.map((part) => op(`i32x4.trunc_sat_f64x2_${s}_zero`, [part])), joinLow);
  return isNarrow(to) ? whole.map((part) => clampedLanes(to, part)) : whole;
}

function clampedLanes(kind: NarrowKind, x: Tree): Tree {
  const { bits, sign } = NARROW[kind];
  if (sign === "u") return op("i32x4.min_u", [x, laneConst("i32x4", 2 ** bits - 1)]);
  return op("i32x4.max_s", [op("i32x4.min_s", [x, laneConst("i32x4", 2 ** (bits - 1) - 1)]), laneConst("i32x4", -(2 ** (bits - 1)))]);
}

/** 32-bit integer lanes to floats. */
function vectorToFloat(x: Parts, from: Lanes, to: Float, c: Emit): Parts {
  const s = signOf(from.kind);
  if (to === "f32") return x.map((part) => op(`f32x4.convert_i32x4_${s}`, [part]));
  return halves(x, from.count, c).map((half) => op(`f64x2.convert_low_i32x4_${s}`, [half]));
}

function betweenIntegerLanes(x: Parts, from: Lanes, to: Kind, c: Emit): Parts {
  if (isLong(to)) return isLong(from.kind) ? x : halves(x, from.count, c).map((half) => op(`i64x2.extend_low_i32x4_${signOf(from.kind)}`, [half]));
  const words = isLong(from.kind) ? lowWords(x, from, c) : x;
  return isNarrow(to) ? words.map((part) => narrowedLanes(to, part)) : words;
}

/** The low words of 64-bit lanes; of two lanes alone, as a half vector. */
function lowWords(x: Parts, from: Lanes, c: Emit): Parts {
  if (from.count > 2) return paired(x, joinWords);
  return x.map((part) => {
    const v = reuse(part, c);
    const first = v();
    return joinWords(first, v());
  });
}

function given(tree: Tree | undefined): Tree {
  invariant(tree !== undefined, () => "a part is missing");
  return tree;
}
