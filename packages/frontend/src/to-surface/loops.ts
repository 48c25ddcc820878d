// Headers of loops: what stands between `for`, `in` and the colon.

import { make, type Arg, type SExpr } from "@tilefoundry/grammar";
import { INDEX, type Expr, type For, type IterArg, type Nest, type While } from "@tilefoundry/ir";
import { LOOP_WORDS, type Printing } from "./spelling.ts";

interface Header {
  readonly target: SExpr;
  readonly iterable: SExpr;
}

export function forHeader(s: For, p: Printing): Header {
  const namespace = p.dialect === "tf" || s.mode === "vector" ? "T" : "pl";
  const keywords = [
    ...(s.stages === undefined ? [] : [make.keyword("stage", make.integer(s.stages))]),
    ...(s.level === undefined ? [] : [make.keyword("level", make.text(s.level))]),
    ...initValues(s.carries, p),
  ];
  const iterable = make.call(make.dotted(`${namespace}.${LOOP_WORDS[s.mode]}`), rangeArguments(s, p), keywords);
  return { target: targetOf([make.name(s.loopVar.hint)], s.carries), iterable };
}

/** `(stop)`, `(start, stop)` or `(start, stop, step)`. */
function rangeArguments({ start, stop, step }: For, p: Printing): readonly SExpr[] {
  if (!isIndex(step, 1n)) return [start, stop, step].map(p.expr);
  return (isIndex(start, 0n) ? [stop] : [start, stop]).map(p.expr);
}

const isIndex = (e: Expr, value: bigint): boolean => e.kind === "Const" && e.type === INDEX && e.value === value;

export function nestHeader(s: Nest, p: Printing): Header {
  const keywords = [...(s.reduce ? [make.keyword("reduce", make.truth(true))] : []), ...initValues(s.carries, p)];
  const iterable = make.call(make.dotted("T.nest"), [make.tupleOf(s.extents.map(p.expr))], keywords);
  return { target: targetOf(s.axes.map((axis) => make.name(axis.hint)), s.carries), iterable };
}

export function whileHeader(s: While, p: Printing): Header {
  return { target: carriesTuple(s.carries), iterable: make.call(make.dotted("pl.while_"), [], initValues(s.carries, p)) };
}

/** `i`, `i, j`, and with carries `i, (acc,)`. */
function targetOf(variables: readonly SExpr[], carries: readonly IterArg[]): SExpr {
  const all = carries.length === 0 ? variables : [...variables, carriesTuple(carries)];
  const [only] = all;
  if (only !== undefined && all.length === 1 && carries.length === 0) return only;
  return make.tupleOf(all, all.length < 2);
}

const carriesTuple = (carries: readonly IterArg[]): SExpr => make.tupleOf(carries.map((c) => make.name(c.hint)));

function initValues(carries: readonly IterArg[], p: Printing): readonly Arg[] {
  return carries.length === 0 ? [] : [make.keyword("init_values", make.tupleOf(carries.map((c) => p.expr(c.init))))];
}
