// Speed of the interpreter: scalar operations a second on a mandelbrot loop, as written (mutable locals, `break`) and in SSA.

import {
  add, assign, breakLoop, cast, constant, dimVar, evaluate, forLoop, ifThen, iterArg, lessThan, makeFunction, makeModule, mul, numberConst, prim,
  scalarType, seq, store, sub, tensorType, variable, whileLoop, yieldValues, both, INDEX, type Expr, type FunctionNode, type Stmt,
} from "@tilefoundry/ir";
import { interpret } from "@tilefoundry/interp";
import { builtinOps } from "@tilefoundry/ops";
import { zeros } from "@tilefoundry/ops/evaluate";
import { leastTime, type BenchTable } from "./measure.ts";

const F32 = scalarType("f32");
const I32 = scalarType("i32");
const SIZE = 96;
const LIMIT = 1000;
/** Arithmetic, comparisons and logic of one iteration; copies and jumps do not count. */
const OPS_PER_ITERATION = { natural: 11, ssa: 14 } as const;

const f32 = (value: number): Expr => numberConst(value, "f32");
const one = constant(1n, I32);

export function benchInterp(): BenchTable {
  const natural = opsPerSecond(kernel(naturalPoint), OPS_PER_ITERATION.natural);
  const ssa = opsPerSecond(kernel(ssaPoint), OPS_PER_ITERATION.ssa);
  const row = (ops: number, form: string): BenchTable[string] => ({ ratio: ops / 20e6, bar: { atLeast: 1 }, what: `scalar operations a second / 20 M, mandelbrot ${form}`, ops_per_second: Math.round(ops) });
  return { interp_scalar_natural: row(natural, "as written"), interp_scalar_ssa: row(ssa, "in SSA") };
}

function opsPerSecond(f: FunctionNode, opsPerIteration: number): number {
  const module = makeModule("bench", [f]);
  const counts = zeros("i32", [SIZE, SIZE]);
  const run = (): void => void interpret(module, f, [counts], { ops: builtinOps });
  run();
  let iterations = 0;
  for (const n of counts.data) iterations += Number(n);
  return (iterations * opsPerIteration * 1000) / leastTime(run, 5);
}

type Point = (cr: Expr, ci: Expr, done: (n: Expr) => Stmt) => readonly Stmt[];

/** `for row, column: counts[row, column] = iterations of the point`. */
function kernel(point: Point): FunctionNode {
  const [H, W] = [variable("H", INDEX), variable("W", INDEX)];
  const counts = variable("counts", tensorType([dimVar(H), dimVar(W)], "i32"));
  const [row, column] = [variable("row", INDEX), variable("column", INDEX)];
  const [cr, ci] = [variable("cr", F32), variable("ci", F32)];
  const scaled = (index: Expr, extent: Expr): Expr => mul(prim("div", [cast(index, "f32"), cast(extent, "f32")]), f32(3));
  const inner = seq([
    assign(cr, sub(scaled(column, W), f32(2))),
    assign(ci, sub(scaled(row, H), f32(1.5))),
    ...point(cr, ci, (n) => evaluate(store(counts, [row, column], n))),
  ]);
  return makeFunction({
    name: "mandelbrot",
    func: "prim",
    params: [{ var: counts, direction: "out" }],
    symbols: [{ var: H, lo: 0, hi: 2 ** 31 }, { var: W, lo: 0, hi: 2 ** 31 }],
    body: seq([forLoop({ loopVar: row, stop: H, mode: "parallel", body: seq([forLoop({ loopVar: column, stop: W, body: inner })]) })]),
  });
}

const naturalPoint: Point = (cr, ci, done) => {
  const [zr, zi, rr, ii, n] = [variable("zr", F32), variable("zi", F32), variable("rr", F32), variable("ii", F32), variable("n", I32)];
  return [
    assign(zr, f32(0)),
    assign(zi, f32(0)),
    assign(n, constant(0n, I32)),
    whileLoop(
      lessThan(n, constant(BigInt(LIMIT), I32)),
      seq([
        assign(rr, mul(zr, zr)),
        assign(ii, mul(zi, zi)),
        ifThen(prim("gt", [add(rr, ii), f32(4)]), seq([breakLoop()])),
        assign(zi, add(mul(mul(f32(2), zr), zi), ci)),
        assign(zr, add(sub(rr, ii), cr)),
        assign(n, add(n, one)),
      ]),
    ),
    done(n),
  ];
};

const ssaPoint: Point = (cr, ci, done) => {
  const [zr, zi, n] = [iterArg("zr", F32, f32(0)), iterArg("zi", F32, f32(0)), iterArg("n", I32, constant(0n, I32))];
  const [rr, ii] = [variable("rr", F32), variable("ii", F32)];
  const result = variable("count", I32);
  const inside = prim("le", [add(mul(zr, zr), mul(zi, zi)), f32(4)]);
  return [
    whileLoop(
      both(lessThan(n, constant(BigInt(LIMIT), I32)), inside),
      seq([
        assign(rr, mul(zr, zr)),
        assign(ii, mul(zi, zi)),
        yieldValues([add(sub(rr, ii), cr), add(mul(mul(f32(2), zr), zi), ci), add(n, one)]),
      ]),
      [zr, zi, n],
      [variable("zr_1", F32), variable("zi_1", F32), result],
    ),
    done(result),
  ];
};
