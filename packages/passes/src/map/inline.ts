// Producers are computed where they are read: loads of tiles become direct reads of the tensor as long as nothing that may write it
// lies between, elementwise chains collapse into their consumers. Distinct buffers do not overlap.

import {
  assign, copyFresh, mapBlocks, proveLess, proveLessEqual, seq, substitute, toDim, variable, yieldValues,
  type Expr, type Nest, type Seq, type Stmt, type VarLike,
} from "@tilefoundry/ir";
import { sameIndex } from "../index-math.ts";
import { boundAxis, boundLoop } from "../known-facts.ts";
import { accessOf, eachAccess, eachSubexpr, effectsOf, intersects, isPlain, yieldedBy, type Access } from "./effects.ts";
import { allocated, countStores, type Mapping } from "./mapping.ts";
import { producerOf, type Producer } from "./producers.ts";
import { cleanIndex, mapOperands, rewritePrims } from "./rewrite.ts";
import { findSites, reuseOf, type Site, type Sites } from "./sites.ts";

interface Inlining {
  readonly m: Mapping;
  readonly sites: Sites;
  readonly stores: ReadonlyMap<VarLike, number>;
}

/** A producer that may be computed at this place; inside a nest that overwrites what it reads, only at the own index. */
interface Available {
  readonly producer: Producer;
  readonly depth: number;
  readonly overwriters: readonly Nest[];
}

type Env = Map<VarLike, Available>;

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
  const inlining: Inlining = { m, sites: findSites(body), stores: countStores(body.stmts) };
  return inlineBlock(inlining, body, new Map(), 0);
}

function inlineBlock(n: Inlining, block: Seq, env: Env, depth: number): Seq {
  const out: Stmt[] = [];
  const own = new Set<VarLike>();
  const computed = new Map<string, Expr>();
  for (const [at, stmt] of block.stmts.entries()) {
    const before: Stmt[] = [];
    const place: Place = { block, at, before, computed };
    noteFacts(n.m, stmt);
    const rewritten = stmt.kind === "While" ? stmt : mapOperands(stmt, (e) => inlineLoads(n, e, env, place));
    const isLoop = stmt.kind === "For" || stmt.kind === "While" || stmt.kind === "Nest";
    const inner = mapBlocks(rewritten, (b) => inlineBlock(n, b, envInside(env, rewritten), depth + (isLoop ? 1 : 0)));
    const buffer = allocated(inner);
    if (buffer !== undefined) own.add(buffer);
    out.push(...before, inner);
    forget(env, inner);
    if (effectsOf(inner).writes.size > 0) computed.clear();
    const producer = producerOf(inner);
    const storedOnce = producer !== undefined && own.has(producer.buffer) && n.stores.get(producer.buffer) === 1;
    if (storedOnce) env.set(producer.buffer, { producer, depth, overwriters: [] });
  }
  const same = out.length === block.stmts.length && out.every((s, i) => s === block.stmts[i]);
  return same ? block : { ...block, stmts: out };
}

function noteFacts(m: Mapping, stmt: Stmt): void {
  if (stmt.kind === "For") boundLoop(m.facts, stmt.loopVar, stmt.start, stmt.stop, stmt.step);
  if (stmt.kind === "Nest") for (const [i, axis] of stmt.axes.entries()) boundAxis(m.facts, axis, stmt.extents[i] ?? axis);
  if (stmt.kind !== "Assign") return;
  const dim = toDim(stmt.value);
  if (dim !== undefined) m.facts.equate(stmt.target, dim);
}

/** Producers whose sources a statement overwrites are gone behind it. */
function forget(env: Env, stmt: Stmt): void {
  const { writes } = effectsOf(stmt);
  for (const [buffer, { producer }] of env) if (writes.has(buffer) || intersects(writes, producer.sources)) env.delete(buffer);
}

/** What is available inside a statement: a loop that overwrites sources spoils them, a parallel nest may still read its own elements. */
function envInside(env: Env, stmt: Stmt): Env {
  const { writes } = effectsOf(stmt);
  const inside: Env = new Map();
  for (const [buffer, available] of env) {
    const spoiled = writes.has(buffer) || intersects(writes, available.producer.sources);
    if (!spoiled || stmt.kind === "If") inside.set(buffer, available);
    else if (stmt.kind === "Nest" && !stmt.reduce && !writes.has(buffer)) {
      inside.set(buffer, { ...available, overwriters: [...available.overwriters, stmt] });
    }
  }
  return inside;
}

function inlineLoads(n: Inlining, e: Expr, env: Env, place: Place): Expr {
  if (env.size === 0) return e;
  return rewritePrims(e, (p) => {
    const access = accessOf(p);
    const available = access && !access.writes && isPlain(access) ? env.get(access.buffer) : undefined;
    if (access === undefined || available === undefined) return p;
    const { producer, depth } = available;
    if (!pays(producer, n.sites.get(producer.buffer) ?? [], access, depth) || !isWithin(n.m, producer, access)) return p;
    return instance(n, available, access, place) ?? p;
  });
}

/** Simple operations that are rather done twice than stored and loaded. */
const CHEAP = 2;

function pays(producer: Producer, sites: readonly Site[], access: Access, depth: number): boolean {
  if (producer.isFree) return true;
  if (producer.cost === 0) {
    const site = sites.find(({ index }) => index === access.index || index.every((e, i) => e === access.index[i]));
    return site === undefined || !reuseOf(site, depth).contracts;
  }
  const repeats = sites.some((site) => reuseOf(site, depth).repeats);
  return !repeats && (sites.length <= 1 || (producer.cost <= CHEAP && sites.length <= 2));
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
function instance(n: Inlining, { producer, overwriters }: Available, access: Access, place: Place): Expr | undefined {
  const { m } = n;
  const { axes, index, buffer } = producer;
  const replacements = new Map<VarLike, Expr>(axes.map((axis) => [axis, access.index[index.indexOf(axis)] ?? axis]));
  const key = `${m.keys.of(access.prim)}`;
  const known = place.computed.get(key);
  if (known !== undefined) return known;
  const { stmts, result } = copyOf(m, producer, replacements);
  const values = [...stmts.flatMap((s) => (s.kind === "Assign" ? [s.value] : [])), result];
  if (!overwriters.every((nest) => readsInTime(m, nest, values, place))) return undefined;
  place.before.push(...stmts);
  if ((n.sites.get(buffer)?.length ?? 0) < 2 || producer.cost === 0) return result;
  const named = variable(m.names.fresh(buffer.hint), result.type);
  place.before.push(assign(named, result));
  place.computed.set(key, named);
  return named;
}

interface Instance {
  readonly stmts: readonly Stmt[];
  readonly result: Expr;
}

/** The producer's scalars under new names, and its value, at other indices. */
function copyOf(m: Mapping, { lets, value }: Producer, replacements: ReadonlyMap<VarLike, Expr>): Instance {
  if (lets.length === 0) return { stmts: [], result: cleanIndex(substitute(value, replacements)) };
  const copied = copyFresh(seq([...lets, yieldValues([value])]), m.names, replacements);
  return { stmts: copied.stmts.slice(0, -1), result: cleanIndex(yieldedBy(copied)[0] ?? value) };
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
