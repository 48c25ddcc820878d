// Arrays at the front door: what the runtime reports, thrown.

import { fromNpy as readNpy, makeArray, type ArrayOptions, type ElementData, type Nested, type NdArray } from "@tilefoundry/runtime";
import type { Outcome } from "@tilefoundry/text";
import { TileFoundryError } from "./error.ts";

/**
 * An array with a copy of the elements of a typed array, of nested lists, or of one number. A typed array gives its own dtype and one axis
 * unless `options.shape` says otherwise. Throws a TileFoundryError if shape, dtype and elements do not fit.
 */
export function array(data: ElementData | Nested, options: ArrayOptions = {}): NdArray {
  return made(makeArray(data, options));
}

/** The array in the bytes of a `.npy` file, versions 1 to 3, either byte order. Throws a TileFoundryError that names the fault and the file. */
export function fromNpy(bytes: Uint8Array, name?: string): NdArray {
  return made(readNpy(bytes, name));
}

function made({ value, diagnostics }: Outcome<NdArray | undefined>): NdArray {
  if (value === undefined) throw new TileFoundryError(diagnostics);
  return value;
}
