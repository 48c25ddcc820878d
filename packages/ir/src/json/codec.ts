// Codecs: how a value is written as JSON and read back, with totality checked by the types. A codec is invariant in its type, so a
// list of words or kinds that lacks one of a union is no codec of the union.

import type { Code, CodeParams, Json } from "@tilefoundry/text";
import type { DimSum, FunctionNode, GraphBody, ModuleNode, Node, Type } from "../nodes.ts";

/** What has a line of its own in the file, and is referred to by the number of the line. */
export type Entry = Node | Type | DimSum | FunctionNode | GraphBody | ModuleNode;
export type Kind = Entry["kind"];
export type EntryOf<K extends Kind> = Extract<Entry, { readonly kind: K }>;

/** What reading gives for a value that is at fault; its fault is reported. */
export const FAULT: unique symbol = Symbol("fault");
export type Fault = typeof FAULT;

/** Where a value stands in the file. */
export interface Place {
  readonly parent: Place | undefined;
  readonly segment: string;
}

export interface Reader {
  /** The entry of a number that stands above, if it is of one of the kinds. */
  entry(id: number, kinds: readonly Kind[], what: string, json: Json, at: Place): Entry | Fault;
  fault<C extends Code>(code: C, json: Json, params: CodeParams<C>): Fault;
  /** Says what a place takes, and what stands there instead. */
  expected(what: string, json: Json, at: Place, found?: string): Fault;
}

export interface Codec<T> {
  /** Calls `visit` with each entry that the value refers to, in the order of the file. */
  readonly refs: (value: T, visit: (entry: Entry) => void) => void;
  /** JSON text; undefined leaves the field out. */
  readonly write: (value: T, idOf: (entry: Entry) => number) => string | undefined;
  readonly read: (json: Json, at: Place, reader: Reader) => T | Fault;
  /** Where the field may be left out: what it is then, or no field at all. */
  readonly absent?: { readonly value: T } | "no field";
}

const NO_REFS = (): void => undefined;

export const below = (parent: Place, segment: string): Place => ({ parent, segment });

// — plain values —

function plain<T>(write: (value: T) => string, read: Codec<T>["read"]): Codec<T> {
  return { refs: NO_REFS, write, read };
}

const quoted = (value: string): string => JSON.stringify(value);

export const text: Codec<string> = plain<string>(quoted, (json, at, reader) => (json.kind === "string" ? json.value : reader.expected("a string", json, at)));

function matching(pattern: RegExp, what: string): Codec<string> {
  return plain<string>(quoted, (json, at, reader) => (json.kind === "string" && pattern.test(json.value) ? json.value : reader.expected(what, json, at)));
}

export const name = matching(/^[\p{ID_Start}_]\p{ID_Continue}*$/u, "a name");
/** Names joined by dots. */
export const path = matching(/^[\p{ID_Start}_]\p{ID_Continue}*(?:\.[\p{ID_Start}_]\p{ID_Continue}*)*$/u, "names joined by dots");
/** Text without line breaks. */
export const line = matching(/^[^\n\r\u2028\u2029]*$/, "a string without line breaks");

export const integer: Codec<number> = plain<number>(String, (json, at, reader) =>
  json.kind === "number" && Number.isSafeInteger(json.value) && !Object.is(json.value, -0) ? json.value : reader.expected("an integer", json, at),
);

export const natural: Codec<number> = plain<number>(String, (json, at, reader) => {
  const value = integer.read(json, at, reader);
  return value === FAULT || value >= 0 ? value : reader.expected("an integer from 0 on", json, at);
});

export const boolean: Codec<boolean> = plain<boolean>(String, (json, at, reader) =>
  json.kind === "literal" && json.value !== null ? json.value : reader.expected("`true` or `false`", json, at),
);

/** A flag that stands only where it is set. */
export const flag: Codec<boolean> = { refs: NO_REFS, write: (value) => (value ? "true" : undefined), read: boolean.read, absent: { value: false } };

/** One of these words. */
export function words<const W extends readonly string[]>(what: string, known: W): Codec<W[number]> {
  return plain<W[number]>(quoted, (json, at, reader) => {
    const found = json.kind === "string" ? known.find((word) => word === json.value) : undefined;
    return found ?? reader.expected(`${what} (${known.join(", ")})`, json, at);
  });
}

/** What is not written. */
export function beside<T>(): Codec<T | undefined> {
  return { refs: NO_REFS, write: () => undefined, read: (json, at, reader) => reader.expected("nothing", json, at), absent: "no field" };
}

// — references —

/** The number of an entry above, of one of these kinds. */
export function ref<const K extends readonly Kind[]>(what: string, kinds: K): Codec<EntryOf<K[number]>> {
  return {
    refs: (value, visit) => visit(value),
    write: (value, idOf) => String(idOf(value)),
    read: (json, at, reader) => {
      const id = json.kind === "number" ? json.value : reader.expected(`the number of ${what}`, json, at);
      return id === FAULT ? FAULT : (reader.entry(id, kinds, what, json, at) as EntryOf<K[number]> | Fault); // the kinds are those of K
    },
  };
}

// — combinations —

/** Left out where it is undefined. */
export function optional<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    refs: (value, visit) => (value === undefined ? undefined : codec.refs(value, visit)),
    write: (value, idOf) => (value === undefined ? undefined : codec.write(value, idOf)),
    read: codec.read,
    absent: { value: undefined },
  };
}

/** A field that is there or not, but never undefined. */
export const maybe = <T>(codec: Codec<T>): Codec<T | undefined> => ({ ...optional(codec), absent: "no field" });

/** Left out where it is an object without members. */
export function unlessEmpty<T extends object>(codec: Codec<T>, empty: T): Codec<T> {
  return { ...codec, write: (value, idOf) => nonEmpty(codec.write(value, idOf)), absent: { value: empty } };
}

const nonEmpty = (written: string | undefined): string | undefined => (written === "{}" ? undefined : written);

export function list<T>(codec: Codec<T>): Codec<readonly T[]> {
  return {
    refs: (values, visit) => values.forEach((value) => codec.refs(value, visit)),
    write: (values, idOf) => `[${values.map((value) => codec.write(value, idOf)).join(",")}]`,
    read: (json, at, reader) => {
      if (json.kind !== "array") return reader.expected("a list", json, at);
      const values = json.items.map((item, i) => codec.read(item, below(at, `[${i}]`), reader));
      return allRead(values) ? values : FAULT;
    },
  };
}

const allRead = <T>(values: readonly (T | Fault)[]): values is readonly T[] => !values.includes(FAULT);

/** A codec for every field. */
export type Shape<T> = { readonly [F in keyof T]-?: Codec<T[F]> };

type AnyShape = Readonly<Record<string, Codec<unknown>>>;
type AnyRecord = Readonly<Record<string, unknown>>;

/** An object, as the fields of an entry or as a value of its own. Fields stand in the order of the shape, after `head`. */
export function struct<T extends object>(shape: Shape<T>, head = ""): Codec<T> {
  const fields = Object.entries(shape as AnyShape); // each codec is used with the value of its own field only
  return {
    refs: (value, visit) => fields.forEach(([field, codec]) => codec.refs((value as AnyRecord)[field], visit)),
    write: (value, idOf) => `{${[...(head === "" ? [] : [head]), ...writeFields(fields, value as AnyRecord, idOf)].join(",")}}`,
    read: (json, at, reader) => {
      if (json.kind !== "object") return reader.expected("an object", json, at);
      return readFields(fields, json, at, reader) as T | Fault; // the fields are those of the shape
    },
  };
}

function writeFields(fields: readonly (readonly [string, Codec<unknown>])[], value: AnyRecord, idOf: (entry: Entry) => number): readonly string[] {
  const parts: string[] = [];
  for (const [field, codec] of fields) {
    const written = codec.write(value[field], idOf);
    if (written !== undefined) parts.push(`${JSON.stringify(field)}:${written}`);
  }
  return parts;
}

function readFields(fields: readonly (readonly [string, Codec<unknown>])[], json: Extract<Json, { kind: "object" }>, at: Place, reader: Reader): AnyRecord | Fault {
  let sound = true;
  let met = 0;
  const value: Record<string, unknown> = {};
  for (const [field, codec] of fields) {
    const member = json.members.get(field);
    if (member !== undefined) met++;
    if (member === undefined && codec.absent === "no field") continue;
    const read = member === undefined ? leftOut(field, fields, codec, json, at, reader) : codec.read(member, below(at, `.${field}`), reader);
    if (read === FAULT) sound = false;
    else value[field] = read;
  }
  if (met < json.members.size) sound = strangers(fields, json, at, reader) && sound;
  return sound ? value : FAULT;
}

function leftOut(name: string, fields: readonly (readonly [string, unknown])[], { absent }: Codec<unknown>, json: Json, at: Place, reader: Reader): unknown {
  if (typeof absent === "object") return absent.value;
  return reader.fault("TF5052", json, { path: placeText(at), name, known: known(fields) });
}

/** `kind` stands in every entry, and its reader has seen it. */
function strangers(fields: readonly (readonly [string, Codec<unknown>])[], json: Extract<Json, { kind: "object" }>, at: Place, reader: Reader): boolean {
  let none = true;
  for (const [field, member] of json.members) {
    if (field === "kind" || fields.some(([own]) => own === field)) continue;
    reader.fault("TF5053", member, { path: placeText(at), name: field, known: known(fields) });
    none = false;
  }
  return none;
}

const known = (fields: readonly (readonly [string, unknown])[]): string => fields.map(([field]) => field).join(", ") || "none";

/** One of several objects, told apart by a field that they all have. */
export function variants<T extends object, F extends keyof T & string>(tag: F, what: string, shapes: { readonly [V in T[F] & string]: Shape<Omit<Extract<T, { readonly [G in F]: V }>, F>> }): Codec<T> {
  const codecs: Readonly<Record<string, Codec<object>>> = Object.fromEntries(Object.entries<Shape<object>>(shapes).map(([word, shape]) => [word, struct<object>({ [tag]: words("", [word]), ...shape })]));
  const codecOf = (value: T): Codec<object> | undefined => codecs[String(value[tag])];
  return {
    refs: (value, visit) => codecOf(value)?.refs(value, visit),
    write: (value, idOf) => codecOf(value)?.write(value, idOf),
    read: (json, at, reader) => {
      const word = json.kind === "object" ? json.members.get(tag) : undefined;
      const codec = word?.kind === "string" && Object.hasOwn(codecs, word.value) ? codecs[word.value] : undefined;
      if (codec === undefined) return reader.expected(`${what} (\`${tag}\`: ${Object.keys(codecs).join(", ")})`, word ?? json, at);
      return codec.read(json, at, reader) as T | Fault; // the tag says which of T it is
    },
  };
}

/** `nodes[3].args[0]`. */
export function placeText(place: Place): string {
  const segments: string[] = [];
  for (let p: Place | undefined = place; p !== undefined; p = p.parent) segments.unshift(p.segment);
  return segments.join("").replace(/^\./, "") || "the document";
}
