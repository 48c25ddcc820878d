// Members of compile-time values: fields of records, constants of classes, and the methods of Python's own types that change nothing.

import { DTYPES } from "@tilefoundry/ir";
import { dict, pairs, sequence } from "./collections.ts";
import { describe, failed, knownCompare, truth } from "./known-ops.ts";
import { beyond, fail, type Failure } from "./python-number.ts";
import { bool, int, type Known } from "./value.ts";

type Of<K extends Known["kind"]> = Extract<Known, { readonly kind: K }>;
type Method<K extends Known["kind"]> = (self: Of<K>, args: readonly Known[]) => Known | Failure;

const METHODS: { readonly [K in Known["kind"]]?: Readonly<Record<string, Method<K>>> } = {
  dtype: { get_byte: ({ dtype }) => int(DTYPES[dtype].bytes) },
  sequence: {
    count: ({ items }, [x]) => (x === undefined ? beyond("`count` takes a value") : int(items.filter((item) => isSame(item, x)).length)),
    index: ({ items }, [x]) => {
      const at = x === undefined ? -1 : items.findIndex((item) => isSame(item, x));
      return at < 0 ? fail(`${x === undefined ? "nothing" : describe(x)} is not in the list`) : int(at);
    },
  },
  dict: {
    get: ({ entries }, [key, otherwise]) => [...entries.values()].find((e) => key !== undefined && isSame(e.key, key))?.value ?? otherwise ?? { kind: "none" },
    keys: ({ entries }) => sequence("list", [...entries.values()].map((e) => e.key)),
    values: ({ entries }) => sequence("list", [...entries.values()].map((e) => e.value)),
    items: ({ entries }) => pairs([...entries.values()].map((e) => [e.key, e.value])),
    copy: ({ entries }) => dict([...entries.values()].map((e) => [e.key, e.value])),
  },
  string: {
    upper: ({ value }) => text(value.toUpperCase()),
    lower: ({ value }) => text(value.toLowerCase()),
    startswith: ({ value }, [x]) => withText(x, "startswith", (part) => bool(value.startsWith(part))),
    endswith: ({ value }, [x]) => withText(x, "endswith", (part) => bool(value.endsWith(part))),
    removeprefix: ({ value }, [x]) => withText(x, "removeprefix", (part) => text(value.startsWith(part) ? value.slice(part.length) : value)),
    removesuffix: ({ value }, [x]) => withText(x, "removesuffix", (part) => text(part !== "" && value.endsWith(part) ? value.slice(0, -part.length) : value)),
  },
  int: { bit_length: ({ value }) => int(value === 0n ? 0 : (value < 0n ? -value : value).toString(2).length) },
};

const text = (value: string): Known => ({ kind: "string", value });

const isSame = (a: Known, b: Known): boolean => {
  const same = knownCompare("==", a, b);
  return !failed(same) && truth(same) === true;
};

const withText = (x: Known | undefined, name: string, apply: (part: string) => Known): Known | Failure =>
  x?.kind === "string" ? apply(x.value) : beyond(`\`${name}\` takes a string`);

/** A method of a value; undefined if static evaluation knows none of that name. */
export function methodOf(self: Known, name: string): ((args: readonly Known[]) => Known | Failure) | undefined {
  const methods = METHODS[self.kind];
  const method = methods !== undefined && Object.hasOwn(methods, name) ? methods[name] : undefined;
  return method && ((args) => method(self as never, args)); // the key fixes the kind
}
