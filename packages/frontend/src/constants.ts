// Names of a module by where they are defined. A function is read when it is first called, which may be above its own place in the text, or
// below a name's next definition: it sees what is defined above itself.

import type { Constant, Constants } from "./context.ts";

interface Entry {
  readonly place: number;
  readonly constant: Constant;
}

export function moduleNames(outer?: Constants): Constants {
  const entries = new Map<string, Entry[]>();
  const values = new Set<string>();
  let place = 0;
  const names: Constants = {
    get: (name) => entries.get(name)?.at(-1)?.constant ?? outer?.get(name),
    set: (name, constant) => {
      if (constant.kind === "value" || constant.kind === "poison") values.add(name);
      const known = entries.get(name);
      if (known === undefined) entries.set(name, [{ place, constant }]);
      else known.push({ place, constant });
    },
    keys: () => (outer === undefined ? entries.keys() : new Set([...entries.keys(), ...outer.keys()])),
    values: () => (outer === undefined ? values : new Set([...values, ...outer.values()])),
    advance: () => void place++,
    here: () => {
      const seen = place;
      return { get: (name) => at(entries.get(name), seen) ?? outer?.get(name), set: names.set, keys: names.keys, values: names.values };
    },
  };
  return names;
}

function at(entries: readonly Entry[] | undefined, place: number): Constant | undefined {
  return entries?.findLast((e) => e.place <= place)?.constant;
}
