// `DimVar("M", lo, hi)` and `pl.dynamic("M")`: symbolic extents that the module declares.

import { dimVar, INDEX, isStatic, variable, type DimSum } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { bindArguments, type BoundCall, type Params } from "./arguments.ts";
import { misfit } from "./complaints.ts";
import type { Extent, ExprContext, ModuleContext } from "./context.ts";
import { knownOf, knownValue, poison, type Value } from "./value.ts";

/** Extents lie in [0, 2**31) unless declared otherwise. */
export const DEFAULT_RANGE = { lo: 0, hi: 2 ** 31 } as const;

const LARGEST = Number.MAX_SAFE_INTEGER;

const DYNAMIC: Params = { name: "required" };
const DIM_VAR: Params = { name: "required", lo: "optional", hi: "optional" };
const TOPOLOGY: Params = { name: "required", size: "required" };

export function declareExtent(call: BoundCall, c: ExprContext): Value {
  const isDynamic = call.spelled.endsWith("dynamic");
  const bound = bindArguments(call, isDynamic ? DYNAMIC : DIM_VAR, c);
  const nameValue = bound?.get("name");
  if (bound === undefined || nameValue === undefined) return poison(call.span);
  const name = knownOf(nameValue);
  if (name?.kind !== "string" || !/^[A-Za-z_]\w*$/.test(name.value)) {
    misfit("the name of an extent", nameValue, "write a name in quotes, as in `DimVar(\"M\", 1, 4096)`", c);
    return poison(call.span);
  }
  const lo = boundOf(bound.get("lo"), DEFAULT_RANGE.lo, c);
  const hi = boundOf(bound.get("hi"), DEFAULT_RANGE.hi, c);
  if (lo === undefined || hi === undefined) return poison(call.span);
  const high = bound.get("hi");
  if (hi <= lo) {
    misfit("the end of a range", high ?? nameValue, `write bounds with lo < hi: the extent lies in [lo, hi), here [${lo}, ${hi})`, c);
    return poison(call.span);
  }
  return c.lookupExtent(extentDim(c.module, { name: name.value, lo, hi, span: call.span }), call.span);
}

/** `Topology("cta", 8)`: a level of parallel resources and how many there are. */
export function declareTopology(call: BoundCall, c: ExprContext): Value {
  const bound = bindArguments(call, TOPOLOGY, c);
  const [nameValue, sizeValue] = [bound?.get("name"), bound?.get("size")];
  if (nameValue === undefined || sizeValue === undefined) return poison(call.span);
  const [name, size] = [knownOf(nameValue), knownOf(sizeValue)];
  if (name?.kind !== "string" || !/^[A-Za-z_]\w*$/.test(name.value)) misfit("the name of a level", nameValue, "write a name in quotes, as in `Topology(\"cta\", 8)`", c);
  else if (size?.kind !== "int" || size.value < 1n || size.value > LARGEST) misfit("the size of a level", sizeValue, "write a positive integer", c);
  else return knownValue({ kind: "topology", topology: { name: name.value, size: Number(size.value) } }, call.span);
  return poison(call.span);
}

/** The dim of a module's extent, one for each name and range. */
export function extentDim(module: ModuleContext, extent: Omit<Extent, "var">): DimSum {
  const known = [...module.extents.values()].find((e) => e.name === extent.name && e.lo === extent.lo && e.hi === extent.hi);
  const stands = known?.var ?? variable(extent.name, INDEX, extent.span === undefined ? {} : { span: extent.span });
  if (known === undefined) module.extents.set(stands, { ...extent, var: stands });
  const dim = dimVar(stands);
  invariant(!isStatic(dim), () => "the dim of a variable is static");
  return dim;
}

function boundOf(value: Value | undefined, fallback: number, c: ExprContext): number | undefined {
  if (value === undefined) return fallback;
  const known = knownOf(value);
  const number = known?.kind === "int" ? Number(known.value) : NaN;
  if (number >= 0 && number <= LARGEST) return number;
  return misfit("a bound of an extent", value, "write an integer from 0 on", c);
}
