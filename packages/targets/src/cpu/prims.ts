// Every primitive in C: one total table. Scalars use operators and prelude functions; vectors use GNU vector operators, and lane by
// lane what those lack. Nothing here relies on undefined behaviour: signed arithmetic wraps through unsigned types.

import { invariant } from "@tilefoundry/text";
import {
  DTYPES, forMath, isFloat, isInteger, type DType, type Expr, type Prim, type PrimOp, type ReduceKind, type TensorType, type Type, type VecType,
} from "@tilefoundry/ir";
import { CTYPES, maskElement, unsignedElement, vecElement } from "./ctype.ts";
import { expression, mask, maskBitsOf, operand, repeatable, scalarName, splatText } from "./expr.ts";
import { mayOverflow } from "./prelude.ts";
import { atom, LEVEL, type CText, type Scope } from "./scope.ts";

type Emit = (p: Prim, scope: Scope) => CText;

// — operands —

function arg(p: Prim, i: number): Expr {
  const e = p.args[i];
  invariant(e !== undefined, () => `${p.op} without operand ${i}`);
  return e;
}

function dtypeOf(t: Type): DType {
  invariant(t.kind === "Scalar" || t.kind === "Vec" || t.kind === "Tensor", () => `dtype of ${t.kind}`);
  return t.dtype;
}

const isVec = (t: Type): t is VecType => t.kind === "Vec";
const callText = (name: string, args: readonly string[]): CText => atom(`${name}(${args.join(", ")})`);
const plain = (p: Prim, scope: Scope): readonly string[] => p.args.map((a) => expression(a, scope).text);

function infix(p: Prim, sign: string, level: number, scope: Scope): CText {
  // same class on the right needs parentheses: a - (b - c), and sums of floats keep their order
  return { text: `${operand(arg(p, 0), level, scope)} ${sign} ${operand(arg(p, 1), level - 1, scope)}`, level };
}

/** A vector built lane by lane. */
function lanewise(type: VecType, scope: Scope, lane: (i: number) => string): CText {
  const element = type.dtype === "bool" ? "i32" : vecElement(type.dtype);
  return atom(`(${scope.prelude.vec(element, type.lanes)}){${Array.from({ length: type.lanes }, (_, i) => lane(i)).join(", ")}}`);
}

/** A function of one scalar applied to a scalar, or to each lane. */
function unaryCall(p: Prim, scope: Scope, name: (d: DType) => string): CText {
  const x = arg(p, 0);
  const fn = name(dtypeOf(x.type));
  if (!isVec(p.type)) return callText(fn, [expression(x, scope).text]);
  const v = repeatable(x, scope, "v");
  return lanewise(p.type, scope, (i) => `${fn}(${v}[${i}])`);
}

function binaryCall(p: Prim, scope: Scope, name: (d: DType) => string): CText {
  const [x, y] = [arg(p, 0), arg(p, 1)];
  const fn = name(dtypeOf(x.type));
  if (!isVec(p.type)) return callText(fn, plain(p, scope));
  const a = repeatable(x, scope, "a");
  const b = repeatable(y, scope, "b");
  return lanewise(p.type, scope, (i) => `${fn}(${a}[${i}], ${b}[${i}])`);
}

const mathName =
  (name: string) =>
  (d: DType): string =>
    d === "f32" ? `${name}f` : name;

// — arithmetic —

const INT64_SAFE = 2 ** 53;

/** Integers that C computes in `int`: results are cut to their own type. */
const isNarrow = (d: DType): boolean => isInteger(d) && DTYPES[d].bits < 32;

/** Whether the exact result is known to fit, so that C's own operator says the same as the wrapping one. */
function provedToFit(p: Prim, scope: Scope): boolean {
  const d = dtypeOf(p.type);
  if (!mayOverflow(d)) return true;
  if (p.args.every((a) => a.kind === "Const")) return false; // C would compute two small literals in int
  const { lo, hi } = scope.range(p);
  return DTYPES[d].bits === 64 && lo > -INT64_SAFE && hi < INT64_SAFE;
}

const arithmetic =
  (op: "add" | "sub" | "mul", sign: string, level: number): Emit =>
  (p, scope) => {
    const d = dtypeOf(p.type);
    if (isVec(p.type)) return isFloat(d) ? infix(p, sign, level, scope) : wrappingVector(p, sign, p.type, scope);
    if (d === "u8") return { text: `(uint8_t)(${infix(p, sign, level, scope).text})`, level: LEVEL.unary };
    if (!isNarrow(d) && provedToFit(p, scope)) return infix(p, sign, level, scope);
    return callText(scope.prelude.wrapping(op, d), plain(p, scope));
  };

/** Integer vectors wrap through their unsigned type. */
function wrappingVector(p: Prim, sign: string, type: VecType, scope: Scope): CText {
  const own = scope.prelude.vec(vecElement(type.dtype), type.lanes);
  const unsigned = scope.prelude.vec(unsignedElement(DTYPES[type.dtype].bits), type.lanes);
  const [a, b] = p.args.map((x) => `(${unsigned})${operand(x, LEVEL.atom, scope)}`);
  return { text: `(${own})(${a} ${sign} ${b})`, level: LEVEL.unary };
}

const division: Emit = (p, scope) => infix(p, "/", LEVEL.mul, scope);

const floorDiv: Emit = (p, scope) => {
  const d = dtypeOf(p.type);
  if (!isVec(p.type) && idle(p, scope)) return infix(p, "/", LEVEL.mul, scope);
  return binaryCall(p, scope, () => scope.prelude.floorDiv(d));
};

const floorMod: Emit = (p, scope) => {
  const d = dtypeOf(p.type);
  if (!isVec(p.type) && idle(p, scope)) return infix(p, "%", LEVEL.mul, scope);
  return binaryCall(p, scope, () => scope.prelude.floorMod(d));
};

/** Dividend not negative and divisor positive: truncation floors, and nothing divides by zero. */
function idle(p: Prim, scope: Scope): boolean {
  return mayOverflow(dtypeOf(p.type)) && !p.args.every((a) => a.kind === "Const") && scope.range(arg(p, 0)).lo >= 0 && scope.range(arg(p, 1)).lo > 0;
}

const negation: Emit = (p, scope) => {
  const d = dtypeOf(p.type);
  const x = arg(p, 0);
  if (isFloat(d)) return { text: `-${operand(x, LEVEL.atom, scope)}`, level: LEVEL.unary };
  if (isVec(p.type)) {
    const own = scope.prelude.vec(vecElement(d), p.type.lanes);
    const unsigned = scope.prelude.vec(unsignedElement(DTYPES[d].bits), p.type.lanes);
    return { text: `(${own})(0 - (${unsigned})${operand(x, LEVEL.atom, scope)})`, level: LEVEL.unary };
  }
  return callText(scope.prelude.negate(d), plain(p, scope));
};

const absolute: Emit = (p, scope) => {
  const d = dtypeOf(p.type);
  if (isFloat(d)) return unaryCall(p, scope, mathName("fabs"));
  if (!mayOverflow(d)) return expression(arg(p, 0), scope);
  return unaryCall(p, scope, () => scope.prelude.absolute(d));
};

/** Bitwise operators: integers, bools and masks alike. */
const bitwise =
  (sign: string): Emit =>
  (p, scope) => {
    if (isVec(p.type) && p.type.dtype === "bool") return maskLogic(p, sign, scope);
    const text = `${operand(arg(p, 0), LEVEL.atom, scope)} ${sign} ${operand(arg(p, 1), LEVEL.atom, scope)}`;
    return isNarrow(dtypeOf(p.type)) && !isVec(p.type) ? { text: `(${scalarName(dtypeOf(p.type))})(${text})`, level: LEVEL.unary } : { text, level: LEVEL.ternary };
  };

function maskLogic(p: Prim, sign: string, scope: Scope): CText {
  const bits = maskBitsOf(p, scope);
  return { text: `${mask(arg(p, 0), bits, scope)} ${sign} ${mask(arg(p, 1), bits, scope)}`, level: LEVEL.ternary };
}

const shift =
  (op: "shl" | "shr"): Emit =>
  (p, scope) => {
    const amount = arg(p, 1);
    const bits = DTYPES[dtypeOf(p.type)].bits;
    const literalAmount = amount.kind === "Const" && typeof amount.value === "bigint" && amount.value >= 0n && amount.value < BigInt(bits) ? amount.value : undefined;
    if (isVec(p.type) && literalAmount !== undefined) {
      if (op === "shr") return { text: `${operand(arg(p, 0), LEVEL.atom, scope)} >> ${literalAmount}`, level: LEVEL.ternary };
      const own = scope.prelude.vec(vecElement(p.type.dtype), p.type.lanes);
      const unsigned = scope.prelude.vec(unsignedElement(bits), p.type.lanes);
      return { text: `(${own})((${unsigned})${operand(arg(p, 0), LEVEL.atom, scope)} << ${literalAmount})`, level: LEVEL.unary };
    }
    return binaryCall(p, scope, (d) => scope.prelude.shift(op, d));
  };

const invert: Emit = (p, scope) => {
  const text = `~${operand(arg(p, 0), LEVEL.atom, scope)}`;
  return isNarrow(dtypeOf(p.type)) && !isVec(p.type) ? { text: `(${scalarName(dtypeOf(p.type))})${text}`, level: LEVEL.unary } : { text, level: LEVEL.unary };
};

// — logic and comparison —

const logic =
  (sign: "&&" | "||"): Emit =>
  (p, scope) => {
    if (isVec(p.type)) return maskLogic(p, sign === "&&" ? "&" : "|", scope);
    return { text: `${operand(arg(p, 0), LEVEL.compare, scope)} ${sign} ${operand(arg(p, 1), LEVEL.compare, scope)}`, level: LEVEL.logic };
  };

const not: Emit = (p, scope) => ({ text: `${isVec(p.type) ? "~" : "!"}${operand(arg(p, 0), LEVEL.atom, scope)}`, level: LEVEL.unary });

const compare =
  (sign: string): Emit =>
  (p, scope) => {
    const [a, b] = [arg(p, 0), arg(p, 1)];
    if (isVec(a.type) && a.type.dtype === "bool") return compareMasks(p, sign, scope);
    // parenthesised operands: comparing a comparison is legal here and a warning in C
    return { text: `${operand(a, LEVEL.add, scope)} ${sign} ${operand(b, LEVEL.add, scope)}`, level: LEVEL.compare };
  };

/** On masks true is -1, so the order of false and true turns around. */
function compareMasks(p: Prim, sign: string, scope: Scope): CText {
  const turned = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" }[sign] ?? sign;
  return maskLogic(p, turned, scope);
}

const extreme =
  (op: "max" | "min"): Emit =>
  (p, scope) => {
    const d = dtypeOf(p.type);
    if (!isVec(p.type)) return callText(isFloat(d) ? scope.prelude.floatExtreme(op, d) : scope.prelude.integerExtreme(op, d), plain(p, scope));
    return isFloat(d) ? floatVectorExtreme(op, p, p.type, scope) : integerVectorExtreme(op, p, p.type, scope);
  };

function chosen(type: VecType, cond: string, a: string, b: string, scope: Scope): string {
  const integer = scope.prelude.vec(maskElement(DTYPES[type.dtype].bits), type.lanes);
  const own = scope.prelude.vec(vecElement(type.dtype), type.lanes);
  return `(${own})((${cond} & (${integer})${a}) | (~${cond} & (${integer})${b}))`;
}

function integerVectorExtreme(op: "max" | "min", p: Prim, type: VecType, scope: Scope): CText {
  const a = repeatable(arg(p, 0), scope, "a");
  const b = repeatable(arg(p, 1), scope, "b");
  const wins = scope.declare(scope.prelude.vec(maskElement(DTYPES[type.dtype].bits), type.lanes), "wins", `${a} ${op === "max" ? ">" : "<"} ${b}`);
  return { text: chosen(type, wins, a, b, scope), level: LEVEL.unary };
}

/**
 * Lanes where one is larger take it. Where neither is, the operands are equal (then the bits differ at most in the sign of zero:
 * `and` gives the positive zero, `or` the negative) or unordered (then the sum is NaN).
 */
function floatVectorExtreme(op: "max" | "min", p: Prim, type: VecType, scope: Scope): CText {
  const integer = scope.prelude.vec(maskElement(DTYPES[type.dtype].bits), type.lanes);
  const own = scope.prelude.vec(vecElement(type.dtype), type.lanes);
  const a = repeatable(arg(p, 0), scope, "a");
  const b = repeatable(arg(p, 1), scope, "b");
  const sign = op === "max" ? ">" : "<";
  const wins = scope.declare(integer, "wins", `${a} ${sign} ${b}`);
  const loses = scope.declare(integer, "loses", `${b} ${sign} ${a}`);
  const equal = scope.declare(integer, "equal", `${a} == ${b}`);
  const tie = `((${integer})${a} ${op === "max" ? "&" : "|"} (${integer})${b})`;
  const text = `(${own})((${wins} & (${integer})${a}) | (${loses} & (${integer})${b}) | (${equal} & ${tie}) | (~(${wins} | ${loses} | ${equal}) & (${integer})(${a} + ${b})))`;
  return { text, level: LEVEL.unary };
}

const select: Emit = (p, scope) => {
  const [cond, a, b] = [arg(p, 0), arg(p, 1), arg(p, 2)];
  if (!isVec(p.type)) {
    return { text: `${operand(cond, LEVEL.compare, scope)} ? ${operand(a, LEVEL.compare, scope)} : ${operand(b, LEVEL.compare, scope)}`, level: LEVEL.ternary };
  }
  if (p.type.dtype === "bool") {
    const bits = maskBitsOf(p, scope);
    const m = scope.declare(scope.prelude.vec(maskElement(bits), p.type.lanes), "m", mask(cond, bits, scope));
    return { text: `(${m} & ${mask(a, bits, scope)}) | (~${m} & ${mask(b, bits, scope)})`, level: LEVEL.ternary };
  }
  const bits = DTYPES[p.type.dtype].bits;
  const m = scope.declare(scope.prelude.vec(maskElement(bits), p.type.lanes), "m", mask(cond, bits, scope));
  return { text: chosen(p.type, m, operand(a, LEVEL.atom, scope), operand(b, LEVEL.atom, scope), scope), level: LEVEL.unary };
};

// — conversion —

const cast: Emit = (p, scope) => {
  const x = arg(p, 0);
  const from = dtypeOf(x.type);
  const to = dtypeOf(p.type);
  if (from === to || (CTYPES[from].scalar === CTYPES[to].scalar && from !== "bool")) return expression(x, scope);
  if (isVec(p.type)) return castVector(p, p.type, from, to, scope);
  if (to === "bool") return { text: `${operand(x, LEVEL.add, scope)} != 0`, level: LEVEL.compare };
  if (isFloat(from) && isInteger(to)) return callText(scope.prelude.floatToInt(from, to, p.attrs.mode ?? "trunc"), plain(p, scope));
  return { text: `(${scalarName(to)})${operand(x, LEVEL.atom, scope)}`, level: LEVEL.unary };
};

function castVector(p: Prim, type: VecType, from: DType, to: DType, scope: Scope): CText {
  const x = arg(p, 0);
  if (from === "bool") {
    const v = repeatable(x, scope, "v");
    return lanewise(type, scope, (i) => `(${scalarName(to)})(${v}[${i}] != 0)`);
  }
  if (to === "bool") {
    const { text } = splatText(vecElement(from), type.lanes, "0", scope);
    return { text: `${operand(x, LEVEL.atom, scope)} != ${text}`, level: LEVEL.ternary };
  }
  if (isFloat(from) && isInteger(to)) return unaryCall(p, scope, () => scope.prelude.floatToInt(from, to, p.attrs.mode ?? "trunc"));
  return callText("__builtin_convertvector", [expression(x, scope).text, scope.prelude.vec(vecElement(to), type.lanes)]);
}

const bitcast: Emit = (p, scope) => {
  const from = dtypeOf(arg(p, 0).type);
  const to = dtypeOf(p.type);
  if (CTYPES[from].scalar === CTYPES[to].scalar) return expression(arg(p, 0), scope);
  if (isVec(p.type)) return { text: `(${scope.prelude.vec(vecElement(to), p.type.lanes)})${operand(arg(p, 0), LEVEL.atom, scope)}`, level: LEVEL.unary };
  return callText(scope.prelude.bitcast(from, to), plain(p, scope));
};

// — fused and not —

const fma: Emit = (p, scope) => {
  const name = mathName("fma")(dtypeOf(p.type));
  if (!isVec(p.type)) return callText(name, plain(p, scope));
  const [a, b, c] = p.args.map((x) => repeatable(x, scope, "v"));
  return lanewise(p.type, scope, (i) => `${name}(${a}[${i}], ${b}[${i}], ${c}[${i}])`);
};

/** Two roundings: the profile says that this target does not fuse. On integers the product wraps, then the sum. */
const mad: Emit = (p, scope) => {
  const product: Prim = { ...p, op: "mul", args: [arg(p, 0), arg(p, 1)] };
  return PRIM_TEXT.add({ ...p, op: "add", args: [product, arg(p, 2)] }, scope);
};

// — vectors —

const splat: Emit = (p, scope) => {
  invariant(isVec(p.type), () => "splat of no vector type");
  const one = repeatable(arg(p, 0), scope, "s");
  const element = p.type.dtype === "bool" ? "i32" : vecElement(p.type.dtype);
  return splatText(element, p.type.lanes, p.type.dtype === "bool" ? `-(int32_t)${one}` : one, scope);
};

const lane: Emit = (p, scope) => {
  const text = `${repeatable(arg(p, 0), scope, "v")}[${p.attrs.index ?? 0}]`;
  return dtypeOf(p.type) === "bool" ? { text: `${text} != 0`, level: LEVEL.ternary } : atom(text);
};

const REDUCERS = { add: "add", mul: "mul", max: "max", min: "min", and: "and", or: "or" } as const satisfies Record<ReduceKind, PrimOp>;

/** Lanes i and i + n/2 are combined until one is left. */
const reduce: Emit = (p, scope) => {
  const v = arg(p, 0);
  invariant(isVec(v.type), () => "reduce of no vector");
  const { lanes, dtype } = v.type;
  const name = repeatable(v, scope, "v");
  const op = REDUCERS[p.attrs.kind ?? "add"];
  let parts = Array.from({ length: lanes }, (_, i) => (dtype === "bool" ? `(${name}[${i}] != 0)` : `${name}[${i}]`));
  while (parts.length > 1) {
    const half = parts.length / 2;
    parts = parts.slice(0, half).map((left, i) => combined(op, dtype, left, parts[i + half] ?? "", scope));
  }
  return atom(parts[0] ?? "0");
};

function combined(op: (typeof REDUCERS)[ReduceKind], d: DType, a: string, b: string, scope: Scope): string {
  switch (op) {
    case "and":
      return `(${a} && ${b})`;
    case "or":
      return `(${a} || ${b})`;
    case "max":
    case "min":
      return `${isFloat(d) ? scope.prelude.floatExtreme(op, d) : scope.prelude.integerExtreme(op, d)}(${a}, ${b})`;
    case "add":
    case "mul":
      return isFloat(d) ? `(${a} ${op === "add" ? "+" : "*"} ${b})` : `${scope.prelude.wrapping(op, d)}(${a}, ${b})`;
  }
}

// — memory —

/** Row-major offset of an element. */
function offsetText(buffer: TensorType, indices: readonly Expr[], scope: Scope): string {
  let text = "";
  for (const [axis, index] of indices.entries()) {
    const extent = buffer.shape[axis];
    const own = operand(index, LEVEL.add, scope);
    if (axis === 0) text = own;
    else {
      const scaled = text === "0" ? "" : `${/^[\w.]+$/.test(text) ? text : `(${text})`} * ${dimText(extent ?? 1, scope)}`;
      text = scaled === "" ? own : own === "0" ? scaled : `${scaled} + ${own}`;
    }
  }
  return text === "" ? "0" : text;
}

/** An extent as an operand of a product. */
function dimText(extent: TensorType["shape"][number], scope: Scope): string {
  return typeof extent === "number" ? String(extent) : operand(scope.extentExpr(extent), LEVEL.atom, scope);
}

function split(p: Prim, values: number): { buffer: Expr; type: TensorType; indices: readonly Expr[]; value: Expr | undefined; cond: Expr | undefined } {
  const buffer = arg(p, 0);
  invariant(buffer.type.kind === "Tensor", () => `${p.op} of no buffer`);
  const rank = buffer.type.shape.length;
  return {
    buffer,
    type: buffer.type,
    indices: p.args.slice(1, 1 + rank),
    value: values === 1 ? p.args[1 + rank] : undefined,
    cond: p.attrs.masked ? p.args[1 + rank + values] : undefined,
  };
}

const load: Emit = (p, scope) => {
  const { buffer, type, indices, cond } = split(p, 0);
  const name = scope.names.of(buffer as Extract<Expr, { kind: "Var" }>); // verified: buffers are variables
  const at = offsetText(type, indices, scope);
  if (isVec(p.type)) return vectorLoad(p.type, name, at, cond, scope);
  const element = type.dtype === "bool" ? `${name}[${at}] != 0` : `${name}[${at}]`;
  const level = type.dtype === "bool" ? LEVEL.ternary : LEVEL.atom;
  if (cond === undefined) return { text: element, level };
  const zero = type.dtype === "bool" ? "false" : isFloat(type.dtype) ? (type.dtype === "f32" ? "0.0f" : "0.0") : "0";
  return { text: `${operand(cond, LEVEL.compare, scope)} ? ${level === LEVEL.atom ? element : `(${element})`} : ${zero}`, level: LEVEL.ternary };
};

function vectorLoad(type: VecType, name: string, at: string, cond: Expr | undefined, scope: Scope): CText {
  if (cond === undefined && type.dtype !== "bool") {
    const element = vecElement(type.dtype);
    scope.prelude.vec(element, type.lanes);
    return { text: `*(const ${scope.prelude.vecInMemory(element, type.lanes)} *)&${name}[${at}]`, level: LEVEL.unary };
  }
  const base = /^\w+$/.test(at) ? at : scope.declare("int64_t", "at", at);
  const m = cond === undefined ? undefined : repeatable(cond, scope, "m");
  const element = (i: number): string => (type.dtype === "bool" ? `-(${name}[${base} + ${i}] != 0)` : `${name}[${base} + ${i}]`);
  return lanewise(type, scope, (i) => (m === undefined ? element(i) : `${m}[${i}] ? ${element(i)} : 0`));
}

/** The assignment that a store is; several for a masked vector. */
const store: Emit = (p, scope) => {
  const { buffer, type, indices, value, cond } = split(p, 1);
  invariant(value !== undefined, () => "store without a value");
  const name = scope.names.of(buffer as Extract<Expr, { kind: "Var" }>); // verified: buffers are variables
  const at = offsetText(type, indices, scope);
  if (isVec(value.type)) return vectorStore(value.type, name, at, value, cond, scope);
  const text = `${name}[${at}] = ${expression(value, scope).text}`;
  return atom(cond === undefined ? text : `if (${expression(cond, scope).text}) ${text}`);
};

function vectorStore(type: VecType, name: string, at: string, value: Expr, cond: Expr | undefined, scope: Scope): CText {
  if (cond === undefined && type.dtype !== "bool") {
    return atom(`*(${scope.prelude.vecInMemory(vecElement(type.dtype), type.lanes)} *)&${name}[${at}] = ${expression(value, scope).text}`);
  }
  const base = /^\w+$/.test(at) ? at : scope.declare("int64_t", "at", at);
  const v = repeatable(value, scope, "v");
  const m = cond === undefined ? undefined : repeatable(cond, scope, "m");
  const lanes = Array.from({ length: type.lanes }, (_, i) => {
    const one = `${name}[${base} + ${i}] = ${v}[${i}]${type.dtype === "bool" ? " != 0" : ""}`;
    return m === undefined ? one : `if (${m}[${i}]) ${one}`;
  });
  for (const one of lanes.slice(0, -1)) scope.before(`${one};`);
  return atom(lanes[lanes.length - 1] ?? "");
}

const notHere: Emit = (p) => {
  throw new Error(`internal error of TileFoundry (please report it): ${p.op} reached the C emitter as an expression`);
};

export const PRIM_TEXT: Readonly<Record<PrimOp, Emit>> = {
  add: arithmetic("add", "+", LEVEL.add),
  sub: arithmetic("sub", "-", LEVEL.add),
  mul: arithmetic("mul", "*", LEVEL.mul),
  div: division,
  floordiv: floorDiv,
  mod: floorMod,
  bitand: bitwise("&"),
  bitor: bitwise("|"),
  bitxor: bitwise("^"),
  shl: shift("shl"),
  shr: shift("shr"),
  and: logic("&&"),
  or: logic("||"),
  eq: compare("=="),
  ne: compare("!="),
  lt: compare("<"),
  le: compare("<="),
  gt: compare(">"),
  ge: compare(">="),
  max: extreme("max"),
  min: extreme("min"),
  neg: negation,
  invert,
  not,
  abs: absolute,
  sqrt: (p, scope) => unaryCall(p, scope, mathName("sqrt")),
  floor: (p, scope) => unaryCall(p, scope, mathName("floor")),
  ceil: (p, scope) => unaryCall(p, scope, mathName("ceil")),
  rint: (p, scope) => unaryCall(p, scope, mathName("rint")),
  select,
  cast,
  bitcast,
  fma,
  mad,
  ...forMath(notHere),
  splat,
  lane,
  reduce,
  alloc_tensor: notHere,
  load,
  store,
  barrier: notHere,
};

