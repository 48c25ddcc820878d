// Producers are computed where they are read: loads of tiles become direct reads of the tensor as long as nothing that may write it
// lies between, elementwise chains collapse into their consumers. Distinct buffers do not overlap.

import {
  assign, mapBlocks, proveLess, proveLessEqual, toDim, variable,
  type Expr, type Nest, type Seq, type Stmt, type VarLike,
} from "@tilefoundry/ir";
import { sameIndex } from "../index-math.ts";
import { boundAxis, boundLoop } from "../known-facts.ts";
import { makeLayer, type Available, type Layer } from "./available.ts";
import { accessOf, eachAccess, eachSubexpr, isPlain, writesOf, type Access } from "./effects.ts";
import { allocated, countStores, type Mapping } from "./mapping.ts";
import { producerOf, type Producer } from "./producers.ts";
import { replaceExpr, replaceStmt, type Replacing } from "./replace.ts";
import { cleanSum, mapOperands, rewritePrims } from "./rewrite.ts";
import { findSites, reuseOf, type Site, type Sites } from "./sites.ts";

interface Inlining {
  readonly m: Mapping;
  readonly sites: Sites;
  readonly stores: ReadonlyMap<VarLike, number>;
  /** Whether a reduction somewhere reads elements of a buffer again and again. */
  readonly contracted: Map<VarLike, boolean>;
}

/** What is known in the block being rewritten. */
interface Place {
  readonly block: Seq;
  readonly at: number;
  /** Statements to put before the one being rewritten. */
  readonly before: Stmt[];
  /** Values computed earlier in this block, by buffer and index. */
  readonly computed: Map<string, Expr>;
}

export function inlineProducers(m: Mapping, body: Seq): Seq {
  const inlining: Inlining = { m, sites: findSites(body), stores: countStores(body.stmts), contracted: new Map() };
  return inlineBlock(inlining, body, makeLayer(), 0);
}

function inlineBlock(n: Inlining, block: Seq, env: Layer, depth: number): Seq {
  const out: Stmt[] = [];
  const own = new Set<VarLike>();
  const computed = new Map<string, Expr>();
  const producerIn = (stmt: Stmt): Producer | undefined => {
    const producer = producerOf(stmt);
    const storedOnce = producer !== undefined && own.has(producer.buffer) && n.stores.get(producer.buffer) === 1;
    return storedOnce ? withSources(n, producer, env) : undefined;
  };
  for (const [at, stmt] of block.stmts.entries()) {
    const place: Place = { block, at, before: [], computed };
    noteFacts(n.m, stmt);
    // what will be written into all its readers is not rewritten first: in a chain that would copy everything again and again
    const whole = producerIn(stmt);
    const isDeferred = whole !== undefined && whole.chain < CHAIN && paysEverywhere(n, whole, depth);
    const rewritten = isDeferred ? stmt : inlineStmt(n, stmt, env, place, depth);
    const buffer = allocated(rewritten);
    if (buffer !== undefined) own.add(buffer);
    out.push(...place.before, rewritten);
    const producer = isDeferred ? whole : producerIn(rewritten);
    env.pass(rewritten);
    if (writesOf(rewritten).length > 0) computed.clear();
    if (producer !== undefined) env.set({ producer, depth, overwriters: [] });
  }
  const same = out.length === block.stmts.length && out.every((s, i) => s === block.stmts[i]);
  return same ? block : { ...block, stmts: out };
}

function inlineStmt(n: Inlining, stmt: Stmt, env: Layer, place: Place, depth: number): Stmt {
  const rewritten = stmt.kind === "While" ? stmt : mapOperands(stmt, (e) => inlineLoads(n, e, env, place));
  const isLoop = stmt.kind === "For" || stmt.kind === "While" || stmt.kind === "Nest";
  return mapBlocks(rewritten, (b) => inlineBlock(n, b, makeLayer(env, rewritten), depth + (isLoop ? 1 : 0)));
}

/** How many producers may wait to be written into each other at once. */
const CHAIN = 48;

/** The producer with the cost of those that will be written into it. */
function withSources(n: Inlining, producer: Producer, env: Layer): Producer {
  let { cost, chain } = producer;
  for (const source of producer.sources.list) {
    const available = env.get(source);
    if (available === undefined || !paysEverywhere(n, available.producer, available.depth)) continue;
    cost += available.producer.cost;
    chain = Math.max(chain, 1 + available.producer.chain);
  }
  return chain === 0 ? producer : { ...producer, cost, chain };
}

function noteFacts(m: Mapping, stmt: Stmt): void {
  if (stmt.kind === "For") boundLoop(m.facts, stmt.loopVar, stmt.start, stmt.stop, stmt.step);
  if (stmt.kind === "Nest") for (const [i, axis] of stmt.axes.entries()) boundAxis(m.facts, axis, stmt.extents[i] ?? axis);
  if (stmt.kind !== "Assign") return;
  const dim = toDim(stmt.value);
  if (dim !== undefined) m.facts.equate(stmt.target, dim);
}

function inlineLoads(n: Inlining, e: Expr, env: Layer, place: Place): Expr {
  return rewritePrims(e, (p) => {
    const access = accessOf(p);
    const available = access && !access.writes && isPlain(access) ? env.get(access.buffer) : undefined;
    if (access === undefined || available === undefined) return p;
    const { producer, depth } = available;
    if (!pays(n, producer, access, depth) || !isWithin(n.m, producer, access)) return p;
    return instance(n, available, access, env, place) ?? p;
  });
}

/** Simple operations that are rather done twice than stored and loaded. */
const CHEAP = 2;

function pays(n: Inlining, producer: Producer, access: Access, depth: number): boolean {
  if (paysEverywhere(n, producer, depth)) return true;
  if (producer.cost > 0) return false;
  const site = sitesOf(n, producer).find(({ index }) => index.every((e, i) => e === access.index[i]));
  return site === undefined || !reuseOf(site, depth).contracts;
}

const sitesOf = (n: Inlining, producer: Producer): readonly Site[] => n.sites.get(producer.buffer) ?? [];

/** Whether every reader will rather compute the producer's elements than load them. */
function paysEverywhere(n: Inlining, producer: Producer, depth: number): boolean {
  if (producer.isFree) return true;
  return producer.cost === 0 ? !isContracted(n, producer, depth) : isWorthCopies(producer, sitesOf(n, producer), depth);
}

function isContracted(n: Inlining, producer: Producer, depth: number): boolean {
  let found = n.contracted.get(producer.buffer);
  if (found === undefined) n.contracted.set(producer.buffer, (found = sitesOf(n, producer).some((site) => reuseOf(site, depth).contracts)));
  return found;
}

function isWorthCopies({ cost }: Producer, sites: readonly Site[], depth: number): boolean {
  const isFew = sites.length <= 1 || (cost <= CHEAP && sites.length <= 2);
  return isFew && !sites.some((site) => reuseOf(site, depth).repeats);
}

/** Every element that is read was computed: where that is not proved, the buffer is read. */
function isWithin(m: Mapping, { axes, extents, index }: Producer, access: Access): boolean {
  return index.every((own, d) => {
    const at = access.index[d];
    if (at === undefined) return false;
    const axis = axes.findIndex((a) => a === own);
    if (axis < 0) return sameIndex(own, at, m.keys);
    const dim = toDim(at);
    const extent = extents[axis];
    if (dim === undefined || extent === undefined) return false;
    const expanded = m.facts.expand(dim);
    return proveLessEqual(m.facts, 0, expanded) === true && proveLess(m.facts, expanded, m.facts.expand(extent)) === true;
  });
}

/** The producer's value at the index that is read; undefined where its sources are overwritten too early. */
function instance(n: Inlining, { producer, overwriters }: Available, access: Access, env: Layer, place: Place): Expr | undefined {
  const { m } = n;
  const { axes, index, buffer } = producer;
  const replacements = new Map<VarLike, Expr>(axes.map((axis) => [axis, access.index[index.indexOf(axis)] ?? axis]));
  const key = m.keys.of(access.prim);
  const known = place.computed.get(key);
  if (known !== undefined) return known;
  const copy = copyOf(m, producer, replacements);
  const values = [...copy.stmts.flatMap((s) => (s.kind === "Assign" ? [s.value] : [])), copy.result];
  if (!overwriters.every((nest) => readsInTime(m, nest, values, place))) return undefined;
  for (const stmt of copy.stmts) place.before.push(mapOperands(stmt, (e) => inlineLoads(n, e, env, place)));
  const result = inlineLoads(n, copy.result, env, place);
  const isShared = (n.sites.get(buffer)?.length ?? 0) > 1 && producer.cost > 0;
  if (!isShared && depthOf(result) <= DEEP) return result;
  const named = variable(m.names.fresh(buffer.hint), result.type);
  place.before.push(assign(named, result));
  place.computed.set(key, named);
  return named;
}

/** How deep an expression may nest before a part of it gets a name: emitted text should stay readable, and compilers count brackets. */
const DEEP = 12;

const depthOf = (e: Expr): number => (e.kind === "Prim" ? 1 + e.args.reduce((most, a) => Math.max(most, depthOf(a)), 0) : 0);

interface Instance {
  readonly stmts: readonly Stmt[];
  readonly result: Expr;
}

/** The producer's scalars under new names, and its value, at other indices. */
function copyOf(m: Mapping, { lets, value }: Producer, values: Map<VarLike, Expr>): Instance {
  const named: Replacing = { values, nameOf: (v) => m.names.fresh(v.hint) };
  const stmts = lets.map((s) => replaceStmt(s, named));
  return { stmts, result: replaceExpr(value, { values, rule: cleanSum }) };
}

/** Whether what is read of a buffer that the nest overwrites is read at the index that is written, and not after it. */
function readsInTime(m: Mapping, nest: Nest, values: readonly Expr[], { block, at }: Place): boolean {
  const stores: Access[] = [];
  eachAccess(nest, (access) => {
    if (access.writes) stores.push(access);
  });
  const later = block.stmts.slice(at).flatMap((s) => (s.kind === "Eval" ? [s.expr] : []));
  return loadsIn(values).every((load) => {
    const over = stores.filter((s) => s.buffer === load.buffer);
    if (over.length === 0) return true;
    const [only] = over;
    if (over.length !== 1 || only === undefined || !later.includes(only.prim)) return false;
    return only.index.every((e, i) => sameIndex(e, load.index[i] ?? e, m.keys));
  });
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
