// A structural hash, derived from the field table like equality: equal nodes have equal hashes, in every run. Names, spans and
// comments are out. The node is written as a stream of words, variables and shared values as numbers by first appearance.

import { isDimSum, isStatic } from "./dims.ts";
import type { Dim, DimLeaf, Node, VarLike } from "./nodes.ts";
import type { Comparable } from "./equal.ts";
import { fieldsOf, fieldValue } from "./fields.ts";

/** 16 hexadecimal digits. */
export function hash(root: Comparable): string {
  const stream: Stream = { digest: newDigest(), numbers: new Map(), shared: new Map(), open: [{ node: root, inGraph: false }] };
  for (let item = stream.open.pop(); item !== undefined; item = stream.open.pop()) {
    if (typeof item === "string") feed(stream.digest, item);
    else writeNode(item.node, item.inGraph, stream);
  }
  return finish(stream.digest);
}

type Item = string | { readonly node: Comparable; readonly inGraph: boolean };

interface Stream {
  readonly digest: Digest;
  readonly numbers: Map<VarLike, number>;
  readonly shared: Map<Comparable, number>;
  /** What is yet to write, the next item last. */
  readonly open: Item[];
}

function push(stream: Stream, items: readonly Item[]): void {
  stream.open.push(...[...items].reverse());
}

function writeNode(node: Comparable, inGraph: boolean, stream: Stream): void {
  feed(stream.digest, node.kind);
  switch (node.kind) {
    case "Module":
      feed(stream.digest, dataWords([node.name, node.entry, node.form, node.target, node.topologies, node.methods], stream));
      return push(stream, [...node.functions, ...node.children].map((part) => ({ node: part, inGraph })));
    case "Function": {
      const symbols = node.symbols.map((s) => [numberOf(s.var, stream), s.lo, s.hi]);
      const params = node.params.map((p) => [numberOf(p.var, stream), p.direction, p.var.isConst, p.var.type]);
      feed(stream.digest, dataWords([node.name, node.func, node.target, node.contract, symbols, params, node.returns], stream));
      return push(stream, [{ node: node.body, inGraph: false }]);
    }
    case "Graph":
      return push(stream, [{ node: node.result, inGraph: true }]);
    case "Var":
    case "IterArg":
      if (stream.numbers.has(node)) return feed(stream.digest, `v${numberOf(node, stream)}`);
      numberOf(node, stream);
      return writeFields(node, inGraph, stream);
    default: {
      const known = stream.shared.get(node);
      if (known !== undefined) return feed(stream.digest, `s${known}`);
      if (inGraph && node.kind !== "Const") stream.shared.set(node, stream.shared.size);
      return writeFields(node, inGraph, stream);
    }
  }
}

function writeFields(node: Node, inGraph: boolean, stream: Stream): void {
  const items: Item[] = [];
  for (const [field, role] of fieldsOf(node.kind)) {
    if (role === "hint") continue;
    const value = fieldValue(node, field);
    if (role === "type" || role === "attr") feed(stream.digest, dataWords(value, stream));
    else if (Array.isArray(value)) items.push(`[${value.length}`, ...value.map((child: Node) => ({ node: child, inGraph })));
    else items.push(value === undefined ? "absent" : { node: value as Node, inGraph }); // the role holds nodes
  }
  push(stream, items);
}

function numberOf(v: VarLike, { numbers }: Stream): number {
  const known = numbers.get(v);
  if (known !== undefined) return known;
  numbers.set(v, numbers.size);
  return numbers.size - 1;
}

// — data as words —

function dataWords(data: unknown, stream: Stream): string {
  switch (typeof data) {
    case "number": return Object.is(data, -0) ? "-0" : String(data);
    case "bigint": return `${data}n`;
    case "string": return JSON.stringify(data);
    case "object": return data === null ? "null" : objectWords(data, stream);
    default: return String(data);
  }
}

function objectWords(data: object, stream: Stream): string {
  if (isDimSum(data)) return dimWords(data, stream);
  if (Array.isArray(data)) return `[${data.map((part) => dataWords(part, stream)).join(",")}]`;
  const entries = Object.entries(data).filter(([, part]) => part !== undefined);
  return `{${entries.map(([key, part]) => `${key}:${dataWords(part, stream)}`).sort().join(",")}}`;
}

/** The order of terms depends on which variable was met first in the process, so words are sorted by their text. */
function dimWords(d: Dim, stream: Stream): string {
  if (isStatic(d)) return String(d);
  const terms = d.terms.map(({ coefficient, leaf }) => `${coefficient}*${leafWords(leaf, stream)}`).sort();
  return `(${terms.join("+")}+${d.constant})`;
}

function leafWords(leaf: DimLeaf, stream: Stream): string {
  switch (leaf.kind) {
    case "var": return `v${numberOf(leaf.variable, stream)}`;
    case "floordiv":
    case "mod": return `${leaf.kind}(${dimWords(leaf.dividend, stream)},${leaf.divisor})`;
    case "min":
    case "max": return `${leaf.kind}(${[dimWords(leaf.a, stream), dimWords(leaf.b, stream)].sort().join(",")})`;
  }
}

// — digest: two multiplicative lanes over the words, mixed at the end —

interface Digest {
  a: number;
  b: number;
}

const newDigest = (): Digest => ({ a: 0x9e3779b9, b: 0x85ebca6b });

function feed(digest: Digest, word: string): void {
  for (let i = 0; i <= word.length; i++) {
    const c = i < word.length ? word.charCodeAt(i) : 0x1f; // words are separated
    digest.a = Math.imul(digest.a ^ c, 0x01000193);
    digest.b = Math.imul((digest.b << 5) | (digest.b >>> 27), 0x9e3779b1) ^ c;
  }
}

function finish({ a, b }: Digest): string {
  return mix(a ^ Math.imul(b, 0xc2b2ae35)) + mix(b ^ Math.imul(a, 0x27d4eb2f));
}

function mix(x: number): string {
  let h = x ^ (x >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  return (h >>> 0).toString(16).padStart(8, "0");
}
