// `with`: regions (`pl.at`, `pl.cluster`, `pl.manual_scope`), blocks (`pl.spmd`) and positions (`Mesh`, slices of one). A region is the block around
// it; blocks and positions are parallel loops with a level, whose coordinates are named `alias.axis`.

import { make, type Block, type ForStmt, type IfStmt, type SExpr, type SStmt } from "@tilefoundry/grammar";
import { makeNames, scopeRegion, topologyNamed, type AtScope, type Level, type ScopeSpec, type Seq, type Stmt, type Topology } from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";
import { bindArguments, passedArguments, type Params } from "./arguments.ts";
import { ifStatement } from "./branch.ts";
import { misfit, notYet, refuse, suggestion } from "./complaints.ts";
import { silence } from "./env.ts";
import { evaluate } from "./expr.ts";
import { bufferOf } from "./handles.ts";
import { forStatement } from "./loops.ts";
import { hintOf } from "./loop-header.ts";
import { dotted, spell } from "./members.ts";
import { namesBoundBy } from "./names-in.ts";
import type { LowerBlock, MeshAlias, Place } from "./place.ts";
import { keywordSpan } from "./refuse.ts";
import { itemsOf, knownOf, type Value } from "./value.ts";
import { yieldSlot } from "./yield-slot.ts";
import { bindResults } from "./yields.ts";

type With = Extract<SStmt, { readonly kind: "WithStmt" }>;
type Rule = (s: With, call: Extract<SExpr, { readonly kind: "Call" }>, place: Place, lower: LowerBlock) => readonly Stmt[];

const RULES: Readonly<Record<string, Rule>> = { at: atScope, cluster: clusterScope, spmd: spmdBlocks, Mesh: meshScope, manual_scope: runtimeScope, scope: runtimeScope };

export function withStatement(s: With, place: Place, lower: LowerBlock): readonly Stmt[] {
  const [item, second] = s.items;
  if (item === undefined || second !== undefined || s.async) {
    refuse("a `with` of several", "write one `with` inside the other", keywordSpan(s), place);
    return broken(s, place, lower);
  }
  const { context } = item;
  if (context.kind === "Subscript" && context.value.kind === "Name") {
    if (place.fn.meshes.has(context.value.name)) return slice(s, context, place, lower);
    if (evaluate(context.value, place).kind === "poison") return broken(s, place, lower);
  }
  const chain = context.kind === "Call" ? dotted(context.callee) : undefined;
  const name = chain?.path.at(-1) ?? chain?.root ?? "";
  const rule = chain !== undefined && Object.hasOwn(RULES, name) && (name === "Mesh" || place.module.namespaces.has(chain.root)) ? RULES[name] : undefined;
  if (rule !== undefined && context.kind === "Call") return rule(s, context, place, lower);
  const near = chain === undefined ? {} : suggestion(spell(chain), ["pl.at", "pl.cluster", "pl.spmd", "pl.manual_scope", "Mesh"], context.span);
  place.reporter.report("TF4127", context.span, {}, near);
  return broken(s, place, lower);
}

/** The body is read for its own errors; its names stay silent. */
function broken(s: With, place: Place, lower: LowerBlock): readonly Stmt[] {
  for (const name of namesBoundBy(s)) silence(place.env, name);
  lower(s.body, place, yieldSlot());
  return [];
}

function optionsOf(call: Extract<SExpr, { readonly kind: "Call" }>, params: Params, later: readonly string[], place: Place): ReadonlyMap<string, Value> | undefined {
  const refused = call.args.find((a) => a.name !== undefined && later.includes(a.name.text));
  const chain = dotted(call.callee);
  const spelled = chain === undefined ? "this" : spell(chain);
  if (refused?.name !== undefined) return notYet(`\`${refused.name.text}\` of \`${spelled}\``, "leave it out: it changes no values", refused.name.span, place);
  const passed = passedArguments(call.args, place, evaluate);
  return passed && bindArguments({ spelled, span: call.span, passed }, params, place);
}

// — regions —

const TASKS = ["deps", "no_dep_args", "dumps", "allow_early_resolve", "windowize", "predicate"] as const;

function atScope(s: With, call: Extract<SExpr, { readonly kind: "Call" }>, place: Place, lower: LowerBlock): readonly Stmt[] {
  const bound = optionsOf(call, { level: "required", role: "optional", name_hint: "keyword", optimizations: "keyword" }, TASKS, place);
  const level = bound?.get("level");
  if (bound === undefined || level === undefined || !noAlias(s, place)) return broken(s, place, lower);
  const word = wordOf(level, "Level", "level", "write `level=pl.Level.CORE_GROUP`", place);
  const role = bound.get("role");
  const hasRole = role !== undefined && knownOf(role)?.kind !== "none";
  if (hasRole && word === "CORE_GROUP") misfit("role", role, "a region of CORE_GROUP has no role: leave it out", place);
  const roleWord = hasRole && word !== "CORE_GROUP" ? wordOf(role, "Role", "role", "write `role=pl.Role.Orchestrator`", place) : undefined;
  if (word === undefined || (hasRole && roleWord === undefined)) return broken(s, place, lower);
  const name = hintOf(bound, place);
  const scope: AtScope = { type: "at", level: word, role: roleWord, name };
  return region(s, scope, place, lower);
}

function clusterScope(s: With, call: Extract<SExpr, { readonly kind: "Call" }>, place: Place, lower: LowerBlock): readonly Stmt[] {
  const bound = optionsOf(call, { name_hint: "keyword" }, TASKS, place);
  return bound === undefined || !noAlias(s, place) ? broken(s, place, lower) : region(s, { type: "cluster", name: hintOf(bound, place) }, place, lower);
}

/** Says when tasks start and end, which one device that runs in order does anyway. */
function runtimeScope(s: With, call: Extract<SExpr, { readonly kind: "Call" }>, place: Place, lower: LowerBlock): readonly Stmt[] {
  const bound = optionsOf(call, { mode: "optional" }, TASKS, place);
  return bound === undefined || !noAlias(s, place) ? broken(s, place, lower) : lower(s.body, place).stmts;
}

function noAlias({ items }: With, place: Place): boolean {
  const alias = items[0]?.alias;
  return alias === undefined || notYet("the task of a region", "leave `as …` out: on one device regions run in order", alias.span, place) !== undefined;
}

/** A `return` at its end is the block's around it. */
function region(s: With, scope: ScopeSpec, place: Place, lower: LowerBlock): readonly Stmt[] {
  const slot = yieldSlot();
  const read = lower(s.body, place, slot);
  const { found } = slot;
  const results = found === undefined ? [] : bindResults(found.names, found.names.map((_, i) => found.values?.[i]?.type), place.env, place, (found.values ?? []).map((v) => bufferOf(v, place.env, place)));
  if (results === undefined || slot.failed) return [];
  const last = read.stmts.at(-1);
  const returns = last?.kind === "Return" ? [last] : [];
  const body: Seq = returns.length === 0 ? read : { ...read, stmts: read.stmts.slice(0, -1) };
  return [scopeRegion(scope, body, results, { span: s.span }), ...returns];
}

function wordOf(value: Value, family: string, name: string, instead: string, place: Place): string | undefined {
  const known = knownOf(value);
  return known?.kind === "word" && known.family === family ? known.word : misfit(name, value, instead, place);
}

// — blocks —

/** `with pl.spmd(n):` is the loop over the blocks whose index nobody names. */
function spmdBlocks(s: With, call: Extract<SExpr, { readonly kind: "Call" }>, place: Place, lower: LowerBlock): readonly Stmt[] {
  if (!noAlias(s, place)) return broken(s, place, lower);
  const target: SExpr = { ...make.name("pl.block"), span: call.callee.span };
  return forStatement(loopOver(s, target, call, s.body), place, lower);
}

function loopOver(s: With, target: SExpr, iterable: SExpr, body: Block): ForStmt {
  const { leading, trailing, blankLines, span } = s;
  return { kind: "ForStmt", async: false, target, iterable, body, orelse: undefined, leading, trailing, blankLines, span };
}

// — positions —

const MESH: Params = { topologies: "required", layout: "required", names: "optional" };

function meshScope(s: With, call: Extract<SExpr, { readonly kind: "Call" }>, place: Place, lower: LowerBlock): readonly Stmt[] {
  const old = call.args.find((a) => a.name?.text === "topology");
  if (old?.name !== undefined) {
    place.reporter.report("TF4128", old.name.span, { problem: "takes a tuple of levels, not `topology=`" });
    return broken(s, place, lower);
  }
  const bound = optionsOf(call, MESH, [], place);
  const mesh = bound && meshOf(bound, call.span, place);
  const name = mesh && aliasOf(s, "mesh", place);
  if (mesh === undefined || name === undefined) return broken(s, place, lower);
  return underMesh(name, mesh, place, () => forStatement(positions(s, name, mesh, s.items[0]?.alias?.span ?? call.span), place, lower));
}

/** The name of a mesh, which no mesh around it has; of one without a name the fallback or the next that is free. */
function aliasOf({ items }: With, fallback: string, place: Place): string | undefined {
  const { meshes } = place.fn;
  const alias = items[0]?.alias;
  if (alias === undefined) return makeNames(meshes.keys()).fresh(fallback);
  if (alias.kind !== "Name") return refuse("this alias", "write a plain name after `as`", alias.span, place);
  if (!meshes.has(alias.name)) return alias.name;
  place.reporter.report("TF4128", alias.span, { problem: `is called \`${alias.name}\`, as one around it` });
  return undefined;
}

function underMesh(name: string, mesh: MeshAlias, { fn: { meshes } }: Place, read: () => readonly Stmt[]): readonly Stmt[] {
  meshes.set(name, mesh);
  const stmts = read();
  meshes.delete(name);
  return stmts;
}

/** One parallel loop an axis, the first outermost. */
function positions(s: With, alias: string, mesh: MeshAlias, span: Span): ForStmt {
  const at = <E extends SExpr>(e: E): E => ({ ...e, span });
  return mesh.axes.reduceRight<{ readonly loop: ForStmt | undefined; readonly body: Block }>(({ body }, axis) => {
    const iterable = at(make.call(make.dotted("T.parallel"), [at(make.integer(axis.extent))], [make.keyword("level", at(make.text(axis.level)))]));
    const loop = loopOver(s, at(make.name(`${alias}.${axis.name}`)), iterable, body);
    return { loop, body: { ...make.block([{ ...loop, leading: [], trailing: undefined }]), span: s.body.span } };
  }, { loop: undefined, body: s.body }).loop ?? loopOver(s, at(make.name(`${alias}.position`)), at(make.call(make.dotted("T.parallel"), [at(make.integer(1))])), s.body);
}

function meshOf(bound: ReadonlyMap<string, Value>, span: Span, place: Place): MeshAlias | undefined {
  const levels = levelsOf(bound.get("topologies"), place);
  const shape = shapeOf(bound.get("layout"), place);
  if (levels === undefined || shape === undefined) return undefined;
  const given = bound.get("names");
  const names = given === undefined ? shape.map((_, i) => `axis${i}`) : namesOf(given, place);
  if (names === undefined) return undefined;
  const complain = (problem: string): undefined => void place.reporter.report("TF4128", given?.span ?? span, { problem });
  if (names.length !== shape.length) return complain(`has ${shape.length} axes, but ${names.length} names`);
  if (new Set(names).size < names.length) return complain("has one name for two axes");
  const size = (list: readonly number[]): number => list.reduce((a, b) => a * b, 1);
  const room = size(levels.map((l) => l.size));
  if (size(shape) > room) return complain(`has ${size(shape)} positions, but ${levels.map((l) => `${l.name} of ${l.size}`).join(" and ")} ${levels.length === 1 ? "has" : "have"} ${room}`);
  const axes = axisLevels(shape, levels).map((level, i) => ({ name: names[i] ?? "", extent: shape[i] ?? 1, level }));
  return { axes };
}

/** Axes are taken by the levels in order, until each is full. */
function axisLevels(shape: readonly number[], levels: readonly Topology[]): readonly Level[] {
  let [at, filled] = [0, 1];
  return shape.map((extent) => {
    if (filled * extent > (levels[at]?.size ?? Infinity) && at < levels.length - 1) [at, filled] = [at + 1, 1];
    filled *= extent;
    const level = levelNamed(levels[at]?.name ?? "", at);
    if (filled >= (levels[at]?.size ?? Infinity) && at < levels.length - 1) [at, filled] = [at + 1, 1];
    return level;
  });
}

const WORDS: Readonly<Record<string, Level>> = { cta: "block", block: "block", core: "block", cluster: "block", warp: "warp", thread: "thread", lane: "lane" };

const levelNamed = (name: string, at: number): Level => (Object.hasOwn(WORDS, name) ? (WORDS[name] ?? "block") : at === 0 ? "block" : "thread");

function levelsOf(value: Value | undefined, place: Place): readonly Topology[] | undefined {
  const items = value && itemsOf(value);
  if (value === undefined || items === undefined) {
    if (value !== undefined && value.kind !== "poison") place.reporter.report("TF4128", value.span, { problem: "takes a tuple of levels, as in `(\"cta\",)`" });
    return undefined;
  }
  const declared = place.module.owner.topologies ?? [];
  const levels = items.map((item): Topology | undefined => {
    const known = knownOf(item);
    if (known?.kind === "topology") return known.topology;
    const name = known?.kind === "string" ? known.value : undefined;
    const found = name === undefined ? undefined : topologyNamed(declared, name);
    if (found === undefined) place.reporter.report("TF4129", item.span, { name: name ?? "this", levels: declared.map((t) => t.name).join(", ") || "none" });
    return found;
  });
  return levels.every((l): l is Topology => l !== undefined) ? levels : undefined;
}

function shapeOf(value: Value | undefined, place: Place): readonly number[] | undefined {
  const items = value && (itemsOf(value) ?? [value]);
  const shape = (items ?? []).map((item) => {
    const known = knownOf(item);
    return known?.kind === "int" && known.value >= 1n && known.value < 2n ** 31n ? Number(known.value) : undefined;
  });
  if (shape.length > 0 && shape.every((n): n is number => n !== undefined)) return shape;
  const wrong = items?.[shape.indexOf(undefined)] ?? value;
  return wrong === undefined || wrong.kind === "poison" ? undefined : misfit("layout", wrong, "write a tuple of positive integers, one an axis: `layout=(8, 32)`", place);
}

function namesOf(value: Value, place: Place): readonly string[] | undefined {
  const items = itemsOf(value);
  const names = (items ?? []).map(knownOf).flatMap((k) => (k?.kind === "string" && /^[A-Za-z_]\w*$/.test(k.value) ? [k.value] : []));
  return names.length === items?.length ? names : misfit("names", value, "write a tuple of names in quotes, one an axis: `names=(\"w\",)`", place);
}

// — slices —

/** `with m[:120] as sub:` the positions in a range: where they are, counted from its start. */
function slice(s: With, context: Extract<SExpr, { readonly kind: "Subscript" }>, place: Place, lower: LowerBlock): readonly Stmt[] {
  const of = context.value.kind === "Name" ? context.value.name : "";
  const mesh = place.fn.meshes.get(of);
  const parts = context.index.kind === "TupleDisplay" ? context.index.items : [context.index];
  if (mesh === undefined) return broken(s, place, lower);
  if (parts.length > mesh.axes.length) {
    place.reporter.report("TF4128", context.span, { problem: `has ${mesh.axes.length} axes, not ${parts.length}` });
    return broken(s, place, lower);
  }
  const ranges = mesh.axes.map((axis, i) => rangeOf(parts[i], axis.extent, place));
  const name = ranges.includes(undefined) ? undefined : aliasOf(s, "sub", place);
  if (name === undefined) return broken(s, place, lower);
  const at = <E extends SExpr>(e: E): E => ({ ...e, span: context.span });
  const coordinate = (i: number): SExpr => at(make.attribute(at(make.name(of)), mesh.axes[i]?.name ?? ""));
  const tests: SExpr[] = [];
  const shifts: SStmt[] = [];
  for (const [i, range] of ranges.entries()) {
    const axis = mesh.axes[i];
    if (range === undefined || axis === undefined) continue;
    if (range.start > 0) tests.push(at(make.compare(">=", coordinate(i), at(make.integer(range.start)))));
    if (range.stop < axis.extent) tests.push(at(make.compare("<", coordinate(i), at(make.integer(range.stop)))));
    const shifted = range.start === 0 ? coordinate(i) : at(make.binary("-", coordinate(i), at(make.integer(range.start))));
    shifts.push({ ...make.assignStmt(at(make.name(`${name}.${axis.name}`)), shifted), span: context.span });
  }
  const sub: MeshAlias = { partOf: of, axes: mesh.axes.map((axis, i) => ({ ...axis, extent: (ranges[i]?.stop ?? axis.extent) - (ranges[i]?.start ?? 0) })) };
  const body: Block = { ...s.body, stmts: [...shifts, ...s.body.stmts] };
  const [first = at(make.truth(true)), ...rest] = tests;
  const cond = rest.reduce<SExpr>((left, right) => at(make.boolOp("and", left, right)), first);
  const { leading, trailing, blankLines, span } = s;
  const guarded: IfStmt = { kind: "IfStmt", cond, body, orelse: undefined, elif: false, leading, trailing, blankLines, span };
  return underMesh(name, sub, place, () => (tests.length === 0 ? lower(body, place).stmts : ifStatement(guarded, place, lower)));
}

interface Range {
  readonly start: number;
  readonly stop: number;
}

function rangeOf(part: SExpr | undefined, extent: number, place: Place): Range | undefined {
  if (part === undefined) return { start: 0, stop: extent };
  const bound = (e: SExpr | undefined, fallback: number): number | undefined => {
    if (e === undefined) return fallback;
    const value = evaluate(e, place);
    const known = knownOf(value);
    if (known?.kind !== "int") return value.kind === "poison" ? undefined : misfit("a bound of a slice", value, "write an integer", place);
    const n = Number(known.value);
    return n < 0 ? n + extent : n;
  };
  const isSlice = part.kind === "Slice";
  const start = bound(isSlice ? part.lower : part, 0);
  const stop = isSlice ? bound(part.upper, extent) : start === undefined ? undefined : start + 1;
  if (start === undefined || stop === undefined) return undefined;
  const step = isSlice && part.step !== undefined ? knownOf(evaluate(part.step, place)) : undefined;
  if (isSlice && part.step !== undefined && !(step?.kind === "int" && step.value === 1n)) return refuse("a slice of a mesh with a step", "take a range of neighbours", part.span, place);
  if (start >= 0 && start < stop && stop <= extent) return { start, stop };
  place.reporter.report("TF4128", part.span, { problem: `has positions 0 to ${extent - 1} on this axis: ${start}:${stop} is no range of them` });
  return undefined;
}
