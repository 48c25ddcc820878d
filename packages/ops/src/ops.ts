// The ops context: which ops there are and how they are called. A context is never changed; `extendOps` gives a new one, and
// the built-in ops come in through it too.

import { type Dialect, type PrimOp } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { BUILTINS } from "./builtins.ts";
import type { OpRecord } from "./define.ts";

export interface Ops {
  byName(name: string): OpRecord | undefined;
  /** The op spelt `pl.<spelled>` or `tf.<spelled>`; `tile.` and `tensor.` before a name that is not listed with them are looked through. */
  find(namespace: Dialect, spelled: string): OpRecord | undefined;
  /** The op that applies a primitive to each element: `add` for the `+` of arrays. */
  elementwise(prim: PrimOp): OpRecord | undefined;
  names(): readonly string[];
  spellings(namespace: Dialect): readonly string[];
}

interface Tables {
  readonly byName: ReadonlyMap<string, OpRecord>;
  readonly spelled: Readonly<Record<Dialect, ReadonlyMap<string, OpRecord>>>;
  readonly byPrim: ReadonlyMap<PrimOp, OpRecord>;
}

const tablesOf = new WeakMap<Ops, Tables>();

const NO_OPS = context({ byName: new Map(), spelled: { pl: new Map(), tf: new Map() }, byPrim: new Map() });

/** A name or spelling of a record that another op of the context has; for those who take ops from users. */
export function takenName(ops: Ops, record: OpRecord): string | undefined {
  if (ops.byName(record.name) !== undefined) return record.name;
  for (const namespace of ["pl", "tf"] as const) {
    const spelled = record[namespace].find((name) => ops.spellings(namespace).includes(name));
    if (spelled !== undefined) return `${namespace}.${spelled}`;
  }
  return undefined;
}

/** The context with one more op, whose names must be free. */
export function extendOps(ops: Ops, record: OpRecord): Ops {
  const known = tablesOf.get(ops);
  invariant(known !== undefined, () => "an ops context that was not made by extendOps");
  return context(withRecord(known, record));
}

function withRecord(known: Tables, record: OpRecord): Tables {
  return {
    byName: added(known.byName, [record.name], record),
    spelled: { pl: added(known.spelled.pl, record.pl, record), tf: added(known.spelled.tf, record.tf, record) },
    byPrim: record.scalar === undefined ? known.byPrim : added(known.byPrim, [record.scalar], record),
  };
}

function added<K extends string>(table: ReadonlyMap<K, OpRecord>, keys: readonly K[], record: OpRecord): ReadonlyMap<K, OpRecord> {
  if (keys.length === 0) return table;
  const next = new Map(table);
  for (const key of keys) {
    invariant(!next.has(key), () => `two ops are called ${key}`);
    next.set(key, record);
  }
  return next;
}

function context(tables: Tables): Ops {
  const ops: Ops = {
    byName: (name) => tables.byName.get(name),
    find: (namespace, spelled) => tables.spelled[namespace].get(spelled) ?? tables.spelled[namespace].get(spelled.replace(/^(tile|tensor)\./, "")),
    elementwise: (prim) => tables.byPrim.get(prim),
    names: () => [...tables.byName.keys()],
    spellings: (namespace) => [...tables.spelled[namespace].keys()],
  };
  tablesOf.set(ops, tables);
  return ops;
}

export const builtinOps: Ops = Object.values<OpRecord>(BUILTINS).reduce(extendOps, NO_OPS);

/** How an op is written after `pl.` or `tf.`: in the namespace of the dialect, or in the other where that lacks it. */
export function spellingOf(record: OpRecord, dialect: Dialect): { readonly namespace: Dialect; readonly name: string } {
  const own = record[dialect][0];
  if (own !== undefined) return { namespace: dialect, name: own };
  const other = dialect === "pl" ? "tf" : "pl";
  return { namespace: other, name: record[other][0] ?? record.name };
}
