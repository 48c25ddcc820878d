// Math functions to more digits than any dtype has, in integers; and distances in units in the last place.

const BITS = 1200n;
const ONE = 1n << BITS;

/** ln 2 as 2 atanh(1/3). */
const LN2 = ((): bigint => {
  let sum = 0n;
  let power = ONE / 3n;
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n;
    power /= 9n;
  }
  return 2n * sum;
})();

/** A number as a multiple of 2^-BITS, exactly. */
function fixed(x: number): bigint {
  let exponent = 0n;
  let mantissa = x;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent++;
  }
  return (BigInt(mantissa) << BITS) >> exponent;
}

/** exp(x), as a multiple of 2^-BITS. */
export const exactExp = (x: number): bigint => expOf(fixed(x));

/** 2^x. */
export const exactExp2 = (x: number): bigint => expOf((fixed(x) * LN2) >> BITS);

export function exactTanh(x: number): bigint {
  const e = expOf(2n * fixed(x));
  return ((e - ONE) << BITS) / (e + ONE);
}

/** The logarithm of a positive number: k ln 2 + 2 atanh((m - 1) / (m + 1)). */
export function exactLog(x: number): bigint {
  const k = Math.floor(Math.log2(x));
  const m = k >= 0 ? fixed(x) >> BigInt(k) : fixed(x) << BigInt(-k);
  const s = ((m - ONE) << BITS) / (m + ONE);
  const square = (s * s) >> BITS;
  let sum = 0n;
  let power = s;
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n;
    power = (power * square) >> BITS;
  }
  return 2n * sum + BigInt(k) * LN2;
}

export const exactLog2 = (x: number): bigint => (exactLog(x) << BITS) / LN2;

function expOf(at: bigint): bigint {
  const n = at / LN2;
  const r = at - n * LN2;
  let term = ONE;
  let sum = 0n;
  for (let k = 1n; term !== 0n; k++) {
    sum += term;
    term = ((term * r) >> BITS) / k;
  }
  return n >= 0n ? sum << n : sum >> -n;
}

/** Distance of a result from the exact value in units of the last place of the exact one, for a format of `digits` bits. */
export function ulpsBetween(result: number, exact: bigint | number, digits: number, leastExponent: number): number {
  if (typeof exact === "number" && Math.abs(exact) < 2 ** -1000) return result === exact ? 0 : Infinity;
  const wanted = typeof exact === "number" ? fixed(exact) : exact;
  const limit = (1n << BigInt(digits === 24 ? 128 : 1024)) << BITS;
  if (!Number.isFinite(result)) return wanted >= limit - (limit >> BigInt(digits + 1)) ? 0 : Infinity;
  const size = wanted < 0n ? -wanted : wanted;
  const exponent = BigInt(size.toString(2).length - 1) - BITS;
  const last = exponent - BigInt(digits - 1) < BigInt(leastExponent) ? BigInt(leastExponent) : exponent - BigInt(digits - 1);
  const difference = fixed(result) - wanted;
  const scale = BITS + last;
  return Number(((difference < 0n ? -difference : difference) * 4096n) >> scale) / 4096;
}
