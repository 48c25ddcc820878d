// The functions that a kernel's module may hold beside the kernel, each only if it is called.

import { fmaF32, fmaF32x4 } from "./fma.ts";
import { fmaF64 } from "./fma-f64.ts";
import { defineHelper } from "./helper.ts";
import { number, type IntType } from "./integers.ts";
import { giveBack, ifElse, op, select, type Tree, type WasmFunction } from "./tree.ts";

export const HELPERS = {
  floordiv_i32: () => floorDivision("i32"),
  floordiv_i64: () => floorDivision("i64"),
  mod_i32: () => floorModulo("i32"),
  mod_i64: () => floorModulo("i64"),
  floordiv_u32: () => unsigned("floordiv", "i32"),
  floordiv_u64: () => unsigned("floordiv", "i64"),
  mod_u32: () => unsigned("mod", "i32"),
  mod_u64: () => unsigned("mod", "i64"),
  fma_f32: fmaF32,
  fma_f32x4: fmaF32x4,
  fma_f64: fmaF64,
} as const satisfies Readonly<Record<string, () => WasmFunction>>;

export type HelperName = keyof typeof HELPERS;

const built = new Map<HelperName, WasmFunction>();

/** A function of the table, which is the same for all kernels. */
export function helperFunction(name: HelperName): WasmFunction {
  const known = built.get(name) ?? HELPERS[name]();
  built.set(name, known);
  return known;
}

function floorDivision(t: IntType): WasmFunction {
  return defineHelper(`floordiv_${t}`, { a: t, b: t }, t, "a // b, rounded down; 0 if b is 0; the least integer by -1 wraps", (s) => {
    const [a, b] = [s.param("a"), s.param("b")];
    s.do(ifElse(isZero(t, b), [giveBack(number(t, 0))]));
    s.do(ifElse(op(`${t}.eq`, [b, number(t, -1)]), [giveBack(op(`${t}.sub`, [number(t, 0), a]))]));
    const quotient = s.let("quotient", op(`${t}.div_s`, [a, b]));
    const rest = s.let("rest", op(`${t}.rem_s`, [a, b]));
    return select(op(`${t}.sub`, [quotient, number(t, 1)]), quotient, needsCorrection(t, rest, b));
  });
}

function floorModulo(t: IntType): WasmFunction {
  return defineHelper(`mod_${t}`, { a: t, b: t }, t, "a % b with the sign of b; a if b is 0", (s) => {
    const [a, b] = [s.param("a"), s.param("b")];
    s.do(ifElse(isZero(t, b), [giveBack(a)]));
    const rest = s.let("rest", op(`${t}.rem_s`, [a, b]));
    return select(op(`${t}.add`, [rest, b]), rest, needsCorrection(t, rest, b));
  });
}

function unsigned(name: "floordiv" | "mod", t: IntType): WasmFunction {
  const divides = name === "floordiv";
  const comment = divides ? "a // b without sign; 0 if b is 0" : "a % b without sign; a if b is 0";
  return defineHelper(`${name}_u${t === "i32" ? 32 : 64}`, { a: t, b: t }, t, comment, (s) => {
    const [a, b] = [s.param("a"), s.param("b")];
    s.do(ifElse(isZero(t, b), [giveBack(divides ? number(t, 0) : a)]));
    return op(`${t}.${divides ? "div" : "rem"}_u`, [a, b]);
  });
}

const isZero = (t: IntType, x: Tree): Tree => op(`${t}.eqz`, [x]);

/** Whether truncation went the wrong way: there is a remainder, and its sign is not the divisor's. */
function needsCorrection(t: IntType, rest: Tree, b: Tree): Tree {
  const signsDiffer = op(`${t}.lt_s`, [op(`${t}.xor`, [rest, b]), number(t, 0)]);
  return op("i32.and", [op(`${t}.ne`, [rest, number(t, 0)]), signsDiffer]);
}
