// Floor division and modulo without traps and without branches. What ranges prove costs one or two instructions; the rest is a call of a function that
// spells all cases out.

import type { Interval } from "../ranges.ts";
import { reuse, type Emit } from "./context.ts";
import { number, type IntType } from "./integers.ts";
import { call, i32, i64, op, select, type Tree } from "./tree.ts";
import { operandAt, type Build } from "./uniform.ts";

export type Signedness = "s" | "u";

const UNKNOWN: Interval = { lo: -Infinity, hi: Infinity };

/** The exponent of an operand that is a constant power of two. */
function powerOfTwo(tree: Tree): bigint | undefined {
  if (tree.kind !== "const") return undefined;
  const value = BigInt(tree.value);
  return value > 0n && (value & (value - 1n)) === 0n ? BigInt(value.toString(2).length - 1) : undefined;
}

const constant = (t: IntType, value: bigint): Tree => (t === "i32" ? i32(Number(value)) : i64(value));

export function floorDivision(t: IntType, s: Signedness): Build {
  return (operands, c, [x = UNKNOWN, y = UNKNOWN]) => {
    const [a, b] = [operandAt(operands, 0), operandAt(operands, 1)];
    const natural = s === "u" || (x.lo >= 0 && y.lo >= 0);
    const exponent = powerOfTwo(b);
    if (exponent !== undefined) return exponent === 0n ? a : op(`${t}.shr_${natural ? "u" : s}`, [a, constant(t, exponent)]);
    if (s === "u") return y.lo > 0 ? op(`${t}.div_u`, [a, b]) : call(c.helper(`floordiv_u${t === "i32" ? 32 : 64}`), [a, b]);
    if (natural) return byNatural(`${t}.div_u`, t, a, b, y, c);
    if (y.lo <= 0) return call(c.helper(`floordiv_${t}`), [a, b]);
    return correctedQuotient(t, a, b, c);
  };
}

export function floorModulo(t: IntType, s: Signedness): Build {
  return (operands, c, [x = UNKNOWN, y = UNKNOWN]) => {
    const [a, b] = [operandAt(operands, 0), operandAt(operands, 1)];
    const exponent = powerOfTwo(b);
    if (exponent !== undefined) return op(`${t}.and`, [a, constant(t, (1n << exponent) - 1n)]); // in two's complement the low bits are the floor modulo
    if (s === "u") return y.lo > 0 ? op(`${t}.rem_u`, [a, b]) : call(c.helper(`mod_u${t === "i32" ? 32 : 64}`), [a, b]);
    if (x.lo >= 0 && y.lo >= 0) return byNatural(`${t}.rem_u`, t, a, b, y, c);
    if (y.lo <= 0) return call(c.helper(`mod_${t}`), [a, b]);
    return correctedRemainder(t, a, b, c);
  };
}

/**
 * Quotient or remainder of numbers that are not negative. A divisor of 0 becomes the largest unsigned number, by which any such
 * dividend gives 0 and itself.
 */
function byNatural(name: "i32.div_u" | "i64.div_u" | "i32.rem_u" | "i64.rem_u", t: IntType, a: Tree, b: Tree, y: Interval, c: Emit): Tree {
  if (y.lo > 0) return op(name, [a, b]);
  const divisor = reuse(b, c);
  const first = divisor();
  return op(name, [a, select(first, number(t, -1), op(`${t}.ne`, [divisor(), number(t, 0)]))]);
}

/** Truncated quotient, less 1 where the remainder is negative; the divisor is positive. */
function correctedQuotient(t: IntType, a: Tree, b: Tree, c: Emit): Tree {
  const dividend = reuse(a, c);
  const divisor = reuse(b, c);
  const quotient = reuse(op(`${t}.div_s`, [dividend(), divisor()]), c);
  const first = quotient();
  const remainder = op(`${t}.sub`, [dividend(), op(`${t}.mul`, [quotient(), divisor()])]);
  return op(`${t}.add`, [first, op(`${t}.shr_s`, [remainder, number(t, t === "i32" ? 31 : 63)])]);
}

/** Truncated remainder, plus the divisor where it is negative; the divisor is positive. */
function correctedRemainder(t: IntType, a: Tree, b: Tree, c: Emit): Tree {
  const divisor = reuse(b, c);
  const remainder = reuse(op(`${t}.rem_s`, [a, divisor()]), c);
  const first = remainder();
  const sign = op(`${t}.shr_s`, [remainder(), number(t, t === "i32" ? 31 : 63)]);
  return op(`${t}.add`, [first, op(`${t}.and`, [sign, divisor()])]);
}
