// Literals. Every value of every dtype has one spelling, and reading that spelling gives the value back bit for bit (the
// payload of a NaN aside).

import { make, type SExpr } from "@tilefoundry/grammar";
import { BOOL, INDEX, scalarType, type Const, type DType } from "@tilefoundry/ir";

const F32 = scalarType("f32");

/** A literal where the language has one for the type; else `T.const(value, dtype, lanes=…)`. */
export function constantExpr({ value, type }: Const): SExpr {
  const dtype = type.kind === "Scalar" || type.kind === "Vec" ? type.dtype : "index";
  const literal = literalExpr(value, dtype);
  if (type === INDEX || type === F32 || type === BOOL) return literal;
  const lanes = type.kind === "Vec" ? [make.keyword("lanes", make.integer(type.lanes))] : [];
  return make.call(make.dotted("T.const"), [literal, make.text(dtype)], lanes);
}

export function literalExpr(value: bigint | number | boolean, dtype: DType): SExpr {
  if (typeof value === "boolean") return make.truth(value);
  if (typeof value === "bigint") return make.integer(value);
  return floatExpr(value, dtype === "f32" ? Math.fround : Number);
}

/** A float by the fewest digits that `round` takes back to it. */
export function floatExpr(value: number, round: (x: number) => number = Number): SExpr {
  if (Number.isNaN(value)) return make.dotted("T.nan");
  if (value === Infinity) return make.dotted("T.inf");
  if (value === -Infinity) return make.unary("-", make.dotted("T.inf"));
  return make.float(floatDigits(value, round));
}

/** Digits with a point, or with an exponent from where Python writes one; the sign of zero stays. */
export function floatDigits(value: number, round: (x: number) => number = Number): string {
  const size = shortest(Math.abs(value), round);
  const exponent = size !== 0 && (size < 1e-4 || size >= 1e16);
  const text = exponent ? size.toExponential().replace("e+", "e") : String(size);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  return sign + (/[.e]/.test(text) ? text : `${text}.0`);
}

/** Digits a double may need. */
const MOST_DIGITS = 17;

function shortest(size: number, round: (x: number) => number): number {
  for (let digits = 1; digits < MOST_DIGITS; digits++) {
    const candidate = Number(size.toPrecision(digits));
    if (round(candidate) === size) return candidate;
  }
  return size;
}
