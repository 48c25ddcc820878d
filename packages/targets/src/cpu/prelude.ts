// Small C functions that kernels use for what C's own operators do not say: wrapping, flooring, clamping, IEEE maximum.
// A kernel file holds only those it uses: types first, else in the order of first need.

import { DTYPES, isFloat, isSigned, type CastMode, type DType } from "@tilefoundry/ir";
import { CTYPES, vecBytes, vecName, vecScalar, type VecElement } from "./ctype.ts";

/** Collects what a kernel needs. */
export class Prelude {
  readonly #parts = new Map<string, string>();

  /** Types before the functions. */
  get parts(): readonly string[] {
    const all = [...this.#parts.values()];
    const isType = (part: string): boolean => part.startsWith("typedef");
    return [...all.filter(isType), ...all.filter((part) => !isType(part))];
  }

  #need(name: string, text: () => string): string {
    if (!this.#parts.has(name)) this.#parts.set(name, text());
    return name;
  }

  /** Typedef of a vector. */
  vec(element: VecElement, lanes: number): string {
    const name = vecName(element, lanes);
    const scalar = vecScalar(element);
    return this.#need(name, () => `typedef ${scalar} ${name} __attribute__((vector_size(${vecBytes(element) * lanes})));`);
  }

  /** Typedef of a vector as it lies in memory: aligned like its element, allowed to alias. */
  vecInMemory(element: VecElement, lanes: number): string {
    const bytes = vecBytes(element);
    const name = `${vecName(element, lanes)}_mem`;
    return this.#need(name, () => `typedef ${vecScalar(element)} ${name} __attribute__((vector_size(${bytes * lanes}), aligned(${bytes}), may_alias));`);
  }

  /** `+ - *` that wrap. */
  wrapping(op: "add" | "sub" | "mul", d: DType): string {
    const { scalar, wrap } = CTYPES[d];
    const sign = { add: "+", sub: "-", mul: "*" }[op];
    return this.#function(`tf_${op}_${d === "index" ? "i64" : d}`, scalar, `${scalar} a, ${scalar} b`, [`return (${scalar})((${wrap})a ${sign} (${wrap})b);`]);
  }

  negate(d: DType): string {
    const { scalar, wrap } = CTYPES[d];
    return this.#function(`tf_neg_${short(d)}`, scalar, `${scalar} a`, [`return (${scalar})(0 - (${wrap})a);`]);
  }

  absolute(d: DType): string {
    const { scalar, wrap } = CTYPES[d];
    return this.#function(`tf_abs_${short(d)}`, scalar, `${scalar} a`, [`return a < 0 ? (${scalar})(0 - (${wrap})a) : a;`]);
  }

  /** Floor division; by zero 0, the least integer by -1 wraps. */
  floorDiv(d: DType): string {
    const { scalar } = CTYPES[d];
    if (!isSigned(d)) return this.#function(`tf_floordiv_${d}`, scalar, `${scalar} a, ${scalar} b`, [`return b == 0 ? 0 : (${scalar})(a / b);`]);
    const negate = this.negate(d);
    return this.#function(`tf_floordiv_${short(d)}`, scalar, `${scalar} a, ${scalar} b`, [
      "if (b == 0) return 0;",
      `if (b == -1) return ${negate}(a);`,
      `${scalar} q = a / b;`,
      "return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;",
    ]);
  }

  /** Remainder with the divisor's sign; by zero the dividend. */
  floorMod(d: DType): string {
    const { scalar } = CTYPES[d];
    if (!isSigned(d)) return this.#function(`tf_mod_${d}`, scalar, `${scalar} a, ${scalar} b`, [`return b == 0 ? a : (${scalar})(a % b);`]);
    return this.#function(`tf_mod_${short(d)}`, scalar, `${scalar} a, ${scalar} b`, [
      "if (b == 0) return a;",
      "if (b == -1) return 0;",
      `${scalar} r = a % b;`,
      "return r != 0 && (r < 0) != (b < 0) ? r + b : r;",
    ]);
  }

  /** NaN from either side; of two zeros the positive one. */
  floatExtreme(op: "max" | "min", d: DType): string {
    const { scalar } = CTYPES[d];
    const sign = op === "max" ? ">" : "<";
    const negative = op === "max" ? "signbit(a) ? b : a" : "signbit(a) ? a : b";
    return this.#function(`tf_${op}_${d}`, scalar, `${scalar} a, ${scalar} b`, [
      "if (a != a || b != b) return a + b;",
      `if (a == b) return ${negative};`,
      `return a ${sign} b ? a : b;`,
    ]);
  }

  integerExtreme(op: "max" | "min", d: DType): string {
    const { scalar } = CTYPES[d];
    return this.#function(`tf_${op}_${short(d)}`, scalar, `${scalar} a, ${scalar} b`, [`return a ${op === "max" ? ">" : "<"} b ? a : b;`]);
  }

  /** Shift by an amount modulo the width. */
  shift(op: "shl" | "shr", d: DType): string {
    const { scalar, wrap } = CTYPES[d];
    const amount = `(b & ${DTYPES[d].bits - 1})`;
    const value = op === "shl" ? `(${scalar})((${wrap})a << ${amount})` : `(${scalar})(a >> ${amount})`;
    return this.#function(`tf_${op}_${short(d)}`, scalar, `${scalar} a, ${scalar} b`, [`return ${value};`]);
  }

  /** The same bits as another type. */
  bitcast(from: DType, to: DType): string {
    const target = CTYPES[to].scalar;
    return this.#function(`tf_bits_${short(from)}_to_${short(to)}`, target, `${CTYPES[from].scalar} a`, [
      `${target} b;`,
      "memcpy(&b, &a, sizeof b);",
      "return b;",
    ]);
  }

  /** Float to integer: rounds by the mode, clamps to the limits, NaN is 0. */
  floatToInt(from: DType, to: DType, mode: CastMode): string {
    const source = CTYPES[from].scalar;
    const { scalar, min, max } = CTYPES[to];
    const suffix = from === "f32" ? "f" : "";
    // the powers of two at the limits are exact in either float type; the largest integer itself may not be
    const low = isSigned(to) ? `-${power(DTYPES[to].bits - 1)}${suffix}` : `0.0${suffix}`;
    const high = `${power(isSigned(to) ? DTYPES[to].bits - 1 : DTYPES[to].bits)}${suffix}`;
    const rounded = mode === "trunc" ? "a" : `${mode}${suffix}(a)`;
    return this.#function(`tf_${from}_to_${short(to)}_${mode}`, scalar, `${source} a`, [
      "if (a != a) return 0;",
      `${source} r = ${rounded};`,
      `if (r <= ${low}) return ${min};`,
      `if (r >= ${high}) return ${max};`,
      `return (${scalar})r;`,
    ]);
  }

  /** Number of iterations of a half-open range with any step; a step of 0 gives none. */
  trips(): string {
    return this.#function("tf_trips", "uint64_t", "int64_t start, int64_t stop, int64_t step", [
      "if (step > 0) return start < stop ? ((uint64_t)stop - (uint64_t)start - 1) / (uint64_t)step + 1 : 0;",
      "if (step < 0) return start > stop ? ((uint64_t)start - (uint64_t)stop - 1) / (0 - (uint64_t)step) + 1 : 0;",
      "return 0;",
    ]);
  }

  #function(name: string, result: string, params: string, body: readonly string[]): string {
    return this.#need(name, () =>
      body.length === 1
        ? `static inline ${result} ${name}(${params}) { ${body[0]} }`
        : [`static inline ${result} ${name}(${params}) {`, ...body.map((line) => `    ${line}`), "}"].join("\n"),
    );
  }
}

const short = (d: DType): string => (d === "index" ? "i64" : d);

/** 2^n as a float literal without suffix. */
function power(n: number): string {
  return `${(2n ** BigInt(n)).toString()}.0`;
}

/** Whether a dtype's arithmetic may overflow into undefined behaviour in C. */
export const mayOverflow = (d: DType): boolean => isSigned(d) && !isFloat(d);
