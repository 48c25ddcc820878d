// Views of arguments for the plain TypeScript references.

import { NdArray, type ArgumentValue } from "tilefoundry";

interface Plain {
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

/** The elements of an array argument as numbers. */
export function numbers(value: ArgumentValue | undefined): Plain {
  if (!(value instanceof NdArray)) throw new Error("a sample's array arguments are NdArrays");
  return { shape: value.shape, data: Array.from(value.data as ArrayLike<number>, Number) };
}


