// The state of compiling one function, and what every rule uses: places of values, copies, steps of the block at hand.

import { isVarLike, type Expr, type FunctionNode, type ModuleNode, type Seq, type Type, type VarLike } from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import type { Span } from "@tilefoundry/text";
import type { FaultLog } from "./faults.ts";
import { oneRegister, type Layout, type Place } from "./layout.ts";
import { arrayAt, type Emit } from "./machine.ts";
import { copyScalar } from "./scalars.ts";
import { sequence, type Step } from "./sequence.ts";

export interface Builder {
  readonly f: FunctionNode;
  /** Whose functions calls name. */
  readonly module: ModuleNode;
  readonly rules: CompileRules;
  readonly ops: Ops;
  readonly layout: Layout;
  /** Where variables stand; in graph form also each value, so that a shared one is computed once. */
  readonly places: Map<Expr, Place>;
  /** Where the returned values go. */
  readonly returns: readonly Place[];
  /** Where the values go that a yield here yields: carries of the loop, or results of the `if`. */
  readonly yields: readonly Place[];
  /** The block at hand. */
  readonly steps: Step[];
  /** Present in a strict run. */
  readonly faults: FaultLog | undefined;
  /** The statement at hand. */
  readonly span: Span | undefined;
}

/** The tables of expressions and statements; the files that they call for one kind each come back here. */
export interface CompileRules {
  /** The place of a value, computed into `into` where the rule can. */
  readonly expr: (expr: Expr, b: Builder, into: Place | undefined) => Place;
  readonly block: (block: Seq, b: Builder) => void;
  readonly body: (f: FunctionNode, b: Builder) => void;
}

export function emit(b: Builder, code: Emit): void {
  b.steps.push({ emit: code, jumps: false });
}

/** Compiles into a block of its own. */
export function inBlock(b: Builder, fill: (inner: Builder) => void): Step {
  const steps: Step[] = [];
  fill({ ...b, steps });
  return sequence(steps);
}

export function placeOf(v: VarLike, b: Builder): Place {
  const known = b.places.get(v);
  if (known !== undefined) return known;
  const made = b.layout.place(v.type);
  b.places.set(v, made);
  return made;
}

/** The place of a value; a variable's own, unless `into` asks for another. */
export function compileExpr(expr: Expr, b: Builder, into?: Place): Place {
  const known = isVarLike(expr) ? undefined : b.places.get(expr);
  const place = known ?? b.rules.expr(expr, b, into);
  if (into === undefined || place === into) return place;
  copy(expr.type, into, place, b);
  return into;
}

/** The first register of a scalar, vector or array. */
export const compileOne = (expr: Expr, b: Builder, into?: Place): number => oneRegister(compileExpr(expr, b, into));

export const compileBlock = (block: Seq, b: Builder): void => b.rules.block(block, b);

/** The registers a result goes to: those it should, or new ones. */
export const destination = (type: Type, b: Builder, into: Place | undefined): number => oneRegister(into ?? b.layout.place(type));

/** Copies a value between places. */
export function copy(type: Type, to: Place, from: Place, b: Builder): void {
  if (typeof to !== "number" || typeof from !== "number") {
    if (type.kind === "TupleType" && typeof to !== "number" && typeof from !== "number") {
      for (const [i, field] of type.fields.entries()) copy(field, to[i] ?? [], from[i] ?? [], b);
    }
    return;
  }
  if (to === from) return;
  if (type.kind === "Scalar") emit(b, copyScalar(type.dtype, to, from));
  else if (type.kind === "Vec") for (let lane = 0; lane < type.lanes; lane++) emit(b, copyScalar(type.dtype, to + lane, from + lane));
  else emit(b, (m) => () => void (m.arrays[to] = arrayAt(m, from)));
}
