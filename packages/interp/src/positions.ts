// Positions that meet: the iterations of a parallel loop with a barrier of its level in it run in step, statement by statement. Each position has
// registers of its own, which are brought in while it runs. Loops and branches around a barrier go the same way for all positions.

import { eachOperand, eachStmt, LEVELS, type Expr, type For, type If, type Level, type Node, type Seq, type Stmt, type While } from "@tilefoundry/ir";
import type { ArrayValue } from "@tilefoundry/ops/evaluate";
import { compileBlock, compileExpr, compileOne, copy, inBlock, placeOf, type Builder } from "./builder.ts";
import { oneRegister } from "./layout.ts";
import { at, get64, OUT_OF_FUEL, type Code, type Machine } from "./machine.ts";
import type { Step } from "./sequence.ts";

const rank = (level: Level): number => LEVELS.indexOf(level);

/** Whether iterations of the loop meet at a barrier in its body. */
export function positionsMeet(loop: For): boolean {
  return loop.level !== undefined && holdsBarrier(loop.body, rank(loop.level));
}

/** A barrier that iterations of a loop of this rank take part in. */
function holdsBarrier(block: Seq, of: number): boolean {
  let found = false;
  eachStmt(block, (stmt) => eachOperand(stmt, (e) => (found ||= isBarrier(e, of))));
  return found;
}

const isBarrier = (e: Node, of: number): boolean => e.kind === "Prim" && e.op === "barrier" && e.attrs.level !== undefined && rank(e.attrs.level) <= of;

/** The registers of one position. */
interface Position {
  readonly n: Float64Array;
  readonly wide: (bigint | undefined)[];
  readonly arrays: ArrayValue[];
}

/** What all positions do, one after the other. */
type Phase = (m: Machine) => (positions: readonly Position[]) => void;

export function compilePositions(loop: For, b: Builder): void {
  const [start, stop, step] = [loop.start, loop.stop, loop.step].map((e) => compileOne(e, b));
  for (const carry of loop.carries) compileExpr(carry.init, b, placeOf(carry, b));
  const phase = forked(loop, start ?? 0, stop ?? 0, step ?? 0, b);
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

/** A parallel loop hands on the handles that it carries: those that it began with. */
function handOn(loop: For, b: Builder): void {
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

function phasesOf(block: Seq, of: number, b: Builder): readonly Phase[] {
  const phases: Phase[] = [];
  let waiting: Stmt[] = [];
  const flush = (): void => {
    if (waiting.length > 0) phases.push(straight(inBlock(b, (inner) => compileBlock({ ...block, stmts: waiting }, inner))));
    waiting = [];
  };
  for (const stmt of block.stmts) {
    if (!meets(stmt, of)) waiting = [...waiting, stmt];
    else {
      flush();
      phases.push(...phaseOf(stmt, of, b));
    }
  }
  flush();
  return phases;
}

const meets = (stmt: Stmt, of: number): boolean => holdsBarrier({ kind: "Seq", stmts: [stmt], meta: {} }, of);

const straight = (step: Step): Phase => (m) => {
  const code = step.emit(m);
  return (positions) => each(code, positions, m);
};

function phaseOf(stmt: Stmt, of: number, b: Builder): readonly Phase[] {
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
  const registers: number[] = [];
  const header = inBlock(b, (inner) => {
    for (const e of [loop.start, loop.stop, loop.step]) registers.push(compileOne(e, inner));
    for (const carry of loop.carries) compileExpr(carry.init, inner, placeOf(carry, inner));
  });
  const [start = 0, stop = 0, step = 0] = registers;
  return [straight(header), forked(loop, start, stop, step, b), straight(inBlock(b, (inner) => handOn(loop, inner)))];
}

/** One position for each iteration of the loop at each of the given positions; they run the body in step. */
function forked(loop: For, start: number, stop: number, step: number, b: Builder): Phase {
  const variable = oneRegister(placeOf(loop.loopVar, b));
  const yields = loop.carries.map((c) => placeOf(c, b));
  const body = phasesOf(loop.body, rank(loop.level ?? "lane"), { ...b, yields });
  return (m) => {
    const runs = body.map((phase) => phase(m));
    return (positions) => {
      const forks = positions.flatMap((p) => {
        bring(p, m);
        return valuesOf(start, stop, step, m).map((value): Position => {
          const fork = saved(m);
          fork.n[variable] = value;
          return fork;
        });
      });
      for (const run of runs) run(forks);
    };
  };
}

function valuesOf(start: number, stop: number, step: number, m: Machine): readonly number[] {
  const [from, to, by] = [start, stop, step].map((r) => Number(get64(m, r)));
  if (from === undefined || to === undefined || by === undefined || by === 0) return [];
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / by)) }, (_, i) => from + i * by);
}

/** A counted loop that all positions go through together. */
function inStep(loop: For, of: number, b: Builder): readonly Phase[] {
  const registers: number[] = [];
  const header = inBlock(b, (inner) => {
    for (const e of [loop.start, loop.stop, loop.step]) registers.push(compileOne(e, inner));
    for (const carry of loop.carries) compileExpr(carry.init, inner, placeOf(carry, inner));
  });
  const [start = 0, stop = 0, step = 0] = registers;
  const variable = oneRegister(placeOf(loop.loopVar, b));
  const body = phasesOf(loop.body, of, { ...b, yields: loop.carries.map((c) => placeOf(c, b)) });
  const finish = inBlock(b, (inner) => handOn(loop, inner));
  const rounds: Phase = (m) => {
    const runs = body.map((phase) => phase(m));
    return (positions) => {
      for (const value of agreed(positions, m, () => valuesOf(start, stop, step, m).join(), loop, b)?.split(",").filter((v) => v !== "") ?? []) {
        if (m.fuel-- <= 0) throw OUT_OF_FUEL;
        for (const p of positions) p.n[variable] = Number(value);
        for (const run of runs) run(positions);
      }
    };
  };
  return [straight(header), rounds, straight(finish)];
}

/** What all positions say alike; a fault where they differ. */
function agreed(positions: readonly Position[], m: Machine, ask: () => string, stmt: Stmt, b: Builder): string | undefined {
  const answers = new Set(positions.map((p) => (bring(p, m), ask())));
  const [only, second] = answers;
  if (second !== undefined) b.faults?.report("TF6108", stmt.meta.span ?? b.span, {});
  return second === undefined ? only : undefined;
}

function branchInStep(stmt: If, of: number, b: Builder): readonly Phase[] {
  const { register, step } = condition(stmt.cond, b);
  const inner = { ...b, yields: stmt.results.map((r) => placeOf(r, b)) };
  const [yes, no] = [stmt.then, stmt.else].map((block) => (block === undefined ? [] : phasesOf(block, of, inner)));
  const choose: Phase = (m) => {
    const [ifTrue, ifFalse] = [yes, no].map((phases) => (phases ?? []).map((phase) => phase(m)));
    return (positions) => {
      const taken = agreed(positions, m, () => String(at(m.n, register)), stmt, b);
      for (const run of (taken === "0" ? ifFalse : ifTrue) ?? []) run(positions);
    };
  };
  return [straight(step), choose];
}

function whileInStep(loop: While, of: number, b: Builder): readonly Phase[] {
  const start = inBlock(b, (inner) => {
    for (const carry of loop.carries) compileExpr(carry.init, inner, placeOf(carry, inner));
  });
  const { register, step } = condition(loop.cond, b);
  const body = phasesOf(loop.body, of, { ...b, yields: loop.carries.map((c) => placeOf(c, b)) });
  const finish = inBlock(b, (inner) => {
    for (const [i, result] of loop.results.entries()) {
      const carry = loop.carries[i];
      if (carry !== undefined) copy(carry.type, placeOf(result, inner), placeOf(carry, inner), inner);
    }
  });
  const rounds: Phase = (m) => {
    const decide = step.emit(m);
    const runs = body.map((phase) => phase(m));
    return (positions) => {
      for (;;) {
        if (m.fuel-- <= 0) throw OUT_OF_FUEL;
        each(decide, positions, m);
        const more = agreed(positions, m, () => String(at(m.n, register)), loop, b);
        if (more === undefined || more === "0") return;
        for (const run of runs) run(positions);
      }
    };
  };
  return [straight(start), rounds, straight(finish)];
}

function condition(cond: Expr, b: Builder): { readonly register: number; readonly step: Step } {
  let register = 0;
  const step = inBlock(b, (inner) => (register = compileOne(cond, inner)));
  return { register, step };
}

