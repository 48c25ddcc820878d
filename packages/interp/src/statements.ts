// Compiling statements: one rule a kind, total. Loops are in loops.ts.

import type { Expr, If, NodeOf, Seq, Stmt } from "@tilefoundry/ir";
import { compileBlock, compileExpr, compileOne, copy, inBlock, placeOf, type Builder } from "./builder.ts";
import type { Place } from "./layout.ts";
import { compileFor, compileNest, compileWhile } from "./loops.ts";
import { at, BREAK, CONTINUE, RETURN, type Signal } from "./machine.ts";
import type { Step } from "./sequence.ts";

type Rules = { readonly [K in Stmt["kind"]]: (stmt: NodeOf<K>, b: Builder) => void };

const STMT_RULES: Rules = {
  Assign: ({ target, value }, b) => void compileExpr(value, b, placeOf(target, b)),
  Eval: ({ expr }, b) => void compileExpr(expr, b),
  If: compileIf,
  For: compileFor,
  While: compileWhile,
  Nest: compileNest,
  Scope: ({ body, results }, b) => {
    const region = inBlock({ ...b, yields: results.map((r) => placeOf(r, b)) }, (inner) => compileBlock(body, inner));
    b.steps.push(region);
  },
  Return: ({ values }, b) => {
    moveAll(values, b.returns, b);
    jump(RETURN, b);
  },
  Yield: ({ values }, b) => moveAll(values, b.yields, b),
  Break: (_stmt, b) => jump(BREAK, b),
  Continue: (_stmt, b) => jump(CONTINUE, b),
  Seq: compileBlock,
};

export function blockRule(block: Seq, b: Builder): void {
  for (const stmt of block.stmts) {
    const rule = STMT_RULES[stmt.kind] as (stmt: Stmt, b: Builder) => void; // the key fixes the statement's type
    rule(stmt, stmt.meta.span === undefined ? b : { ...b, span: stmt.meta.span });
  }
}

function jump(signal: Signal, b: Builder): void {
  b.steps.push({ emit: (m) => () => void (m.signal = signal), jumps: true });
}

/** Assigns all at once: a target that another value still reads is written last. */
export function moveAll(values: readonly Expr[], targets: readonly Place[], b: Builder): void {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return void compileExpr(only, b, targets[0]);
  const sources = values.map((value, i) => {
    const place = compileExpr(value, b);
    const overwritten = targets.some((t, k) => k !== i && t === place);
    return overwritten ? compileCopy(value, place, b) : place;
  });
  for (const [i, value] of values.entries()) copy(value.type, targets[i] ?? [], sources[i] ?? [], b);
}

function compileCopy(value: Expr, from: Place, b: Builder): Place {
  const kept = b.layout.place(value.type);
  copy(value.type, kept, from, b);
  return kept;
}

function compileIf({ cond, then, else: otherwise, results }: If, b: Builder): void {
  const yields = results.map((r) => placeOf(r, b));
  const register = compileOne(cond, b);
  const branch = (block: Seq | undefined): Step => inBlock({ ...b, yields }, (inner) => block && compileBlock(block, inner));
  const [yes, no] = [branch(then), branch(otherwise)];
  b.steps.push({
    jumps: yes.jumps || no.jumps,
    emit: (m) => {
      const { n } = m;
      const [ifTrue, ifFalse] = [yes.emit(m), no.emit(m)];
      return () => {
        if (at(n, register) !== 0) ifTrue();
        else ifFalse();
      };
    },
  });
}
