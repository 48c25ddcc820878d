// Versions of variables: which definition a name stands for at the current place, and how new definitions are called. The first
// definition of a variable keeps its name, but a mere literal or copy does not take it: those vanish where they are propagated.

import {
  allocTensor, assign, constant, dimVar, isFloat, isStatic, iterArg, mapChildren, mapDimsIn, mapDimsOf, substituteDim, variable, withArgs, withCallArgs,
  type Dim, type Expr, type IterArg, type Meta, type Names, type Stmt, type Type, type Var, type VarLike,
} from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";

export interface Versions {
  /** The version that a variable stands for here; undefined before its first definition. */
  current(v: VarLike): VarLike | undefined;
  /** The same, or a value that is never read in place of one that does not exist; `into` takes what makes it. */
  value(v: VarLike, into: Stmt[]): Expr;
  /** A new definition of a variable with several. `passing`: by a literal or a copy. */
  define(v: VarLike, meta?: Meta, passing?: boolean): Var;
  /** A carry of a variable with several definitions. */
  carry(v: VarLike, init: Expr): IterArg;
  /** The only definition of a variable, which stays the object unless its name is taken or its type changes. */
  keep(v: Var): Var;
  keepCarry(v: IterArg, init: Expr): IterArg;
  set(v: VarLike, version: VarLike | undefined): void;
  /** An expression with the versions that its variables stand for here. */
  rename(expr: Expr, into: Stmt[]): Expr;
  /** The variable of the author that a version belongs to. */
  authored(v: VarLike): VarLike;
}

export function makeVersions(names: Names, split: ReadonlySet<VarLike>): Versions {
  const here = new Map<VarLike, VarLike>();
  const claimed = new Set<string>();
  const origin = new Map<VarLike, VarLike>();
  let inDims = false; // whether a variable that may occur in a dim has a version
  const type = <T extends Type>(t: T): T => (inDims ? renamedDims(t, here) : t);
  const nameOf = (hint: string, passing = false): string => {
    if (passing || claimed.has(hint)) return names.fresh(hint);
    claimed.add(hint);
    return hint;
  };
  const version = <V extends VarLike>(v: VarLike, made: V): V => {
    here.set(v, made);
    if (v.type.kind === "Scalar") inDims = true;
    if (made !== v) origin.set(made, v);
    return made;
  };
  const value = (v: VarLike, into: Stmt[]): Expr => here.get(v) ?? (split.has(v) ? unread(v, type(v.type), names, into) : v);
  const rename = (e: Expr, into: Stmt[]): Expr => {
    switch (e.kind) {
      case "Var":
      case "IterArg": return value(e, into);
      case "Const": return e;
      case "Prim": return dims(withArgs(e, renameAll(e.args, into)));
      case "Call":
      case "FunctionCall": return dims(withCallArgs(e, renameAll(e.args, into)));
      case "Tuple":
      case "TupleGet": return dims(mapChildren(e, (child) => rename(child as Expr, into))); // children of expressions are expressions
    }
  };
  const renameAll = (exprs: readonly Expr[], into: Stmt[]): readonly Expr[] => {
    let renamed: Expr[] | undefined;
    for (let i = 0; i < exprs.length; i++) {
      const e = exprs[i] as Expr; // within the length
      const next = rename(e, into);
      if (next !== e) (renamed ??= exprs.slice())[i] = next;
    }
    return renamed ?? exprs;
  };
  const dims = (e: Expr): Expr => (inDims && e.type.kind === "Tensor" ? mapDimsOf(e, (d) => renamedDim(d, here)) : e);
  return {
    current: (v) => here.get(v) ?? (split.has(v) ? undefined : v),
    value,
    define: (v, meta = v.meta, passing = false) => version(v, variable(nameOf(v.hint, passing), type(v.type), meta)),
    carry: (v, init) => version(v, iterArg(nameOf(v.hint), type(v.type), init, v.meta)),
    keep: (v) => {
      const hint = nameOf(v.hint);
      const t = type(v.type);
      return hint === v.hint && t === v.type && !split.has(v) ? v : version(v, variable(hint, t, v.meta, v.isConst));
    },
    keepCarry: (v, init) => {
      const hint = nameOf(v.hint);
      const t = type(v.type);
      if (hint === v.hint && t === v.type && init === v.init) {
        if (split.has(v)) here.set(v, v);
        return v;
      }
      return version(v, iterArg(hint, t, init, v.meta));
    },
    set: (v, to) => void (to === undefined ? here.delete(v) : here.set(v, to)),
    rename,
    authored: (v) => origin.get(v) ?? v,
  };
}

function renamedDims<T extends Type>(type: T, here: ReadonlyMap<VarLike, VarLike>): T {
  if (type.kind !== "Tensor" || type.shape.every(isStatic)) return type;
  return mapDimsIn(type, (d) => renamedDim(d, here));
}

const renamedDim = (d: Dim, here: ReadonlyMap<VarLike, VarLike>): Dim =>
  substituteDim(d, (v) => {
    const version = here.get(v);
    return version === undefined || version === v ? undefined : dimVar(version);
  });

/** Stands where a value is needed by form only: on ways on which the name is never read. */
function unread(v: VarLike, type: Type, names: Names, into: Stmt[]): Expr {
  if (type.kind === "Scalar" || type.kind === "Vec") return constant(type.dtype === "bool" ? false : isFloat(type.dtype) ? 0 : 0n, type);
  invariant(type.kind === "Tensor", () => `${v.hint} of type ${type.kind} has no value on some way`);
  const empty = variable(names.fresh(v.hint), type);
  into.push(assign(empty, allocTensor(type)));
  return empty;
}
