// Compiling `load`, `store` and `alloc_tensor`. What lies outside an array reads 0 and is not written; lanes beyond the first are
// elements further along the last axis. Ranks 1 and 2 of narrow elements have code of their own, for speed.

import type { DType, Expr, Prim, Type } from "@tilefoundry/ir";
import { canonical, zeros, type ArrayValue } from "@tilefoundry/ops/evaluate";
import { invariant } from "@tilefoundry/text";
import { compileOne, destination, emit, type Builder } from "./builder.ts";
import { compileDims } from "./dims.ts";
import { arrayName } from "./faults.ts";
import { lanesOf, type Place } from "./layout.ts";
import { arrayAt, at, get64, put64, type Code, type Emit, type Machine } from "./machine.ts";
import { isWide } from "./scalars.ts";

/** One element of a buffer: where its coordinates stand, and what happens outside. */
interface Access {
  readonly array: number;
  /** Registers of the index along each axis. */
  readonly index: readonly number[];
  /** Added to the last index. */
  readonly lane: number;
  readonly outside: Outside | undefined;
}

type Outside = (m: Machine, access: Access) => void;

interface Operands {
  readonly buffer: Expr;
  readonly index: readonly Expr[];
  readonly value: Expr | undefined;
  readonly mask: Expr | undefined;
}

function operandsOf({ op, args, attrs }: Prim): Operands {
  const rest = [...args];
  const buffer = rest.shift();
  invariant(buffer !== undefined, () => `${op} without a buffer`);
  const mask = attrs.masked === true ? rest.pop() : undefined;
  const value = op === "store" ? rest.pop() : undefined;
  return { buffer, index: rest, value, mask };
}

export function compileLoad(expr: Prim, b: Builder, into: Place | undefined): Place {
  const { buffer, index, mask } = operandsOf(expr);
  const [array, registers] = [compileOne(buffer, b), index.map((i) => compileOne(i, b))];
  const masked = mask === undefined ? undefined : compileOne(mask, b);
  const d = destination(expr.type, b, into);
  const dtype = elementType(buffer.type);
  const outside = outsideReport("TF6102", expr, buffer, b);
  for (let lane = 0; lane < lanesOf(expr.type); lane++) {
    const code = loadElement(d + lane, dtype, { array, index: registers, lane, outside });
    emit(b, masked === undefined ? code : onlyIf(masked + lane, code, ({ n }) => () => void (n[d + lane] = 0)));
  }
  return d;
}

export function compileStore(expr: Prim, b: Builder): Place {
  const { buffer, index, value, mask } = operandsOf(expr);
  invariant(value !== undefined, () => "a store without a value");
  const [array, registers] = [compileOne(buffer, b), index.map((i) => compileOne(i, b))];
  const from = compileOne(value, b);
  const masked = mask === undefined ? undefined : compileOne(mask, b);
  const dtype = elementType(buffer.type);
  const outside = outsideReport("TF6103", expr, buffer, b);
  for (let lane = 0; lane < lanesOf(value.type); lane++) {
    const code = storeElement(from + lane, dtype, { array, index: registers, lane, outside });
    emit(b, masked === undefined ? code : onlyIf(masked + lane, code, () => () => undefined));
  }
  return [];
}

/** A new buffer at each execution, of zeros. */
export function compileAlloc(expr: Prim, b: Builder, into: Place | undefined): Place {
  const { type } = expr.attrs;
  invariant(type !== undefined, () => "an allocation without a type");
  const d = destination(expr.type, b, into);
  const shape = compileDims(type.shape, b);
  emit(b, (m) => {
    const extents = shape(m);
    return () => void (m.arrays[d] = zeros(type.dtype, extents()));
  });
  return d;
}

function elementType(type: Type): DType {
  invariant(type.kind === "Tensor", () => `a buffer of type ${type.kind}`);
  return type.dtype;
}

function onlyIf(mask: number, code: Emit, otherwise: Emit): Emit {
  return (m) => {
    const { n } = m;
    const [yes, no] = [code(m), otherwise(m)];
    return () => {
      if (at(n, mask) !== 0) yes();
      else no();
    };
  };
}

// — elements —

type Numbers = Exclude<ArrayValue["data"], BigInt64Array>;
/** The elements of an array whose dtype is no 64-bit integer. */
const numbersOf = (array: ArrayValue): Numbers => array.data as Numbers; // the dtype of the type decides
const bigsOf = (array: ArrayValue): BigInt64Array => array.data as BigInt64Array; // likewise

function loadElement(d: number, dtype: DType, access: Access): Emit {
  const { array, index, lane, outside } = access;
  const [i = 0, j = 0] = index;
  if (isWide(dtype)) {
    return withPosition(access, (m, position) => () => {
      const p = position();
      if (p >= 0) put64(m, d, canonical(bigsOf(arrayAt(m, array))[p] ?? 0n));
      else {
        m.n[d] = 0;
        outside?.(m, access);
      }
    });
  }
  if (index.length === 1) return (m) => () => {
    const { valid, data } = arrayAt(m, array);
    const x = at(m.n, i) + lane;
    if (x >= 0 && x < extent(valid, 0)) m.n[d] = (data as Numbers)[x] as number; // within bounds; see numbersOf
    else {
      m.n[d] = 0;
      outside?.(m, access);
    }
  };
  if (index.length === 2) return (m) => () => {
    const { valid, shape, data } = arrayAt(m, array);
    const x = at(m.n, i);
    const y = at(m.n, j) + lane;
    if (x >= 0 && x < extent(valid, 0) && y >= 0 && y < extent(valid, 1)) m.n[d] = (data as Numbers)[x * extent(shape, 1) + y] as number; // within bounds
    else {
      m.n[d] = 0;
      outside?.(m, access);
    }
  };
  return withPosition(access, (m, position) => () => {
    const p = position();
    m.n[d] = p >= 0 ? (numbersOf(arrayAt(m, array))[p] ?? 0) : 0;
    if (p < 0) outside?.(m, access);
  });
}

function storeElement(from: number, dtype: DType, access: Access): Emit {
  const { array, index, lane, outside } = access;
  const [i = 0, j = 0] = index;
  if (isWide(dtype)) {
    return withPosition(access, (m, position) => () => {
      const p = position();
      if (p >= 0) bigsOf(arrayAt(m, array))[p] = BigInt(get64(m, from));
      else outside?.(m, access);
    });
  }
  if (index.length === 1) return (m) => () => {
    const { valid, data } = arrayAt(m, array);
    const x = at(m.n, i) + lane;
    if (x >= 0 && x < extent(valid, 0)) (data as Numbers)[x] = at(m.n, from); // see numbersOf
    else outside?.(m, access);
  };
  if (index.length === 2) return (m) => () => {
    const { valid, shape, data } = arrayAt(m, array);
    const x = at(m.n, i);
    const y = at(m.n, j) + lane;
    if (x >= 0 && x < extent(valid, 0) && y >= 0 && y < extent(valid, 1)) (data as Numbers)[x * extent(shape, 1) + y] = at(m.n, from); // see numbersOf
    else outside?.(m, access);
  };
  return withPosition(access, (m, position) => () => {
    const p = position();
    if (p >= 0) numbersOf(arrayAt(m, array))[p] = at(m.n, from);
    else outside?.(m, access);
  });
}

const extent = (shape: readonly number[], axis: number): number => shape[axis] as number; // the rank is the type's

/** Flat position of the element, or -1 outside; for any rank. */
function withPosition({ array, index, lane }: Access, use: (m: Machine, position: () => number) => Code): Emit {
  return (m) =>
    use(m, () => {
      const { shape, valid } = arrayAt(m, array);
      let position = 0;
      for (const [axis, register] of index.entries()) {
        const x = at(m.n, register) + (axis === index.length - 1 ? lane : 0);
        if (!(x >= 0 && x < extent(valid, axis))) return -1; // an index that is no safe integer is NaN here
        position = position * extent(shape, axis) + x;
      }
      return position;
    });
}

function outsideReport(code: "TF6102" | "TF6103", expr: Prim, buffer: Expr, b: Builder): Outside | undefined {
  const { faults } = b;
  if (faults === undefined) return undefined;
  const span = expr.meta.span ?? b.span;
  const name = arrayName(buffer);
  return (m, { array, index, lane }) => {
    const { valid } = arrayAt(m, array);
    for (const [axis, register] of index.entries()) {
      const x = BigInt(get64(m, register)) + BigInt(axis === index.length - 1 ? lane : 0);
      const extent = valid[axis] ?? 0;
      if (x < 0n || x >= BigInt(extent)) return faults.report(code, span, { array: name, axis, index: String(x), extent });
    }
  };
}
