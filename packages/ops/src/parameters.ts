// The parameters of a record as lists, made once for each record: the binder and lowering ask for them at every call.

import { isAttr } from "./attributes.ts";
import type { AttrSpec, InputSpec, OpRecord, ParamSpec } from "./define.ts";

export interface Parameters {
  readonly all: readonly Parameter<ParamSpec>[];
  readonly inputs: readonly Parameter<InputSpec>[];
  readonly attributes: readonly Parameter<AttrSpec>[];
  /** Positions in `all` by the keywords that pass them: their own names, and those of other traditions. */
  readonly byKeyword: ReadonlyMap<string, number>;
  /** Position among the inputs of the one whose buffer is written; undefined for an op that writes none. */
  readonly written: number | undefined;
}

export interface Parameter<Spec> {
  readonly name: string;
  readonly spec: Spec;
}

const known = new WeakMap<OpRecord, Parameters>();

export function parametersOf(record: OpRecord): Parameters {
  let found = known.get(record);
  if (found === undefined) known.set(record, (found = listed(record)));
  return found;
}

function listed(record: OpRecord): Parameters {
  const all = Object.entries(record.params).map(([name, spec]) => ({ name, spec }));
  const inputs = all.flatMap(({ name, spec }) => (isAttr(spec) ? [] : [{ name, spec }]));
  const attributes = all.flatMap(({ name, spec }) => (isAttr(spec) ? [{ name, spec }] : []));
  const byKeyword = new Map(all.map(({ name }, i) => [name, i]));
  for (const [i, { spec }] of all.entries()) for (const other of spec.aka ?? []) if (!byKeyword.has(other)) byKeyword.set(other, i);
  const written = inputs.findIndex(({ name }) => name === record.writes);
  return { all, inputs, attributes, byKeyword, written: written < 0 ? undefined : written };
}
