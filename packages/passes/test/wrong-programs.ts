// Programs that `to-ssa` refuses, built by hand: the frontend refuses most of them before.

import {
  add, assign, evaluate, forLoop, ifThen, INDEX, indexConst, makeFunction, makeModule, numberConst, scalarType, seq, tensorType, variable,
  type ModuleNode, type Stmt,
} from "@tilefoundry/ir";
import { callOf } from "./kernel.ts";

const F32 = scalarType("f32");
const BOOL = scalarType("bool");

export const out = variable("out", tensorType([4], "f32"));
export const q = variable("q", BOOL);

export function program(...stmts: readonly Stmt[]): ModuleNode {
  const params = [{ var: out, direction: "inout" }, { var: q, direction: "in" }] as const;
  return makeModule("f", [makeFunction({ name: "f", func: "prim", params, body: seq(stmts) })], "f");
}

export const writeOut = (value: ReturnType<typeof variable> | typeof ONE): Stmt => evaluate(callOf("write", { dst: out, indices: [indexConst(0)], value }));

export const ONE = numberConst(1, "f32");

/** A sum that goes from one iteration of a parallel loop to the next. */
export function carriedInParallel(): ModuleNode {
  const sum = variable("sum", F32);
  const loop = forLoop({ loopVar: variable("i", INDEX), stop: indexConst(4), mode: "parallel", body: seq([assign(sum, add(sum, ONE))]) });
  return program(assign(sum, ONE), loop, writeOut(sum));
}

/** A name that only one branch binds. */
export function boundInOneBranch(): ModuleNode {
  const v = variable("v", F32);
  return program(ifThen(q, seq([assign(v, ONE)])), writeOut(v));
}

/** A name that a loop binds which may not run. */
export function boundInLoop(): ModuleNode {
  const v = variable("v", F32);
  const n = variable("n", INDEX);
  return program(assign(n, indexConst(0)), assign(n, add(n, n)), forLoop({ loopVar: variable("i", INDEX), stop: n, body: seq([assign(v, ONE)]) }), writeOut(v));
}

/** Elements read by an older name, behind a write under a newer one. */
export function readByOlderName(): ModuleNode {
  const newer = variable("newer", out.type);
  const v = variable("v", F32);
  return program(
    assign(newer, callOf("write", { dst: out, indices: [indexConst(1)], value: ONE })),
    assign(v, callOf("read", { src: out, indices: [indexConst(0)] })),
    writeOut(v),
  );
}

/** The same, from one iteration to the next. */
export function readInNextIteration(): ModuleNode {
  const newer = variable("newer", out.type);
  const v = variable("v", F32);
  const body = seq([
    assign(v, callOf("read", { src: out, indices: [indexConst(0)] })),
    assign(newer, callOf("write", { dst: out, indices: [indexConst(1)], value: v })),
  ]);
  return program(forLoop({ loopVar: variable("i", INDEX), stop: indexConst(4), body }));
}
