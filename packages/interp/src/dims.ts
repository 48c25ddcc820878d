// Compiling dims: their variables are registers, so a shape is computed where it is needed.

import { evalDim, isStatic, type Dim, type VarLike, dimVars } from "@tilefoundry/ir";
import { placeOf, type Builder } from "./builder.ts";
import { oneRegister } from "./layout.ts";
import { get64, type Machine } from "./machine.ts";

/** Code for the extents of a shape; a negative one counts as 0. */
export function compileDims(dims: readonly Dim[], b: Builder): (m: Machine) => () => readonly number[] {
  if (dims.every(isStatic)) return () => () => dims;
  const registers = new Map<VarLike, number>();
  for (const d of dims) dimVars(d, (v) => registers.set(v, oneRegister(placeOf(v, b))));
  return (m) => () => {
    const values = new Map([...registers].map(([v, register]) => [v, Number(get64(m, register))]));
    return dims.map((d) => Math.max(0, evalDim(d, values)));
  };
}
