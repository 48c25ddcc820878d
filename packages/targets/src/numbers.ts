// Decimal text of f32 values.

/** The shortest decimal that rounds to the same f32. */
export function shortestSingle(value: number): string {
  for (let precision = 1; precision < 9; precision++) {
    const digits = Number(value.toPrecision(precision));
    if (Math.fround(digits) === value) return String(digits);
  }
  return String(Number(value.toPrecision(9)));
}
