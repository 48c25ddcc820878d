// Compiling loops. Bounds are evaluated once; carries update all at once; a parallel loop or nest runs in the order of the seed.

import { eachStmt, type Expr, type For, type IterArg, type Nest, type Seq, type Var, type While } from "@tilefoundry/ir";
import { compileBlock, compileExpr, compileOne, copy, inBlock, placeOf, type Builder } from "./builder.ts";
import { oneRegister } from "./layout.ts";
import { compilePositions, positionsMeet } from "./positions.ts";
import { at, BREAK, get64, NEXT, OUT_OF_FUEL, put64, RETURN, type Code, type Machine } from "./machine.ts";
import type { Step } from "./sequence.ts";

// — what loops share —

function startCarries(carries: readonly IterArg[], b: Builder): void {
  for (const carry of carries) compileExpr(carry.init, b, placeOf(carry, b));
}

function body(block: Seq, carries: readonly IterArg[], b: Builder): Step {
  const yields = carries.map((c) => placeOf(c, b));
  return inBlock({ ...b, yields }, (inner) => compileBlock(block, inner));
}

function finishCarries(carries: readonly IterArg[], results: readonly Var[], b: Builder): void {
  for (const [i, result] of results.entries()) {
    const carry = carries[i];
    if (carry !== undefined) copy(carry.type, placeOf(result, b), placeOf(carry, b), b);
  }
}

function returnsWithin(block: Seq): boolean {
  let found = false;
  eachStmt(block, (stmt) => (found ||= stmt.kind === "Return"));
  return found;
}

/** Pays for one iteration. */
function burn(m: Machine): void {
  if (m.fuel-- <= 0) throw OUT_OF_FUEL;
}

/** Whether the loop goes on after an iteration, which may have jumped. */
function goesOn(m: Machine): boolean {
  if (m.signal === NEXT) return true;
  if (m.signal === RETURN) return false;
  const broken = m.signal === BREAK;
  m.signal = NEXT;
  return !broken;
}

// — counted loops —

export function compileFor(loop: For, b: Builder): void {
  if (positionsMeet(loop)) return compilePositions(loop, b);
  const [start, stop, step] = [loop.start, loop.stop, loop.step].map((e: Expr) => compileOne(e, b));
  const variable = oneRegister(placeOf(loop.loopVar, b));
  startCarries(loop.carries, b);
  const block = body(loop.body, loop.carries, b);
  const { faults, span } = b;
  const range = { start: start ?? 0, stop: stop ?? 0, step: step ?? 0, variable, parallel: loop.mode === "parallel" };
  const zeroStep = (): void => faults?.report("TF6105", span, { variable: loop.loopVar.hint });
  b.steps.push({ jumps: returnsWithin(loop.body), emit: (m) => counted(range, block.emit(m), m, zeroStep) });
  finishCarries(loop.carries, loop.results, b);
}

interface Range {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly variable: number;
  readonly parallel: boolean;
}

function counted({ start, stop, step, variable, parallel }: Range, run: Code, m: Machine, zeroStep: () => void): Code {
  const shuffle = parallel ? m.orderOf : undefined;
  return () => {
    const from = get64(m, start);
    const to = get64(m, stop);
    const by = get64(m, step);
    if (by === 0) zeroStep();
    else if (typeof from !== "number" || typeof to !== "number" || typeof by !== "number") inBigSteps(from, to, by, variable, run, m);
    else if (shuffle !== undefined) inOrder(shuffle(Math.max(0, Math.ceil((to - from) / by))), from, by, variable, run, m);
    else if (by > 0) upward(from, to, by, variable, run, m);
    else downward(from, to, by, variable, run, m);
  };
}

/** Beyond the safe integers a sum rounds to no less than the safe integer it passes, so the end is never missed. */
function upward(from: number, to: number, by: number, variable: number, run: Code, m: Machine): void {
  for (let i = from; i < to; i += by) {
    burn(m);
    m.n[variable] = i;
    run();
    if (m.signal !== NEXT && !goesOn(m)) return;
  }
}

function downward(from: number, to: number, by: number, variable: number, run: Code, m: Machine): void {
  for (let i = from; i > to; i += by) {
    burn(m);
    m.n[variable] = i;
    run();
    if (m.signal !== NEXT && !goesOn(m)) return;
  }
}

function inOrder(order: ArrayLike<number>, from: number, by: number, variable: number, run: Code, m: Machine): void {
  for (let k = 0; k < order.length; k++) {
    burn(m);
    m.n[variable] = from + (order[k] ?? 0) * by;
    run();
  }
}

/** Some bound is no safe integer. */
function inBigSteps(from: number | bigint, to: number | bigint, by: number | bigint, variable: number, run: Code, m: Machine): void {
  const [start, stop, step] = [BigInt(from), BigInt(to), BigInt(by)];
  for (let i = start; step > 0n ? i < stop : i > stop; i += step) {
    burn(m);
    put64(m, variable, Number.isSafeInteger(Number(i)) ? Number(i) : i);
    run();
    if (m.signal !== NEXT && !goesOn(m)) return;
  }
}

// — while —

export function compileWhile(loop: While, b: Builder): void {
  startCarries(loop.carries, b);
  let cond = 0;
  const test = inBlock(b, (inner) => (cond = compileOne(loop.cond, inner)));
  const block = body(loop.body, loop.carries, b);
  b.steps.push({
    jumps: returnsWithin(loop.body),
    emit: (m) => {
      const { n } = m;
      const [decide, run] = [test.emit(m), block.emit(m)];
      return () => {
        for (decide(); at(n, cond) !== 0; decide()) {
          burn(m);
          run();
          if (m.signal !== NEXT && !goesOn(m)) return;
        }
      };
    },
  });
  finishCarries(loop.carries, loop.results, b);
}

// — nests —

export function compileNest(nest: Nest, b: Builder): void {
  const extents = nest.extents.map((e) => compileOne(e, b));
  const axes = nest.axes.map((a) => oneRegister(placeOf(a, b)));
  startCarries(nest.carries, b);
  const block = body(nest.body, nest.carries, b);
  b.steps.push({
    jumps: false,
    emit: (m) => {
      const run = block.emit(m);
      const shuffle = nest.reduce ? undefined : m.orderOf;
      return () => {
        const sizes = extents.map((r) => Math.max(0, Number(get64(m, r))));
        const total = sizes.reduce((product, size) => product * size, 1);
        if (shuffle === undefined) odometer(axes, sizes, total, run, m);
        else scattered(shuffle(total), axes, sizes, run, m);
      };
    },
  });
  finishCarries(nest.carries, nest.results, b);
}

/** All indices in order, the last axis fastest. */
function odometer(axes: readonly number[], sizes: readonly number[], total: number, run: Code, m: Machine): void {
  for (const axis of axes) m.n[axis] = 0;
  for (let k = 0; k < total; k++) {
    burn(m);
    run();
    for (let a = axes.length - 1; a >= 0; a--) {
      const axis = axes[a] ?? 0;
      const next = at(m.n, axis) + 1;
      m.n[axis] = next < (sizes[a] ?? 0) ? next : 0;
      if (next < (sizes[a] ?? 0)) break;
    }
  }
}

function scattered(order: ArrayLike<number>, axes: readonly number[], sizes: readonly number[], run: Code, m: Machine): void {
  for (let k = 0; k < order.length; k++) {
    let rest = order[k] ?? 0;
    for (let a = axes.length - 1; a >= 0; a--) {
      const size = sizes[a] ?? 1;
      m.n[axes[a] ?? 0] = rest % size;
      rest = Math.floor(rest / size);
    }
    burn(m);
    run();
  }
}
