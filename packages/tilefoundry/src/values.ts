// Values for holes: dtypes and bounded symbolic extents.

import type { HoleValue } from "@tilefoundry/frontend";
import type { DType } from "@tilefoundry/ir";

/** A dtype for a hole: tf`… Tensor[(N,), ${dtype("f32")}] …`. */
export function dtype(name: DType): HoleValue {
  return { kind: "dtype", dtype: name };
}

/** A symbolic extent in `[lo, hi)`. */
export function DimVar(name: string, lo = 0, hi = 2 ** 31): HoleValue {
  return { kind: "dimvar", name, lo, hi };
}
