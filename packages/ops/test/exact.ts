// Exact reference arithmetic for the tests: floats as integers times a power of two, rounded to a format in one place.

/** `significand * 2**exponent`. */
export interface Exact {
  readonly significand: bigint;
  readonly exponent: number;
}

interface Format {
  readonly digits: number;
  /** Exponent of the least subnormal. */
  readonly least: number;
  readonly most: number;
}

export const FORMATS = { f32: { digits: 24, least: -149, most: 2 ** 127 * (2 - 2 ** -23) }, f64: { digits: 53, least: -1074, most: Number.MAX_VALUE } } as const satisfies Readonly<
  Record<"f32" | "f64", Format>
>;

/** A finite double, by repeated doubling until it is whole. */
export function exactOf(value: number): Exact {
  let [x, exponent] = [value, 0];
  while (!Number.isInteger(x)) [x, exponent] = [x * 2, exponent - 1];
  return { significand: BigInt(x), exponent };
}

export const times = (a: Exact, b: Exact): Exact => ({ significand: a.significand * b.significand, exponent: a.exponent + b.exponent });

export function plus(a: Exact, b: Exact): Exact {
  const exponent = Math.min(a.exponent, b.exponent);
  const at = (x: Exact): bigint => x.significand << BigInt(x.exponent - exponent);
  return { significand: at(a) + at(b), exponent };
}

/** The nearest number of a format, ties to even. An exact zero is +0. */
export function rounded({ significand, exponent }: Exact, { digits, least, most }: Format): number {
  const negative = significand < 0n;
  let [n, e] = [negative ? -significand : significand, exponent];
  const drop = Math.max(n.toString(2).length - digits, least - e);
  if (drop > 0) {
    const unit = 1n << BigInt(drop);
    const [whole, rest] = [n / unit, n % unit];
    const up = rest * 2n > unit || (rest * 2n === unit && whole % 2n === 1n);
    [n, e] = [up ? whole + 1n : whole, e + drop];
  }
  let magnitude = Number(n);
  for (; e > 0 && Number.isFinite(magnitude); e--) magnitude *= 2;
  for (; e < 0; e++) magnitude /= 2;
  if (magnitude > most) magnitude = Infinity;
  return negative ? -magnitude : magnitude;
}
