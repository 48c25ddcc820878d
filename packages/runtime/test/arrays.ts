// Arrays that are known to be right.

import { makeArray, type ArrayOptions, type NdArray } from "../src/index.ts";

export function array(data: Parameters<typeof makeArray>[0], options: ArrayOptions = {}): NdArray {
  const { value, diagnostics } = makeArray(data, options);
  if (value === undefined) throw new Error(diagnostics.map((d) => `${d.code}: ${d.message}`).join("\n"));
  return value;
}
