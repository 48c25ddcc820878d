// The only makers of nodes. They type primitives by prims.ts and flatten blocks; they judge nothing else (verify does).

import { invariant } from "@tilefoundry/text";
import { isFloat, type DType } from "./dtypes.ts";
import type { Assign, Break, Call, Const, Continue, Eval, Expr, For, FunctionCall, FunctionNode, GraphBody, If, IterArg, Level, LoopMode, Meta, ModuleNode, Nest, Op, Param, Prim, PrimAttrs, Return, ScalarType, Scope, ScopeSpec, Seq, Stmt, TensorType, TupleExpr, TupleGet, Type, Var, VecType, While, Yield } from "./nodes.ts";
import type { CastMode, PrimOp, ReduceKind } from "./prim-names.ts";
import { PRIMS } from "./prims.ts";
import { INDEX, scalarType, tupleType, UNKNOWN, vecType } from "./types.ts";

export const NO_META: Meta = Object.freeze({});

// — values —

export function variable(hint: string, type: Type, meta: Meta = NO_META, isConst = false): Var {
  return { kind: "Var", type, hint, isConst, meta };
}

export function iterArg(hint: string, type: Type, init: Expr, meta: Meta = NO_META): IterArg {
  return { kind: "IterArg", type, hint, init, meta };
}

/** A literal. The value must fit the dtype's kind: bigint for integers, number for floats (rounded to f32 if need be), boolean for bool. */
export function constant(value: bigint | number | boolean, type: ScalarType | VecType, meta: Meta = NO_META): Const {
  const kind = type.dtype === "bool" ? "boolean" : isFloat(type.dtype) ? "number" : "bigint";
  invariant(typeof value === kind, () => `a ${typeof value} literal of type ${type.dtype}`);
  return { kind: "Const", type, value: type.dtype === "f32" && typeof value === "number" ? Math.fround(value) : value, meta };
}

/** Index literals from 0 on that are made once: most of all. */
const SMALL_INDICES = Array.from({ length: 65 }, (_, value) => constant(BigInt(value), INDEX));

export const indexConst = (value: number | bigint): Const => SMALL_INDICES[Number(value)] ?? constant(BigInt(value), INDEX);
export const boolConst = (value: boolean): Const => constant(value, scalarType("bool"));
/** A number as a literal of any numeric dtype. */
export function numberConst(value: number, dtype: DType, lanes = 1): Const {
  const type = lanes === 1 ? scalarType(dtype) : vecType(dtype, lanes);
  return constant(isFloat(dtype) ? value : dtype === "bool" ? value !== 0 : BigInt(value), type);
}

export function tuple(elements: readonly Expr[], meta: Meta = NO_META): TupleExpr {
  return { kind: "Tuple", type: tupleType(elements.map((e) => e.type)), elements, meta };
}

export function tupleGet(source: Expr, index: number, meta: Meta = NO_META): TupleGet {
  const type = source.type.kind === "TupleType" ? (source.type.fields[index] ?? UNKNOWN) : UNKNOWN;
  return { kind: "TupleGet", type, tuple: source, index, meta };
}

export function op(name: string, attrs: Op["attrs"] = {}): Op {
  return { kind: "Op", name, attrs };
}

/** A catalog call; the type comes from the op's inference. */
export function call(callee: Op, args: readonly Expr[], type: Type, meta: Meta = NO_META): Call {
  return { kind: "Call", type, callee, args, meta };
}

/** A call of a function of the module; `type` is what the callee returns, for these arguments. */
export function functionCall(symbol: string, args: readonly Expr[], type: Type, meta: Meta = NO_META): FunctionCall {
  return { kind: "FunctionCall", type, callee: { kind: "FuncRef", symbol }, args, meta };
}

const NO_ATTRS: PrimAttrs = Object.freeze({});

/** Type of a primitive call, or why the operands do not fit. */
export function primType(name: PrimOp, args: readonly Expr[], attrs: PrimAttrs = NO_ATTRS): Type | string {
  const { operands, rule } = PRIMS[name];
  const fits = args.length === operands.length || operands.some((o) => o.endsWith("…"));
  if (!fits) return `takes ${operands.length} operand${operands.length === 1 ? "" : "s"}, not ${args.length}`;
  return rule(args, attrs);
}

/** A primitive call whose operands are known to fit. */
export function prim(name: PrimOp, args: readonly Expr[], attrs: PrimAttrs = NO_ATTRS, meta: Meta = NO_META): Prim {
  const type = primType(name, args, attrs);
  invariant(typeof type !== "string", () => `${name} ${String(type)}`);
  return { kind: "Prim", type, op: name, args, attrs, meta };
}

export const add = (a: Expr, b: Expr): Prim => prim("add", [a, b]);
export const sub = (a: Expr, b: Expr): Prim => prim("sub", [a, b]);
export const mul = (a: Expr, b: Expr): Prim => prim("mul", [a, b]);
export const minimum = (a: Expr, b: Expr): Prim => prim("min", [a, b]);
export const maximum = (a: Expr, b: Expr): Prim => prim("max", [a, b]);
export const lessThan = (a: Expr, b: Expr): Prim => prim("lt", [a, b]);
export const both = (a: Expr, b: Expr): Prim => prim("and", [a, b]);
/** A cast; `trunc` is what a cast without a mode does. */
export const cast = (x: Expr, dtype: DType, mode?: CastMode): Prim =>
  prim("cast", [x], mode === undefined || mode === "trunc" ? { dtype } : { dtype, mode });
export const splat = (x: Expr, lanes: number): Prim => prim("splat", [x], { lanes });
export const reduceLanes = (kind: ReduceKind, v: Expr): Prim => prim("reduce", [v], { kind });
export const allocTensor = (type: TensorType): Prim => prim("alloc_tensor", [], { type });

export function load(buffer: Expr, indices: readonly Expr[], options: { readonly lanes?: number; readonly mask?: Expr } = {}): Prim {
  const { lanes = 1, mask } = options;
  const args = [buffer, ...indices];
  if (mask === undefined) return prim("load", args, lanes === 1 ? NO_ATTRS : { lanes });
  args.push(mask);
  return prim("load", args, lanes === 1 ? MASKED : { lanes, masked: true });
}

export function store(buffer: Expr, indices: readonly Expr[], value: Expr, mask?: Expr): Prim {
  const args = [buffer, ...indices, value];
  if (mask === undefined) return prim("store", args);
  args.push(mask);
  return prim("store", args, MASKED);
}

const MASKED: PrimAttrs = Object.freeze({ masked: true });

// — statements —

export function seq(stmts: readonly Stmt[], meta: Meta = NO_META): Seq {
  const flat = stmts.some(isSeq) ? stmts.flatMap((s) => (s.kind === "Seq" ? s.stmts : [s])) : stmts.slice();
  return { kind: "Seq", stmts: flat, meta };
}

const isSeq = (s: Stmt): boolean => s.kind === "Seq";

export const assign = (target: Var, value: Expr, meta: Meta = NO_META): Assign => ({ kind: "Assign", target, value, meta });
export const evaluate = (expr: Expr, meta: Meta = NO_META): Eval => ({ kind: "Eval", expr, meta });

export function ifThen(cond: Expr, then: Seq, orElse?: Seq, results: readonly Var[] = [], meta: Meta = NO_META): If {
  return { kind: "If", cond, then, else: orElse, results, meta };
}

export interface ForSpec {
  readonly loopVar: Var;
  readonly start?: Expr;
  readonly stop: Expr;
  readonly step?: Expr;
  readonly mode?: LoopMode;
  readonly level?: Level | undefined;
  readonly stages?: number | undefined;
  readonly carries?: readonly IterArg[];
  readonly body: Seq;
  readonly results?: readonly Var[];
}

export function forLoop(spec: ForSpec, meta: Meta = NO_META): For {
  return {
    kind: "For",
    mode: spec.mode ?? "sequential",
    level: spec.level,
    stages: spec.stages,
    start: spec.start ?? indexConst(0),
    stop: spec.stop,
    step: spec.step ?? indexConst(1),
    carries: spec.carries ?? [],
    loopVar: spec.loopVar,
    body: spec.body,
    results: spec.results ?? [],
    meta,
  };
}

export function whileLoop(cond: Expr, body: Seq, carries: readonly IterArg[] = [], results: readonly Var[] = [], meta: Meta = NO_META): While {
  return { kind: "While", carries, cond, body, results, meta };
}

/** A parallel nest. */
export function nest(axes: readonly Var[], extents: readonly Expr[], body: Seq, meta: Meta = NO_META): Nest {
  return { kind: "Nest", reduce: false, extents, carries: [], axes, body, results: [], meta };
}

/** A reduction nest: `carries` are combined over all of its axes. */
export function reduceNest(
  axes: readonly Var[],
  extents: readonly Expr[],
  carries: readonly IterArg[],
  body: Seq,
  results: readonly Var[],
  meta: Meta = NO_META,
): Nest {
  return { kind: "Nest", reduce: true, extents, carries, axes, body, results, meta };
}

export const scopeRegion = (scope: ScopeSpec, body: Seq, results: readonly Var[] = [], meta: Meta = NO_META): Scope => ({ kind: "Scope", scope, body, results, meta });

export const returnValues = (values: readonly Expr[], meta: Meta = NO_META): Return => ({ kind: "Return", values, meta });
export const yieldValues = (values: readonly Expr[], meta: Meta = NO_META): Yield => ({ kind: "Yield", values, meta });
export const breakLoop = (meta: Meta = NO_META): Break => ({ kind: "Break", meta });
export const continueLoop = (meta: Meta = NO_META): Continue => ({ kind: "Continue", meta });

// — functions and modules —

export const graph = (result: Expr): GraphBody => ({ kind: "Graph", result });

export interface FunctionSpec {
  readonly name: string;
  readonly func: FunctionNode["func"];
  readonly params: readonly Param[];
  readonly symbols?: FunctionNode["symbols"];
  readonly returns?: readonly Type[];
  readonly body: FunctionNode["body"];
  readonly target?: string | undefined;
  readonly contract?: boolean;
}

export function makeFunction(spec: FunctionSpec, meta: Meta = NO_META): FunctionNode {
  return {
    kind: "Function",
    name: spec.name,
    func: spec.func,
    params: spec.params,
    symbols: spec.symbols ?? [],
    returns: spec.returns ?? [],
    body: spec.body,
    target: spec.target,
    contract: spec.contract ?? false,
    meta,
  };
}

/** What only classes have. */
export type ModuleParts = Partial<Pick<ModuleNode, "form" | "children" | "target" | "topologies" | "methods">>;

export function makeModule(name: string, functions: readonly FunctionNode[], entry?: string, meta: Meta = NO_META, parts: ModuleParts = {}): ModuleNode {
  const { form = "text", children = [], target, topologies, methods = [] } = parts;
  return { kind: "Module", name, form, functions, children, target, topologies, methods, entry, meta };
}
