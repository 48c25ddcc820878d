// Evaluates closed scalar expressions: literals, scalar primitives, and loads and stores of known buffers.

import { isTensor, type DType, type Expr, type Prim } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { readElement, writeElement } from "./movement.ts";
import { scalarFunction, type ScalarPrim } from "./scalars.ts";
import { scalarOfConst, type ArrayValue, type Scalar } from "./values.ts";

/** The array behind a buffer expression. */
export type Buffers = (buffer: Expr) => ArrayValue | undefined;

export function evalExpr(expr: Expr, buffers: Buffers): Scalar {
  if (expr.kind === "Const") return scalarOfConst(expr);
  invariant(expr.kind === "Prim", () => `${expr.kind} in a closed expression`);
  if (expr.op === "load" || expr.op === "store") return access(expr, buffers);
  invariant(isScalarPrim(expr), () => `${expr.op} in a scalar expression`);
  const [a, b, c] = expr.args.map((arg) => evalExpr(arg, buffers));
  invariant(a !== undefined, () => `${expr.op} without operands`);
  return scalarFunction(expr.op, operandDType(expr), expr.attrs)(a, b, c);
}

const isScalarPrim = (e: Prim): e is Prim & { readonly op: ScalarPrim } =>
  e.op !== "splat" && e.op !== "lane" && e.op !== "reduce" && e.op !== "alloc_tensor" && e.op !== "load" && e.op !== "store" && e.op !== "barrier";

/** The dtype a primitive computes in: that of its operands, of `select` the chosen ones. */
function operandDType({ op, args }: Prim): DType {
  const type = args[op === "select" ? 1 : 0]?.type;
  invariant(type?.kind === "Scalar", () => `${op} of no scalars`);
  return type.dtype;
}

function access({ op, args, attrs }: Prim, buffers: Buffers): Scalar {
  const [buffer, ...rest] = args;
  const array = buffer && buffers(buffer);
  invariant(buffer !== undefined && array !== undefined && isTensor(buffer.type), () => `${op} of an unknown buffer`);
  const rank = array.shape.length;
  const [index, others] = [rest.slice(0, rank), rest.slice(rank)];
  const values = others.map((e) => evalExpr(e, buffers));
  const at = index.map((e) => Number(evalExpr(e, buffers)));
  const masked = attrs.masked === true && values.at(-1) === false;
  const whole: ArrayValue = { ...array, valid: array.shape };
  if (op === "load") return masked ? readElement(whole, at.map(() => -1), undefined) : readElement(whole, at, undefined);
  const [value] = values;
  invariant(value !== undefined, () => "a store without a value");
  if (!masked) writeElement(whole, at, value, undefined);
  return 0;
}
