// Compiling `load`, `store` and `alloc_tensor`. What lies outside an array reads 0 and is not written; lanes beyond the first are
// elements further along the last axis. Ranks 1 and 2 have code of their own, for speed.

import { isFloat, type DType, type Expr, type Prim, type Type } from "@tilefoundry/ir";
import { canonical, isWideData, zeros, type ArrayValue } from "@tilefoundry/ops/evaluate";
import { invariant } from "@tilefoundry/text";
import { compileOne, destination, emit, type Builder } from "./builder.ts";
import { compileDims } from "./dims.ts";
import { arrayName } from "./faults.ts";
import { lanesOf, type Place } from "./layout.ts";
import { arrayAt, at, get64, put64, type Emit, type Machine } from "./machine.ts";
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

/** A new buffer at each execution. */
export function compileAlloc(expr: Prim, b: Builder, into: Place | undefined): Place {
  const { type } = expr.attrs;
  invariant(type !== undefined, () => "an allocation without a type");
  const d = destination(expr.type, b, into);
  const shape = compileDims(type.shape, b);
  emit(b, (m) => {
    const extents = shape(m);
    return () => {
      const made = zeros(type.dtype, extents());
      if (m.poison) poison(made);
      m.arrays[d] = made;
    };
  });
  return d;
}

function poison({ data, dtype }: ArrayValue): void {
  if (isWideData(data)) data.fill(0x5a5a5a5a5a5a5a5an);
  else if (dtype === "bool") data.fill(1);
  else data.fill(isFloat(dtype) ? NaN : 0x5a);
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

type Numbers = Exclude<ArrayValue["data"], Longs>;
type Longs = BigInt64Array | BigUint64Array;

/** What to do with the element at a flat position; `miss` where it lies outside. */
interface Touch {
  readonly hit: (m: Machine) => (array: ArrayValue, position: number) => void;
  readonly miss: (m: Machine) => void;
}

function loadElement(d: number, dtype: DType, access: Access): Emit {
  const miss = (m: Machine): void => {
    m.n[d] = 0;
    access.outside?.(m, access);
  };
  const wide: Touch = { miss, hit: (m) => ({ data }, p) => put64(m, d, canonical((data as Longs)[p] as bigint)) }; // of this dtype; within bounds
  const narrow: Touch = { miss, hit: ({ n }) => ({ data }, p) => void (n[d] = (data as Numbers)[p] as number) }; // likewise
  return touchElement(access, isWide(dtype) ? wide : narrow);
}

function storeElement(from: number, dtype: DType, access: Access): Emit {
  const miss = (m: Machine): void => access.outside?.(m, access);
  const wide: Touch = { miss, hit: (m) => ({ data }, p) => void ((data as Longs)[p] = BigInt(get64(m, from))) }; // of this dtype
  const narrow: Touch = { miss, hit: ({ n }) => ({ data }, p) => void ((data as Numbers)[p] = at(n, from)) }; // likewise
  return touchElement(access, isWide(dtype) ? wide : narrow);
}

const extent = (shape: readonly number[], axis: number): number => shape[axis] as number; // the rank is the type's

/** An index that is no safe integer is NaN in its register, and so outside. */
function touchElement({ array, index, lane }: Access, { hit, miss }: Touch): Emit {
  const [i = 0, j = 0] = index;
  switch (index.length) {
    case 1:
      return (m) => {
        const touch = hit(m);
        return () => {
          const buffer = arrayAt(m, array);
          const x = at(m.n, i) + lane;
          if (x >= 0 && x < extent(buffer.valid, 0)) touch(buffer, x);
          else miss(m);
        };
      };
    case 2:
      return (m) => {
        const touch = hit(m);
        return () => {
          const buffer = arrayAt(m, array);
          const [x, y] = [at(m.n, i), at(m.n, j) + lane];
          if (x >= 0 && x < extent(buffer.valid, 0) && y >= 0 && y < extent(buffer.valid, 1)) touch(buffer, x * extent(buffer.shape, 1) + y);
          else miss(m);
        };
      };
    default:
      return (m) => {
        const touch = hit(m);
        return () => {
          const buffer = arrayAt(m, array);
          const position = flatPosition(buffer, index, lane, m);
          if (position >= 0) touch(buffer, position);
          else miss(m);
        };
      };
  }
}

/** Of any rank; -1 outside. */
function flatPosition({ shape, valid }: ArrayValue, index: readonly number[], lane: number, { n }: Machine): number {
  let position = 0;
  for (const [axis, register] of index.entries()) {
    const x = at(n, register) + (axis === index.length - 1 ? lane : 0);
    if (!(x >= 0 && x < extent(valid, axis))) return -1;
    position = position * extent(shape, axis) + x;
  }
  return position;
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
