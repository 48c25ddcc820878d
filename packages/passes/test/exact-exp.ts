// exp to more digits than any dtype has, in integers; and distances in units in the last place.

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
export function exactExp(x: number): bigint {
  const at = fixed(x);
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
