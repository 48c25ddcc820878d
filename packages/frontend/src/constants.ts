// Names of a module by where they are defined. A function is read when it is first called, which may be above its own place in the text, or
// below a name's next definition: it sees what is defined above itself.

import type { Bindings, Constant, Constants } from "./context.ts";

interface Entry {
  readonly place: number;
  readonly constant: Constant;
}

/** Bindings win over what the text says of a name. */
export function moduleNames(outer?: Constants, bindings?: Bindings): Constants {
  const entries = new Map<string, Entry[]>();
  const values = new Set<string>();
  let rest: Constant | undefined;
  let place = 0;
  const names: Constants = {
    get: (name) => given(name, bindings) ?? entries.get(name)?.at(-1)?.constant ?? outer?.get(name) ?? rest,
    set: (name, constant) => {
      if (constant.kind !== "function" && constant.kind !== "module") bindings?.met.add(name);
      if (constant.kind === "value" || constant.kind === "poison" || constant.kind === "host") values.add(name);
      const known = entries.get(name);
      if (known === undefined) entries.set(name, [{ place, constant }]);
      else known.push({ place, constant });
    },
    keys: () => (outer === undefined ? entries.keys() : new Set([...entries.keys(), ...outer.keys()])),
    values: () => (outer === undefined ? values : new Set([...values, ...outer.values()])),
    open: (because) => {
      const [first] = because;
      if (first !== undefined) rest ??= { kind: "host", span: first.span, because };
    },
    advance: () => void place++,
    here: () => {
      const seen = place;
      return { get: (name) => given(name, bindings) ?? at(entries.get(name), seen) ?? outer?.get(name) ?? rest, set: names.set, keys: names.keys, values: names.values };
    },
  };
  return names;
}

function given(name: string, bindings: Bindings | undefined): Constant | undefined {
  const constant = bindings?.values.get(name);
  if (constant !== undefined) bindings?.met.add(name);
  return constant;
}

function at(entries: readonly Entry[] | undefined, place: number): Constant | undefined {
  return entries?.findLast((e) => e.place <= place)?.constant;
}
