// The error function, which JavaScript lacks, in f64: erf x = 2/sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (1 3 5 … (2n+1)). All terms
// have one sign, so that nothing cancels.

export function erf(x: number): number {
  if (x === 0 || !(Math.abs(x) <= 6)) return Math.sign(x); // zeros and NaN stay; 1 - erf 6 is below 2^-55
  let term = x;
  let sum = 0;
  for (let n = 0; sum + term !== sum; n++) {
    sum += term;
    term *= (2 * x * x) / (2 * n + 3);
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}
