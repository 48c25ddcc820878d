// Producers are computed where they are read: loads of tiles become direct reads of the tensor as long as nothing that may write it
// lies between, elementwise chains collapse into their consumers. Distinct buffers do not overlap.

import {
  assign, eachStmt, isStatic, isVarLike, mapBlocks, proveLess, proveLessEqual, toDim, variable,
  type Dim, type Expr, type Nest, type Prim, type Seq, type Stmt, type Type, type VarLike,
} from "@tilefoundry/ir";
import { sameExpr, sameIndex } from "../index-math.ts";
import { boundAxis, boundLoop, type KnownFacts } from "../known-facts.ts";
import { availableIn, makeAvailable, makeLayer, offersAny, passWrites, type Available, type Layer } from "./available.ts";
import { accessOf, eachAccess, eachSubexpr, effectsOf, isPlain, writesOf, type Access } from "./effects.ts";
import { allocated, type Mapping } from "./mapping.ts";
import { producerOf, type Producer } from "./producers.ts";
import { replaceExpr, replaceStmt, type Replacing } from "./replace.ts";
import { cleanSum, mapOperands, rewritePrims } from "./rewrite.ts";
import { contracts, repeats, usesOf, type BufferUse, type BufferUses, type Site } from "./sites.ts";

interface Inlining {
  readonly m: Mapping;
  readonly uses: BufferUses;
  /** Whether a reduction somewhere reads elements of a buffer again and again. */
  readonly contracted: Map<VarLike, boolean>;
}

/** A block being rewritten, and what is known where the rewriting stands. */
interface Place {
  readonly n: Inlining;
  readonly block: Seq;
  readonly env: Layer;
  /** Number of loops around the block. */
  readonly depth: number;
  /** Buffers that the block allocates. */
  readonly own: Set<VarLike>;
  at: number;
  /** Statements to put before the one being rewritten. */
  before: Stmt[];
  /** Values computed earlier in the block, by the buffer they stood in. */
  readonly computed: Map<VarLike, Computed[]>;
  readonly inlineLoads: (operand: Expr) => Expr;
}

interface Computed {
  readonly load: Expr;
  readonly value: Expr;
}

export function inlineProducers(m: Mapping, body: Seq): Seq {
  const uses = usesOf(body);
  if (hasCandidate(uses)) return inlineBlock({ m, uses, contracted: new Map() }, body, makeLayer(m), 0);
  eachStmt(body, (stmt) => noteFacts(m, stmt));
  return body;
}

const isCandidate = ({ stores, sites }: BufferUse): boolean => stores === 1 && sites.length > 0;

function hasCandidate(uses: BufferUses): boolean {
  for (const use of uses.values()) if (isCandidate(use)) return true;
  return false;
}

function placeIn(n: Inlining, block: Seq, env: Layer, depth: number): Place {
  const inlineLoads = (operand: Expr): Expr => rewritePrims(operand, inlineLoad);
  const place: Place = { n, block, env, depth, own: new Set(), at: 0, before: [], computed: new Map(), inlineLoads };
  const inlineLoad = (p: Prim): Expr => (p.op === "load" ? inlined(place, p) : p);
  return place;
}

function inlineBlock(n: Inlining, block: Seq, env: Layer, depth: number): Seq {
  const place = placeIn(n, block, env, depth);
  let out: Stmt[] | undefined;
  for (const [at, stmt] of block.stmts.entries()) {
    place.at = at;
    noteFacts(n.m, stmt);
    // what will be written into all its readers is not rewritten first: in a chain that would copy everything again and again
    const whole = producerIn(place, stmt);
    const isDeferred = whole !== undefined && whole.chain < CHAIN && paysEverywhere(n, whole, depth);
    const rewritten = isDeferred ? stmt : inlineStmt(place, stmt);
    const buffer = allocated(stmt);
    if (buffer !== undefined) place.own.add(buffer);
    if (rewritten !== stmt) out ??= block.stmts.slice(0, at);
    out?.push(...place.before, rewritten);
    const producer = rewritten === stmt ? whole : producerIn(place, rewritten);
    passStmt(place, rewritten);
    if (producer !== undefined) makeAvailable(env, { producer, depth, overwriters: [] });
    place.before = [];
  }
  return out === undefined ? block : { kind: "Seq", stmts: out, meta: block.meta };
}

function inlineStmt(place: Place, stmt: Stmt): Stmt {
  const rewritten = stmt.kind === "While" ? stmt : mapOperands(stmt, place.inlineLoads);
  const inner = place.depth + (stmt.kind === "For" || stmt.kind === "While" || stmt.kind === "Nest" ? 1 : 0);
  return mapBlocks(rewritten, (b) => inlineBlock(place.n, b, makeLayer(place.n.m, place.env, rewritten), inner));
}

/** What a statement writes spoils what was computed from it. */
function passStmt({ n, env, computed }: Place, stmt: Stmt): void {
  if (computed.size === 0 && !offersAny(env)) return;
  const writes = writesOf(n.m, stmt);
  passWrites(env, writes);
  if (writes.length > 0) computed.clear();
}

/** The producer that a statement is, of a buffer that its block allocates and that nobody else stores to. */
function producerIn({ n, own, env }: Place, stmt: Stmt): Producer | undefined {
  if (stmt.kind !== "Nest") return undefined;
  const [buffer, ...others] = effectsOf(n.m, stmt).writes.list;
  if (buffer === undefined || others.length > 0 || !own.has(buffer) || n.uses.get(buffer)?.stores !== 1) return undefined;
  const producer = producerOf(n.m, stmt);
  return producer && withSources(n, producer, env);
}

/** How many producers may wait to be written into each other at once. */
const CHAIN = 48;

/** The producer with the cost of those that will be written into it. */
function withSources(n: Inlining, producer: Producer, env: Layer): Producer {
  let { cost, chain } = producer;
  for (const source of producer.sources.list) {
    const available = availableIn(env, source);
    if (available === undefined || !paysEverywhere(n, available.producer, available.depth)) continue;
    cost += available.producer.cost;
    chain = Math.max(chain, 1 + available.producer.chain);
  }
  return chain === 0 ? producer : { ...producer, cost, chain };
}

function noteFacts(m: Mapping, stmt: Stmt): void {
  if (stmt.kind === "For") boundLoop(m.facts, stmt.loopVar, stmt.start, stmt.stop, stmt.step);
  if (stmt.kind === "Nest") for (const [i, axis] of stmt.axes.entries()) boundAxis(m.facts, axis, stmt.extents[i] ?? axis);
  if (stmt.kind !== "Assign" || !isIndex(stmt.target.type)) return;
  const dim = toDim(stmt.value);
  if (dim !== undefined) m.facts.equate(stmt.target, dim);
}

/** Dims name variables of these types alone. */
const isIndex = (type: Type): boolean => type.kind === "Scalar" && (type.dtype === "index" || type.dtype === "i64");

function inlined(place: Place, load: Prim): Expr {
  const { n, env } = place;
  const [buffer] = load.args;
  const use = buffer !== undefined && isVarLike(buffer) ? n.uses.get(buffer) : undefined;
  const access = use?.stores === 1 ? accessOf(load) : undefined;
  const available = access && isPlain(access) ? availableIn(env, access.buffer) : undefined;
  if (access === undefined || available === undefined) return load;
  const { producer, depth } = available;
  if (!pays(n, producer, access, depth) || !isWithin(n.m, producer, access)) return load;
  return instance(place, available, access) ?? load;
}

/** Simple operations that are rather done twice than stored and loaded. */
const CHEAP = 2;

function pays(n: Inlining, producer: Producer, access: Access, depth: number): boolean {
  if (paysEverywhere(n, producer, depth)) return true;
  if (producer.cost > 0) return false;
  const site = sitesOf(n, producer).find(({ index }) => index.every((e, i) => e === access.index[i]));
  return site === undefined || !contracts(site, depth);
}

const sitesOf = (n: Inlining, producer: Producer): readonly Site[] => n.uses.get(producer.buffer)?.sites ?? [];

/** Whether every reader will rather compute the producer's elements than load them. */
function paysEverywhere(n: Inlining, producer: Producer, depth: number): boolean {
  if (producer.isFree) return true;
  return producer.cost === 0 ? !isContracted(n, producer, depth) : isWorthCopies(producer, sitesOf(n, producer), depth);
}

function isContracted(n: Inlining, producer: Producer, depth: number): boolean {
  let found = n.contracted.get(producer.buffer);
  if (found === undefined) n.contracted.set(producer.buffer, (found = sitesOf(n, producer).some((site) => contracts(site, depth))));
  return found;
}

function isWorthCopies({ cost }: Producer, sites: readonly Site[], depth: number): boolean {
  const isFew = sites.length <= 1 || (cost <= CHEAP && sites.length <= 2);
  return isFew && !sites.some((site) => repeats(site, depth));
}

/** Every element that is read was computed: where that is not proved, the buffer is read. */
function isWithin({ facts }: Mapping, { axes, extents, index }: Producer, access: Access): boolean {
  return index.every((own, d) => {
    const at = access.index[d];
    if (at === undefined) return false;
    const axis = axes.findIndex((a) => a === own);
    if (axis < 0) return sameIndex(own, at);
    const extent = extents[axis];
    return extent !== undefined && isIndexOf(facts, at, extent);
  });
}

/** Whether an index surely lies in an extent. */
function isIndexOf(facts: KnownFacts, at: Expr, extent: Dim): boolean {
  const { lo, hi } = (isVarLike(at) ? facts.boundsOf(at) : undefined) ?? {};
  if (lo === 0 && typeof hi === "number" && isStatic(extent) && hi < extent) return true; // as most are: an axis of the same extent
  const dim = toDim(at);
  if (dim === undefined) return false;
  const expanded = facts.expand(dim);
  return proveLessEqual(facts, 0, expanded) === true && proveLess(facts, expanded, facts.expand(extent)) === true;
}

/** The producer's value at the index that is read; undefined where its sources are overwritten too early. */
function instance(place: Place, { producer, overwriters }: Available, access: Access): Expr | undefined {
  const { n, before, computed } = place;
  const { axes, index, buffer } = producer;
  const earlier = computed.get(buffer);
  const known = earlier?.find(({ load }) => sameExpr(load, access.prim));
  if (known !== undefined) return known.value;
  const copy = copyOf(producer, new Map(axes.map((axis) => [axis, access.index[index.indexOf(axis)] ?? axis])));
  if (overwriters.length > 0 && !readsInTime(place, overwriters, copy)) return undefined;
  for (const stmt of copy.stmts) before.push(mapOperands(stmt, place.inlineLoads));
  const result = place.inlineLoads(copy.result);
  const isShared = sitesOf(n, producer).length > 1 && producer.cost > 0;
  if (!isShared && depthOf(result) <= DEEP) return result;
  const value = variable(buffer.hint, result.type);
  before.push(assign(value, result));
  const found = { load: access.prim, value };
  if (earlier === undefined) computed.set(buffer, [found]);
  else earlier.push(found);
  return value;
}

/** How deep an expression may nest before a part of it gets a name: emitted text should stay readable, and compilers count brackets. */
const DEEP = 12;

const depthOf = (e: Expr): number => (e.kind === "Prim" ? 1 + e.args.reduce((most, a) => Math.max(most, depthOf(a)), 0) : 0);

interface Instance {
  readonly stmts: readonly Stmt[];
  readonly result: Expr;
}

/** The producer's scalars anew, and its value, at other indices. */
function copyOf({ lets, value }: Producer, values: Map<VarLike, Expr>): Instance {
  const copied: Replacing = { values, rename: (v) => v.hint };
  const stmts = lets.map((s) => replaceStmt(s, copied));
  return { stmts, result: replaceExpr(value, { values, rule: cleanSum }) };
}

/** Whether what is read of buffers that the nests overwrite is read at the index that is written, and not after it. */
function readsInTime({ block, at }: Place, nests: readonly Nest[], { stmts, result }: Instance): boolean {
  const loads = loadsIn([...stmts.flatMap((s) => (s.kind === "Assign" ? [s.value] : [])), result]);
  const later = block.stmts.slice(at).flatMap((s) => (s.kind === "Eval" ? [s.expr] : []));
  return nests.every((nest) => {
    const stores = storesIn(nest);
    return loads.every((load) => {
      const over = stores.filter((s) => s.buffer === load.buffer);
      if (over.length === 0) return true;
      const [only] = over;
      if (over.length !== 1 || only === undefined || !later.includes(only.prim)) return false;
      return only.index.every((e, i) => sameIndex(e, load.index[i] ?? e));
    });
  });
}

function storesIn(nest: Nest): readonly Access[] {
  const stores: Access[] = [];
  eachAccess(nest, (access) => {
    if (access.writes) stores.push(access);
  });
  return stores;
}

function loadsIn(values: readonly Expr[]): readonly Access[] {
  const loads: Access[] = [];
  for (const value of values) {
    eachSubexpr(value, (e) => {
      const access = accessOf(e);
      if (access !== undefined && !access.writes) loads.push(access);
    });
  }
  return loads;
}
