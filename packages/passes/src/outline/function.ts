// The function that a region becomes: its parameters and their directions, the symbols of their shapes, what it returns.

import {
  copyFresh, definedBy, dimVars, eachDimOf, eachStmt, isVarLike, makeFunction, makeNames, returnValues, seq, soleVariable, substituteType, variable, variablesIn, walk,
  type Direction, type Expr, type FunctionKind, type FunctionNode, type Param, type Seq, type SymbolDef, type Type, type Var, type VarLike,
} from "@tilefoundry/ir";
import { handlesOf, type CallContext, type Handles } from "@tilefoundry/ops";
import { writtenOperand } from "../writes.ts";

export interface Wanted {
  readonly name: string;
  readonly kind: FunctionKind;
  readonly body: Seq;
  readonly values: readonly Expr[];
  readonly parent: FunctionNode;
  readonly context: CallContext;
}

export interface Outlined {
  readonly fn: FunctionNode;
  readonly args: readonly Expr[];
  /** Names of what it returns. */
  readonly hints: readonly string[];
}

/** Undefined where a shape names an extent that no parameter would give, or a tuple comes from outside. */
export function outlinedFunction({ name, kind, body, values, parent, context }: Wanted): Outlined | undefined {
  const outside = freeVariables(body, values);
  const inShapes = new Set<VarLike>(outside.flatMap((v) => [...extentsOf(v.type)]).concat([...extentsIn(body)]));
  const symbols = parent.symbols.filter((s) => inShapes.has(s.var));
  const params = outside.filter((v) => !symbols.some((s) => s.var === v));
  if (params.some((v) => v.type.kind === "TupleType" || v.type.kind === "Vec")) return undefined;
  if (symbols.some((s) => !params.some((v) => hasAxis(v.type, s.var)))) return undefined;
  if ([...inShapes].some((v) => !symbols.some((s) => s.var === v))) return undefined;
  const names = makeNames([]);
  const replaced = new Map<VarLike, Expr>();
  const ownSymbols: SymbolDef[] = symbols.map((s) => ({ ...s, var: fresh(s.var, s.var.type, names, replaced) }));
  const ownParams = params.map((v) => fresh(v, substituteType(v.type, replaced), names, replaced));
  const copy = copyFresh(seq([...body.stmts, returnValues(values)], body.meta), names, replaced);
  const handles = handlesOf(copy, ownParams, context);
  const touched = touches(copy, handles, context);
  const last = copy.stmts.at(-1);
  const returned = last?.kind === "Return" ? last.values : [];
  const handed = new Set(returned.flatMap((value) => (value.type.kind === "Tensor" ? [...paramsBehind(value, handles)] : [])));
  const missing = ownParams.filter((v) => touched.written.has(v) && !handed.has(v));
  const results = [...returned, ...missing.map((v) => newestHandle(copy, v, handles))];
  const full = seq([...copy.stmts.slice(0, -1), ...(results.length > 0 ? [returnValues(results)] : [])], copy.meta);
  const directed = ownParams.map((v): Param => ({ var: v, direction: directionOf(v, touched) }));
  const fn = makeFunction({ name, func: kind, params: directed, symbols: ownSymbols, returns: results.map((r) => r.type), body: full, contract: parent.contract });
  return { fn, args: params, hints: results.map((r) => (isVarLike(r) ? r.hint : name)) };
}

function fresh(v: VarLike, type: Type, names: ReturnType<typeof makeNames>, replaced: Map<VarLike, Expr>): Var {
  const made = variable(names.fresh(v.hint.replace(/_\d+$/, "")), type, v.meta, v.kind === "Var" && v.isConst);
  replaced.set(v, made);
  return made;
}

// — what comes from outside —

function freeVariables(body: Seq, values: readonly Expr[]): readonly VarLike[] {
  const own = new Set<VarLike>();
  eachStmt(body, (stmt) => {
    for (const v of definedBy(stmt)) own.add(v);
    if (stmt.kind === "For") own.add(stmt.loopVar);
    if ("carries" in stmt) for (const carry of stmt.carries) own.add(carry);
    if (stmt.kind === "Nest") for (const axis of stmt.axes) own.add(axis);
  });
  return [...variablesIn([body, ...values])].filter((v) => !own.has(v));
}

function extentsOf(type: Type): ReadonlySet<VarLike> {
  const found = new Set<VarLike>();
  if (type.kind === "Tensor") for (const d of type.shape) dimVars(d, (v) => found.add(v));
  return found;
}

function extentsIn(body: Seq): ReadonlySet<VarLike> {
  const found = new Set<VarLike>();
  walk(body, (node) => eachDimOf(node, (d) => dimVars(d, (v) => found.add(v))));
  return found;
}

const hasAxis = (type: Type, symbol: VarLike): boolean => type.kind === "Tensor" && type.shape.some((d) => soleVariable(d) === symbol);

// — directions —

interface Touched {
  readonly read: ReadonlySet<Var>;
  readonly written: ReadonlySet<Var>;
}

function touches(body: Seq, handles: Handles, { ops, calleeOf }: CallContext): Touched {
  const [read, written] = [new Set<Var>(), new Set<Var>()];
  const note = (arg: Expr | undefined, how: Direction): void => {
    if (arg?.type.kind !== "Tensor") return;
    for (const v of paramsBehind(arg, handles)) {
      if (how !== "in") written.add(v);
      if (how !== "out") read.add(v);
    }
  };
  walk(body, (node) => {
    if (node.kind === "FunctionCall") node.args.forEach((arg, i) => note(arg, calleeOf(node.callee.symbol)?.params[i]?.direction ?? "inout"));
    if (node.kind !== "Call" && node.kind !== "Prim") return;
    const target = node.kind === "Call" ? writtenOperand(node, ops) : node.op === "store" ? node.args[0] : undefined;
    for (const arg of node.args) note(arg, arg === target ? "out" : "in");
  });
  return { read, written };
}

function paramsBehind(value: Expr, handles: Handles): ReadonlySet<Var> {
  return new Set(handles.sourcesOf(value).flatMap((v) => [...handles.paramsOf(v)]));
}

const directionOf = (v: Var, { read, written }: Touched): Direction => (!written.has(v) ? "in" : read.has(v) ? "inout" : "out");

/** The handle of a written parameter that the body defines last. */
function newestHandle(body: Seq, param: Var, handles: Handles): Expr {
  const defined = body.stmts.flatMap(definedBy).filter((v) => v.type.kind === "Tensor" && handles.paramsOf(v).has(param));
  return defined.at(-1) ?? param;
}

