// Runs small programs made by builders, for the tests.

import {
  constant, isFloat, makeFunction, makeModule, numberConst, scalarType, seq, tensorType, variable, dimVar, returnValues, INDEX,
  type Dim, type DType, type Expr, type FunctionNode, type Param, type Stmt, type Type, type Var,
} from "@tilefoundry/ir";
import { interpret, type Interpretation, type InterpretOptions } from "@tilefoundry/interp";
import { builtinOps } from "@tilefoundry/ops";
import { arrayOf, elementsOf, isArrayValue, type ArrayValue, type Scalar, type Value } from "@tilefoundry/ops/evaluate";

export const F32 = scalarType("f32");
export const I32 = scalarType("i32");
export const BOOL = scalarType("bool");

export const f32 = (x: number): Expr => numberConst(x, "f32");
export const i32 = (x: number): Expr => numberConst(x, "i32");

/** A literal of any value. */
export function literal(value: Scalar, dtype: DType): Expr {
  if (typeof value === "boolean") return constant(value, scalarType(dtype));
  return constant(isFloat(dtype) ? Number(value) : BigInt(value), scalarType(dtype));
}

export interface Program {
  readonly params?: readonly Var[];
  readonly symbols?: readonly Var[];
  readonly returns?: readonly Type[];
  readonly body: readonly Stmt[];
}

export function functionOf({ params = [], symbols = [], returns = [], body }: Program): FunctionNode {
  return makeFunction({
    name: "f",
    func: "prim",
    params: params.map((p): Param => ({ var: p, direction: "inout" })),
    symbols: symbols.map((s) => ({ var: s, lo: 0, hi: 2 ** 31 })),
    returns,
    body: seq(body),
  });
}

export function run(f: FunctionNode, args: readonly Value[] = [], options: Partial<InterpretOptions> = {}): Interpretation {
  return interpret(makeModule("m", [f]), f, args, { ops: builtinOps, ...options });
}

/** The value of one expression. */
export function valueOf(expr: Expr): Value {
  const { returns } = run(functionOf({ returns: [expr.type], body: [returnValues([expr])] }));
  const [value] = returns;
  if (value === undefined) throw new Error("no value");
  return value;
}

/** What a program returns. */
export const returned = (program: Program, args: readonly Value[] = []): readonly Value[] => run(functionOf(program), args).returns;

export const index = (hint: string): Var => variable(hint, INDEX);

export const tensor = (hint: string, shape: readonly Dim[], dtype: DType = "f32"): Var => variable(hint, tensorType(shape, dtype));

/** `x: tensor (N,)` and its symbol. */
export function vector(hint = "x", dtype: DType = "f32"): { readonly N: Var; readonly x: Var } {
  const N = index("N");
  return { N, x: tensor(hint, [dimVar(N)], dtype) };
}

export const array = (dtype: DType, shape: readonly number[], elements: readonly Scalar[]): ArrayValue => arrayOf(dtype, shape, elements);

export const row = (dtype: DType, elements: readonly Scalar[]): ArrayValue => arrayOf(dtype, [elements.length], elements);

/** Elements of an array, or the value itself. */
export const shown = (value: Value | undefined): unknown => (value !== undefined && isArrayValue(value) ? elementsOf(value) : value);
