// Positions that meet: the iterations of a parallel loop with a barrier of its level in it run in step, statement by statement. Each position has
// registers of its own, which are brought in while it runs. Loops and branches around a barrier go the same way for all positions.

import { meetsAt, type For, type If, type Level, type Seq, type Stmt, type While } from "@tilefoundry/ir";
import type { ArrayValue } from "@tilefoundry/ops/evaluate";
import { compileBlock, compileExpr, compileOne, copy, inBlock, placeOf, type Builder } from "./builder.ts";
import { oneRegister } from "./layout.ts";
import { at, get64, OUT_OF_FUEL, type Code, type Machine } from "./machine.ts";
import { sequence, type Step } from "./sequence.ts";

/** Whether iterations of the loop meet at a barrier in its body. */
export function positionsMeet({ level, body }: For): boolean {
  return level !== undefined && body.stmts.some((stmt) => meetsAt(stmt, level));
}

/** The registers of one position. */
interface Position {
  readonly n: Float64Array;
  readonly wide: (bigint | undefined)[];
  readonly arrays: ArrayValue[];
}

/** What all positions do, one after the other. */
type Phase = (m: Machine) => (positions: readonly Position[]) => void;

export function compilePositions(loop: For, b: Builder): void {
  const phase = forked(loop, begin(loop, b), b);
  b.steps.push({
    jumps: false,
    emit: (m) => {
      const run = phase(m);
      return () => {
        const whole = saved(m);
        run([whole]);
        bring(whole, m);
      };
    },
  });
  handOn(loop, b);
}

/** Registers of `start`, `stop` and `step`. */
type Range = readonly [number, number, number];

/** Computes the range of a loop and what its carries start with. */
function begin(loop: For, b: Builder): Range {
  const range = [compileOne(loop.start, b), compileOne(loop.stop, b), compileOne(loop.step, b)] as const;
  startCarries(loop, b);
  return range;
}

function startCarries(loop: For | While, b: Builder): void {
  for (const carry of loop.carries) compileExpr(carry.init, b, placeOf(carry, b));
}

/** A loop hands on what it carries; one that is parallel the handles that it began with. */
function handOn(loop: For | While, b: Builder): void {
  for (const [i, result] of loop.results.entries()) {
    const carry = loop.carries[i];
    if (carry !== undefined) copy(carry.type, placeOf(result, b), placeOf(carry, b), b);
  }
}

function saved({ n, wide, arrays }: Machine): Position {
  return { n: n.slice(), wide: wide.slice(), arrays: arrays.slice() };
}

function bring({ n, wide, arrays }: Position, m: Machine): void {
  m.n.set(n);
  for (let i = 0; i < wide.length; i++) m.wide[i] = wide[i];
  for (let i = 0; i < arrays.length; i++) m.arrays[i] = arrays[i] as ArrayValue; // as many
}

/** Runs code at each position. */
function each(code: Code, positions: readonly Position[], m: Machine): void {
  for (const p of positions) {
    bring(p, m);
    code();
    keep(p, m);
  }
}

function keep(p: Position, m: Machine): void {
  p.n.set(m.n);
  for (let i = 0; i < m.wide.length; i++) p.wide[i] = m.wide[i];
  for (let i = 0; i < m.arrays.length; i++) p.arrays[i] = m.arrays[i] as ArrayValue; // as many
}

// — what runs in step —

function phasesOf(block: Seq, of: Level, b: Builder): readonly Phase[] {
  const phases: Phase[] = [];
  let waiting: Stmt[] = [];
  const flush = (): void => {
    if (waiting.length > 0) phases.push(straight(inBlock(b, (inner) => compileBlock({ ...block, stmts: waiting }, inner))));
    waiting = [];
  };
  for (const stmt of block.stmts) {
    if (!meetsAt(stmt, of)) waiting = [...waiting, stmt];
    else {
      flush();
      phases.push(...phaseOf(stmt, of, b));
    }
  }
  flush();
  return phases;
}

const straight = (step: Step): Phase => (m) => {
  const code = step.emit(m);
  return (positions) => each(code, positions, m);
};

function phaseOf(stmt: Stmt, of: Level, b: Builder): readonly Phase[] {
  switch (stmt.kind) {
    case "For": return stmt.level !== undefined && stmt.mode === "parallel" ? nestedPositions(stmt, b) : inStep(stmt, of, b);
    case "While": return whileInStep(stmt, of, b);
    case "If": return branchInStep(stmt, of, b);
    case "Scope": return [...phasesOf(stmt.body, of, { ...b, yields: stmt.results.map((r) => placeOf(r, b)) })];
    default: return []; // the barrier itself: all have come this far
  }
}

/** Positions within each position. */
function nestedPositions(loop: For, b: Builder): readonly Phase[] {
  const { made: range, step: header } = compiled(b, (inner) => begin(loop, inner));
  return [straight(header), forked(loop, range, b), straight(inBlock(b, (inner) => handOn(loop, inner)))];
}

/** One position for each iteration of the loop at each of the given positions; they run the body in step. */
function forked(loop: For, range: Range, b: Builder): Phase {
  const variable = oneRegister(placeOf(loop.loopVar, b));
  const yields = loop.carries.map((c) => placeOf(c, b));
  const body = phasesOf(loop.body, loop.level ?? "lane", { ...b, yields });
  return (m) => {
    const runs = body.map((phase) => phase(m));
    return (positions) => {
      const forks = positions.flatMap((p) => {
        bring(p, m);
        return valuesOf(range, m).map((value): Position => {
          const fork = saved(m);
          fork.n[variable] = value;
          return fork;
        });
      });
      for (const run of runs) run(forks);
    };
  };
}

function valuesOf([start, stop, step]: Range, m: Machine): readonly number[] {
  const [from, to, by] = [Number(get64(m, start)), Number(get64(m, stop)), Number(get64(m, step))];
  return by === 0 ? [] : Array.from({ length: Math.max(0, Math.ceil((to - from) / by)) }, (_, i) => from + i * by);
}

/** A counted loop that all positions go through together. */
function inStep(loop: For, of: Level, b: Builder): readonly Phase[] {
  const { made: range, step: header } = compiled(b, (inner) => begin(loop, inner));
  const variable = oneRegister(placeOf(loop.loopVar, b));
  const body = phasesOf(loop.body, of, { ...b, yields: loop.carries.map((c) => placeOf(c, b)) });
  const finish = inBlock(b, (inner) => handOn(loop, inner));
  const rounds: Phase = (m) => {
    const runs = body.map((phase) => phase(m));
    return (positions) => {
      for (const value of agreed(positions, m, () => valuesOf(range, m), loop, b) ?? []) {
        if (m.fuel-- <= 0) throw OUT_OF_FUEL;
        for (const p of positions) p.n[variable] = value;
        for (const run of runs) run(positions);
      }
    };
  };
  return [straight(header), rounds, straight(finish)];
}

/** What all positions say alike; a fault where they differ. */
function agreed<T>(positions: readonly Position[], m: Machine, ask: () => T, stmt: Stmt, b: Builder): T | undefined {
  const [first, ...others] = positions.map((p) => (bring(p, m), ask()));
  if (others.every((other) => String(other) === String(first))) return first;
  b.faults?.report("TF6108", stmt.meta.span ?? b.span, {});
  return undefined;
}

function branchInStep(stmt: If, of: Level, b: Builder): readonly Phase[] {
  const { made: register, step } = compiled(b, (inner) => compileOne(stmt.cond, inner));
  const inner = { ...b, yields: stmt.results.map((r) => placeOf(r, b)) };
  const [yes, no] = [stmt.then, stmt.else].map((block) => (block === undefined ? [] : phasesOf(block, of, inner)));
  const choose: Phase = (m) => {
    const [ifTrue, ifFalse] = [yes, no].map((phases) => (phases ?? []).map((phase) => phase(m)));
    return (positions) => {
      const taken = agreed(positions, m, () => at(m.n, register), stmt, b);
      if (taken !== undefined) for (const run of (taken === 0 ? ifFalse : ifTrue) ?? []) run(positions);
    };
  };
  return [straight(step), choose];
}

function whileInStep(loop: While, of: Level, b: Builder): readonly Phase[] {
  const start = inBlock(b, (inner) => startCarries(loop, inner));
  const { made: register, step } = compiled(b, (inner) => compileOne(loop.cond, inner));
  const body = phasesOf(loop.body, of, { ...b, yields: loop.carries.map((c) => placeOf(c, b)) });
  const finish = inBlock(b, (inner) => handOn(loop, inner));
  const rounds: Phase = (m) => {
    const decide = step.emit(m);
    const runs = body.map((phase) => phase(m));
    return (positions) => {
      for (;;) {
        if (m.fuel-- <= 0) throw OUT_OF_FUEL;
        each(decide, positions, m);
        const more = agreed(positions, m, () => at(m.n, register), loop, b);
        if (more === undefined || more === 0) return;
        for (const run of runs) run(positions);
      }
    };
  };
  return [straight(start), rounds, straight(finish)];
}

/** A step of its own, and what compiling it gave. */
function compiled<T>(b: Builder, compile: (inner: Builder) => T): { readonly made: T; readonly step: Step } {
  const steps: Step[] = [];
  const made = compile({ ...b, steps });
  return { made, step: sequence(steps) };
}
