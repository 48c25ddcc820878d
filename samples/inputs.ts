// Reproducible inputs of samples.

import { array, type NdArray } from "tilefoundry";

/** Numbers in [-1, 1) from a seed (a linear congruential generator; quality does not matter here). */
export function uniform(shape: readonly number[], seed: number, scale = 1): NdArray {
  let state = (seed * 2654435761 + 1) >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 31 - 1) * scale;
  };
  return array(Float32Array.from({ length: size(shape) }, next), { shape });
}

/** Zeros and ones. */
export function bits(shape: readonly number[], seed: number): NdArray {
  const source = uniform(shape, seed);
  return array(Uint8Array.from(source.data as Float32Array, (x) => (x > 0.2 ? 1 : 0)), { shape });
}

const size = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1);
