// Expressions in C. Registers are C scalars and GNU vectors; a mask is an integer vector of 0 and -1 as wide as what it selects.

import { unreachable } from "@tilefoundry/text";
import { DTYPES, type DType, type Expr, type Prim, type Type } from "@tilefoundry/ir";
import { CTYPES, literal, maskElement, vecElement, type VecElement } from "./ctype.ts";
import { atom, LEVEL, type CText, type Scope } from "./scope.ts";

/** An expression as C text; masks come in their own width. */
export function expression(e: Expr, scope: Scope): CText {
  switch (e.kind) {
    case "Var":
    case "IterArg": {
      const value = scope.inlined.get(e);
      return value === undefined ? atom(scope.names.of(e)) : expression(value, scope);
    }
    case "Const":
      return constant(e.value, e.type, scope);
    case "Prim":
      return scope.primitive(e, scope);
    case "Tuple":
    case "TupleGet":
    case "Call":
    case "FunctionCall":
      throw new Error(`internal error of TileFoundry (please report it): ${e.kind} at stage placed`);
    default:
      return unreachable(e);
  }
}

function constant(value: bigint | number | boolean, type: Type, scope: Scope): CText {
  if (type.kind === "Vec") {
    const element = vecElement(type.dtype);
    const one = type.dtype === "bool" ? (value === true ? "-1" : "0") : literal(value, type.dtype);
    return splatText(element, type.lanes, one, scope);
  }
  const text = literal(value, type.kind === "Scalar" ? type.dtype : "index");
  return { text, level: text.startsWith("-") ? LEVEL.unary : LEVEL.atom };
}

export function splatText(element: VecElement, lanes: number, one: string, scope: Scope): CText {
  const name = scope.prelude.vec(element, lanes);
  return atom(`(${name}){${Array<string>(lanes).fill(one).join(", ")}}`);
}

/** Text that may stand as an operand of an operator of the given class. */
export function operand(e: Expr, level: number, scope: Scope): string {
  const { text, level: own } = expression(e, scope);
  return own <= level && own <= LEVEL.compare ? text : `(${text})`;
}

/** Text that may be written several times: a name or a literal; anything else is bound to a local first. */
export function repeatable(e: Expr, scope: Scope, hint = "t"): string {
  const { text } = expression(e, scope);
  if (/^-?[\w.]+$/.test(text)) return text;
  return scope.declare(typeName(e, scope), hint, text);
}

/** C type of the register that holds the expression. */
export function typeName(e: Expr, scope: Scope): string {
  const { type } = e;
  if (type.kind === "Vec") {
    const element = type.dtype === "bool" ? maskElement(maskBitsOf(e, scope)) : vecElement(type.dtype);
    return scope.prelude.vec(element, type.lanes);
  }
  return type.kind === "Scalar" ? scalarName(type.dtype) : "void";
}

export function scalarName(d: DType): string {
  return CTYPES[d].scalar;
}

/** Width of the lanes of a mask: that of what was compared. */
export function maskBitsOf(e: Expr, scope: Scope): number {
  if (e.kind === "Var" || e.kind === "IterArg") {
    const value = scope.inlined.get(e);
    return value === undefined ? (scope.maskBits.get(e) ?? 32) : maskBitsOf(value, scope);
  }
  return e.kind === "Prim" ? maskBitsOfPrim(e, scope) : 32;
}

function maskBitsOfPrim({ op, args }: Prim, scope: Scope): number {
  const [first, second] = args;
  if (first === undefined || op === "load" || op === "splat") return 32;
  if (op === "select" && second !== undefined) return maskBitsOf(second, scope);
  if (first.type.kind === "Vec" && first.type.dtype !== "bool") return DTYPES[first.type.dtype].bits;
  return maskBitsOf(first, scope);
}

/** A mask expression with lanes of the wanted width. */
export function mask(e: Expr, bits: number, scope: Scope): string {
  const own = maskBitsOf(e, scope);
  const text = operand(e, LEVEL.atom, scope);
  if (own === bits || e.type.kind !== "Vec") return text;
  return `__builtin_convertvector(${text}, ${scope.prelude.vec(maskElement(bits), e.type.lanes)})`;
}
