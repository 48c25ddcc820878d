// Headers of loops: which loop it is, its bounds, options and initial values, and the names that it binds.

import type { ForStmt, Name, SExpr } from "@tilefoundry/grammar";
import { LEVELS, type Level, type LoopMode } from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";
import { bindArguments, passedArguments, type Params } from "./arguments.ts";
import { counted, misfit, notYet, suggestion, twice } from "./complaints.ts";
import { evaluate } from "./expr.ts";
import { dotted, spell } from "./members.ts";
import type { Place } from "./place.ts";
import { itemsOf, knownOf, type Value } from "./value.ts";
import type { ResultName } from "./yield-slot.ts";

export type LoopForm = LoopMode | "while" | "nest" | "spmd" | "tile";

const FORMS: Readonly<Record<string, LoopForm>> = {
  range: "sequential", parallel: "parallel", unroll: "unroll", pipeline: "pipeline", vector: "vector", while_: "while", nest: "nest", spmd: "spmd", tile: "tile",
};

/** Names of loops: kernels alone have them. */
export const LOOP_NAMES: ReadonlySet<string> = new Set(Object.keys(FORMS));

/** Loops and scopes of the parents that this version does not have. */
const LATER: ReadonlySet<string> = new Set(["split_aiv", "grid", "Parallel", "Pipelined", "serial"]);

const RANGE: Params = { start: "optional", stop: "optional", step: "optional", init_values: "keyword", stage: "keyword", level: "keyword" };
const PARAMS: Readonly<Record<LoopForm, Params>> = {
  sequential: RANGE, parallel: RANGE, unroll: RANGE, pipeline: RANGE, vector: RANGE,
  while: { init_values: "keyword" },
  spmd: { core_num: "required", sync_start: "keyword", name_hint: "keyword", optimizations: "keyword" },
  tile: { extent: "required", step: "required" },
  nest: { extents: "required", reduce: "keyword", init_values: "keyword" },
};

/** Options of tasks and of the parents' schedulers. */
const LATER_OPTIONS: ReadonlySet<string> = new Set(["attrs", "chunk", "deps", "predicate", "allow_early_resolve"]);

export interface LoopHeader {
  readonly form: LoopForm;
  /** As written: `pl.range`. */
  readonly spelled: string;
  readonly span: Span;
  readonly bound: ReadonlyMap<string, Value>;
}

/** What is looped over; undefined after a complaint. */
export function loopHeader(iterable: SExpr, place: Place): LoopHeader | undefined {
  const chain = iterable.kind === "Call" ? dotted(iterable.callee) : undefined;
  if (iterable.kind !== "Call" || chain === undefined) return refuse(iterable, "this", place);
  const name = chain.path.at(-1) ?? chain.root;
  const spelled = spell(chain);
  const bare = chain.path.length === 0;
  const known = bare ? name === "range" || name === "tile" : place.module.namespaces.has(chain.root) && chain.path.length === 1;
  const form = known && Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
  if (form === "tile" && place.fn.kind !== "graph") {
    return notYet(`\`${spelled}\` outside of \`@func\``, "loop over `T.range(0, extent, step)`", iterable.span, place);
  }
  if (form === undefined && LATER.has(name)) return notYet(`\`${spelled}\``, "loop over `pl.range`, `pl.parallel` or `T.nest`", iterable.span, place);
  if (form === undefined) {
    const spellings = Object.keys(FORMS).map((f) => `${bare ? "pl" : chain.root}.${f}`);
    return refuse(iterable, `\`${spelled}\``, place, suggestion(spelled, spellings, iterable.callee.span));
  }
  const later = iterable.args.find((a) => LATER_OPTIONS.has(a.name?.text ?? ""));
  if (later?.name !== undefined) {
    return notYet(`\`${later.name.text}\` of \`${spelled}\``, "leave it out", later.name.span, place);
  }
  const passed = passedArguments(iterable.args, place, evaluate);
  const bound = passed && bindArguments({ spelled, span: iterable.span, passed }, PARAMS[form], place);
  if (bound === undefined) return undefined;
  if (PARAMS[form] === RANGE && !bound.has("start") && !bound.has("stop")) {
    const known = "(stop), (start, stop) or (start, stop, step)";
    place.reporter.report("TF2009", iterable.span, { callee: spelled, expected: "a bound", found: "none", known });
    return undefined;
  }
  return { form, spelled, span: iterable.span, bound };
}

function refuse(e: SExpr, what: string, place: Place, extras: ReturnType<typeof suggestion> = {}): undefined {
  if (e.kind !== "BadExpr") place.reporter.report("TF4114", e.span, { what }, extras);
  return undefined;
}

// — options —

/** Depth of a pipeline; undefined if not given or refused. */
export function stagesOf({ form, bound }: LoopHeader, place: Place): number | undefined {
  const value = bound.get("stage");
  if (value === undefined) return undefined;
  if (form !== "pipeline") {
    place.reporter.report("TF4112", value.span, { loop: form, name: "stage", instead: "only `pl.pipeline` has stages" });
    return undefined;
  }
  const known = knownOf(value);
  if (known?.kind === "int" && known.value >= 1n && known.value <= 64n) return Number(known.value);
  return misfit("stage", value, "write an integer from 1 to 64", place);
}

export function levelOf({ bound }: LoopHeader, place: Place): Level | undefined {
  const value = bound.get("level");
  if (value === undefined) return undefined;
  const known = knownOf(value);
  const level = known?.kind === "string" ? LEVELS.find((l) => l === known.value) : undefined;
  return level ?? misfit("level", value, `write one of ${LEVELS.map((l) => `"${l}"`).join(", ")}`, place);
}

/** Name of the function that a region becomes. */
export function hintOf(bound: ReadonlyMap<string, Value>, place: Place): string | undefined {
  const value = bound.get("name_hint");
  const known = value && knownOf(value);
  if (value === undefined) return undefined;
  if (known?.kind === "string" && (known.value === "" || /^[A-Za-z_]\w*$/.test(known.value))) return known.value === "" ? undefined : known.value;
  return misfit("name_hint", value, "write a name in quotes, as in `name_hint=\"scale\"`", place);
}

// — names —

export interface LoopNames {
  readonly variables: readonly ResultName[];
  readonly carries: readonly ResultName[];
  readonly init: readonly Value[];
}

/** `i`, `i, j`, `i, (a, b)`, `(a, b)`: as many variables as the loop has, and a carry for each initial value. */
export function loopNames(s: ForStmt, header: LoopHeader, variables: number, place: Place): LoopNames | undefined {
  const given = header.bound.get("init_values");
  const init = given === undefined ? [] : itemsOf(given);
  if (init === undefined) {
    place.reporter.report("TF3110", given?.span, { what: "`init_values`", found: "one value", instead: "write a tuple: `init_values=(x,)`" });
    return undefined;
  }
  const items = s.target.kind === "TupleDisplay" ? s.target.items : [s.target];
  const last = items.at(-1);
  const isWhile = header.form === "while";
  const carried = isWhile ? items : init.length > 0 && last?.kind === "TupleDisplay" ? last.items : [];
  const plain = isWhile ? [] : carried.length > 0 ? items.slice(0, -1) : items;
  if (plain.every(isName) && carried.every(isName) && plain.length === variables && carried.length === init.length) {
    return distinct({ variables: plain, carries: carried, init }, place);
  }
  const parts = [variables === 0 ? [] : counted(variables, "variable"), init.length === 0 ? [] : `a tuple of ${counted(init.length, "name")}`];
  const expected = parts.flat().join(" and ");
  place.reporter.report("TF4115", s.target.span, { expected: expected || "no names", found: "other names are" });
  return undefined;
}

const isName = (e: SExpr): e is Name => e.kind === "Name";

function distinct(names: LoopNames, place: Place): LoopNames | undefined {
  const all = names.carries.length === 0 ? names.variables : [...names.variables, ...names.carries];
  if (all.length === 1) return names;
  const seen = new Map<string, ResultName>();
  for (const n of all) {
    const twin = seen.get(n.name);
    if (twin !== undefined) return twice(n.name, n.span, twin.span, place);
    seen.set(n.name, n);
  }
  return names;
}
