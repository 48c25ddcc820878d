// `T.name(…)`: the primitives by name, with their attributes by position or keyword, and the literals `T.const(…)`.

import {
  CAST_MODES, constant, LEVELS, prim, PRIMS, REDUCE_KINDS, tensorType, tileType, vecType,
  type CastMode, type Expr, type Level, type PrimAttrs, type PrimOp, type ReduceKind,
} from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";
import { bindArguments, type Params, type PassedArguments } from "./arguments.ts";
import { misfit } from "./complaints.ts";
import type { ExprContext } from "./context.ts";
import { toIndex } from "./index-value.ts";
import { toExpr, typedLiteral } from "./literal.ts";
import { primExpr, scalarPrim } from "./scalars.ts";
import { isTileSpace } from "./tile-spaces.ts";
import { dimOf, dimsOf, dtypeOf, storageOf } from "./type-parts.ts";
import { exprValue, itemsOf, knownOf, poison, type Value } from "./value.ts";

/** Names after `T.` of the primitives: those that are keywords of Python end in `_`. */
const BY_NAME: ReadonlyMap<string, PrimOp> = new Map(
  (Object.keys(PRIMS) as PrimOp[]).map((op) => [op === "and" || op === "or" || op === "not" ? `${op}_` : op, op]), // Object.keys forgets the key type
);

export const primCalled = (name: string): PrimOp | undefined => BY_NAME.get(name);
export const PRIM_NAMES: readonly string[] = [...BY_NAME.keys()];

export interface PrimCall {
  /** As written: `T.load`. */
  readonly spelled: string;
  readonly span: Span;
  readonly passed: PassedArguments;
}

/** The operands of each primitive as parameters. */
const OPERANDS = Object.fromEntries(
  Object.entries(PRIMS).map(([op, { operands }]) => [op, Object.fromEntries(operands.map((name) => [name, "required"]))]),
) as Readonly<Record<PrimOp, Params>>; // Object.fromEntries forgets the key type

type Bound = ReadonlyMap<string, Value>;
type Build = (bound: Bound, call: PrimCall, c: ExprContext) => Value;

interface Special {
  readonly params: Params;
  readonly build: Build;
}

export function primCall(op: PrimOp, call: PrimCall, c: ExprContext): Value {
  const special = SPECIAL[op];
  if (c.isPure && PRIMS[op].effect !== "none") {
    c.reporter.report("TF4206", call.span, { op: call.spelled });
    return poison(call.span);
  }
  const bound = bindArguments(call, special?.params ?? OPERANDS[op], c);
  if (bound === undefined) return poison(call.span);
  if (special !== undefined) return special.build(bound, call, c);
  return scalarPrim({ prim: op, text: call.spelled, span: call.span }, [...bound.values()], c);
}

/** Primitives with attributes, and those whose operands are not simply of one dtype. */
const SPECIAL: { readonly [Op in PrimOp]?: Special } = {
  cast: {
    params: { x: "required", dtype: "required", mode: "optional" },
    build: (bound, call, c) => {
      const dtype = attribute(bound, "dtype", c, dtypeOf);
      const mode = attribute(bound, "mode", c, (v) => wordOf<CastMode>(v, CAST_MODES, c));
      if (dtype === undefined || (bound.has("mode") && mode === undefined)) return poison(call.span);
      return built("cast", bound, call, c, mode === undefined || mode === "trunc" ? { dtype } : { dtype, mode });
    },
  },
  bitcast: {
    params: { x: "required", dtype: "required" },
    build: (bound, call, c) => {
      const dtype = attribute(bound, "dtype", c, dtypeOf);
      return dtype === undefined ? poison(call.span) : built("bitcast", bound, call, c, { dtype });
    },
  },
  splat: {
    params: { x: "required", lanes: "required" },
    build: (bound, call, c) => {
      const lanes = attribute(bound, "lanes", c, (v) => countOf(v, 1, c));
      return lanes === undefined ? poison(call.span) : built("splat", bound, call, c, { lanes });
    },
  },
  lane: {
    params: { v: "required", index: "required" },
    build: (bound, call, c) => {
      const index = attribute(bound, "index", c, (v) => countOf(v, 0, c));
      return index === undefined ? poison(call.span) : built("lane", bound, call, c, { index }, ["v"]);
    },
  },
  reduce: {
    params: { kind: "required", v: "required" },
    build: (bound, call, c) => {
      const kind = attribute(bound, "kind", c, (v) => wordOf<ReduceKind>(v, REDUCE_KINDS, c));
      return kind === undefined ? poison(call.span) : built("reduce", bound, call, c, { kind }, ["v"]);
    },
  },
  alloc_tensor: { params: { shape: "required", dtype: "required", space: "required", offset: "optional", tile: "keyword" }, build: allocation },
  load: { params: { buffer: "required", indices: "required", lanes: "optional", mask: "optional" }, build: memoryRead },
  store: { params: { buffer: "required", indices: "required", value: "required", mask: "optional" }, build: memoryWrite },
  barrier: {
    params: { level: "required" },
    build: (bound, call, c) => {
      const level = attribute(bound, "level", c, (v) => wordOf<Level>(v, LEVELS, c));
      return level === undefined ? poison(call.span) : built("barrier", bound, call, c, { level }, []);
    },
  },
};

function built(op: PrimOp, bound: Bound, call: PrimCall, c: ExprContext, attrs: PrimAttrs, operands: readonly string[] = ["x"]): Value {
  const args = operands.flatMap((name) => {
    const value = bound.get(name);
    return value === undefined ? [] : [toExpr(value, c)];
  });
  return exprValue(primExpr({ prim: op, text: call.spelled, span: call.span }, args, attrs, c), call.span);
}

// — memory —

function memoryRead(bound: Bound, call: PrimCall, c: ExprContext): Value {
  const access = memoryOperands(bound, c);
  const lanes = attribute(bound, "lanes", c, (v) => countOf(v, 1, c));
  if (access === undefined || (bound.has("lanes") && lanes === undefined)) return poison(call.span);
  const attrs = { ...(lanes !== undefined && lanes !== 1 ? { lanes } : {}), ...(access.mask.length > 0 ? { masked: true } : {}) };
  return exprValue(primExpr(siteOf("load", call), [access.buffer, ...access.indices, ...access.mask], attrs, c), call.span);
}

function memoryWrite(bound: Bound, call: PrimCall, c: ExprContext): Value {
  const access = memoryOperands(bound, c);
  const value = bound.get("value");
  if (access === undefined || value === undefined) return poison(call.span);
  const { buffer, indices, mask } = access;
  const element = buffer.type.kind === "Tensor" ? buffer.type.dtype : undefined;
  const stored = value.kind === "known" && element !== undefined ? typedLiteral(value.known, element, value.span, c) : toExpr(value, c);
  if (stored === undefined) return poison(call.span);
  return exprValue(primExpr(siteOf("store", call), [buffer, ...indices, stored, ...mask], mask.length > 0 ? { masked: true } : {}, c), call.span);
}

const siteOf = (op: PrimOp, { spelled, span }: PrimCall) => ({ prim: op, text: spelled, span });

interface Access {
  readonly buffer: Expr;
  readonly indices: readonly Expr[];
  /** None or one. */
  readonly mask: readonly Expr[];
}

function memoryOperands(bound: Bound, c: ExprContext): Access | undefined {
  const [buffer, indices, mask] = ["buffer", "indices", "mask"].map((name) => bound.get(name));
  if (buffer === undefined || indices === undefined) return undefined;
  const items = itemsOf(indices) ?? [indices];
  return { buffer: toExpr(buffer, c), indices: items.map((item) => toIndex(item, c)), mask: mask === undefined ? [] : [toExpr(mask, c)] };
}

/** Where elements of tensors live; in every other space a buffer is a tile. */
function allocation(bound: Bound, call: PrimCall, c: ExprContext): Value {
  const shape = attribute(bound, "shape", c, dimsOf);
  const dtype = attribute(bound, "dtype", c, dtypeOf);
  const space = attribute(bound, "space", c, storageOf);
  const offset = attribute(bound, "offset", c, dimOf);
  const tile = attribute(bound, "tile", c, truthOf);
  if (shape === undefined || dtype === undefined || space === undefined) return poison(call.span);
  if ((bound.has("offset") && offset === undefined) || (bound.has("tile") && tile === undefined)) return poison(call.span);
  const type = (tile ?? isTileSpace(space)) ? tileType(shape, dtype, space) : tensorType(shape, dtype, space);
  return exprValue({ ...prim("alloc_tensor", [], offset === undefined ? { type } : { type, offset }), meta: { span: call.span } }, call.span);
}

// — literals with a dtype —

const CONST_PARAMS: Params = { value: "required", dtype: "required", lanes: "optional" };

/** `T.const(5, "i32")`, `pl.const(5, pl.INT32)`, `T.const(1.0, "f32", lanes=4)`. */
export function constCall(call: PrimCall, c: ExprContext): Value {
  const bound = bindArguments(call, CONST_PARAMS, c);
  const value = bound?.get("value");
  if (bound === undefined || value === undefined) return poison(call.span);
  const dtype = attribute(bound, "dtype", c, dtypeOf);
  const lanes = attribute(bound, "lanes", c, (v) => countOf(v, 1, c));
  const known = knownOf(value);
  if (known === undefined) c.reporter.report("TF2004", value.span, { what: `the value of \`${call.spelled}\`` });
  if (known === undefined || dtype === undefined || (bound.has("lanes") && lanes === undefined)) return poison(call.span);
  const scalar = typedLiteral(known, dtype, value.span, c, true);
  if (scalar === undefined) return poison(call.span);
  const made = lanes === undefined || lanes === 1 ? scalar : constant(scalar.value, vecType(dtype, lanes));
  return exprValue({ ...made, meta: { span: call.span } }, call.span);
}

// — attributes —

function attribute<T>(bound: Bound, name: string, c: ExprContext, read: (value: Value, c: ExprContext) => T | undefined): T | undefined {
  const value = bound.get(name);
  return value === undefined ? undefined : read(value, c);
}

function truthOf(value: Value, c: ExprContext): boolean | undefined {
  const known = knownOf(value);
  if (known?.kind === "bool") return known.value;
  return misfit("the argument", value, "write `True` or `False`", c);
}

function wordOf<W extends string>(value: Value, words: readonly W[], c: ExprContext): W | undefined {
  const known = knownOf(value);
  const word = known?.kind === "string" ? words.find((w) => w === known.value) : undefined;
  return word ?? misfit("the word", value, `write one of ${words.map((w) => `"${w}"`).join(", ")}`, c);
}

/** Lanes of the widest vector. */
const LANES_LIMIT = 1024;

function countOf(value: Value, least: number, c: ExprContext): number | undefined {
  const known = knownOf(value);
  const count = known?.kind === "int" ? Number(known.value) : NaN;
  if (count >= least && count <= LANES_LIMIT) return count;
  return misfit("a lane count or number", value, `write an integer from ${least} to ${LANES_LIMIT}`, c);
}
