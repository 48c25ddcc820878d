// Statements that nest: branches, counted loops in either direction and over nothing, loops with carries, `while`, parallel loops,
// `break` and `continue`. What a loop assigns is chosen before its body is made.

import type { DType } from "@tilefoundry/ir";
import { assignable, fresh, indent, inner, listText, type Lines, type Program, type ScalarName, type Scope, type TileName } from "./generate-scope.ts";
import { literal, value } from "./generate-scalars.ts";
import { bare, nameTile, storeInto, elementWrite, writableTensors } from "./generate-statements.ts";
import { boundTile, elementOf } from "./generate-tiles.ts";

const block = (scope: Scope, most = 3): Lines => scope.program.block(scope, most);
const condition = (scope: Scope): string => bare(value("bool", scope, 2));

/** The namespace of loop words. */
const loops = ({ dialect, random }: Program): string => ((dialect === "pl") !== random.chance(0.1) ? "pl" : "T");

// — branches —

export function branch(scope: Scope): Lines {
  const { random } = scope.program;
  const lines = [`if ${condition(scope)}:`, ...indent(block(inner(scope)))];
  if (random.chance(0.2)) lines.push(`elif ${condition(scope)}:`, ...indent(block(inner(scope))));
  if (random.chance(0.4)) lines.push("else:", ...indent(block(inner(scope))));
  return lines;
}

/** Both branches bind a name that is read later. */
export function binding(scope: Scope): Lines {
  const { random } = scope.program;
  const cond = condition(scope);
  const [yes, no] = [inner(scope, { mayJump: false }), inner(scope, { mayJump: false })];
  if (random.chance(0.5)) {
    const dtype = random.weighted(scope.program.scalarDTypes);
    const name = fresh(scope, "v");
    const side = (s: Scope): Lines => indent([...block(s, 2), `${name} = ${bare(value(dtype, s))}`]);
    const lines = [`if ${cond}:`, ...side(yes), "else:", ...side(no)];
    scope.scalars = [...scope.scalars, { name, dtype }];
    return lines;
  }
  const like = scope.tiles.length > 0 ? random.pick(scope.tiles) : { dtype: "f32" as const, shape: [random.pick(scope.program.extents)] };
  const name = fresh(scope, "w");
  const side = (s: Scope): Lines => {
    const stmts = block(s, 2);
    return indent([...stmts, `${name} = ${bare(boundTile({ dtype: like.dtype, shape: like.shape }, s).text)}`]);
  };
  const lines = [`if ${cond}:`, ...side(yes), "else:", ...side(no)];
  scope.tiles = [...scope.tiles, { name, dtype: like.dtype, shape: like.shape, whole: undefined }];
  return lines;
}

/** Both branches yield. */
export function yielding(scope: Scope): Lines {
  const { random } = scope.program;
  const dtypes = Array.from({ length: 1 + random.below(2) }, () => random.weighted(scope.program.scalarDTypes));
  const names = dtypes.map(() => fresh(scope, "v"));
  const side = (): Lines => {
    const s = inner(scope, { mayJump: false });
    return indent([...block(s, 2), `${names.join(", ")} = pl.yield_(${dtypes.map((d) => value(d, s, 2)).join(", ")})`]);
  };
  const lines = [`if ${condition(scope)}:`, ...side(), "else:", ...side()];
  scope.scalars = [...scope.scalars, ...names.map((name, i): ScalarName => ({ name, dtype: dtypes[i] ?? "i32" }))];
  return lines;
}

export function jump(scope: Scope): Lines {
  const { random } = scope.program;
  const word = random.pick(["break", "continue"]);
  return [`if ${condition(scope)}:`, ...indent([...(random.chance(0.4) ? block(inner(scope), 1) : []), word])];
}

/** A `return` of what the function returns. */
export function returned(scope: Scope): Lines {
  const { program } = scope;
  const texts = program.returns.map((r): string => {
    if (r.kind === "scalar") return bare(value(r.dtype, scope, 2));
    const array = scope.tensors.find((t) => t.root === r.root);
    if (array === undefined || r.kind === "handle") return array?.name ?? r.root;
    return array.dtype === "bool" ? `pl.clone(${array.name})` : `pl.${program.random.pick(["add", "mul", "maximum"])}(${array.name}, ${array.name})`;
  });
  return texts.length === 0 ? [] : [`return ${texts.join(", ")}`];
}

/** Outside of loops a branch may end the function. */
export function earlyReturn(scope: Scope): Lines {
  if (scope.inLoop || scope.depth > 1 || scope.program.returns.length === 0) return branch(scope);
  const side = inner(scope);
  return [`if ${condition(scope)}:`, ...indent([...block(side, 2), ...returned(side)])];
}

// — loops —

/** The body of a loop: only some of the names outside may be assigned in it, and tiles among them are then not whole any more. */
function body(scope: Scope, change: Partial<Scope> = {}, mostOpen = 3): Scope {
  const { random } = scope.program;
  const names = [...assignable(scope.scalars, scope), ...assignable(scope.tiles, scope)];
  const open = new Set(Array.from({ length: Math.min(mostOpen, names.length) }, () => random.pick(names).name));
  for (const t of scope.tiles) if (open.has(t.name)) t.whole = undefined;
  const fixed = new Set([...scope.fixed, ...names.map((n) => n.name).filter((n) => !open.has(n))]);
  return inner(scope, { inLoop: true, mayJump: true, fixed, ...change });
}

const withIndex = (scope: Scope, ...names: readonly string[]): Scope => ({
  ...scope, scalars: [...scope.scalars, ...names.map((name): ScalarName => ({ name, dtype: "index" }))], fixed: new Set([...scope.fixed, ...names]),
});

/** Bounds of a loop that runs a few times at most, forward or backward, or not at all. */
function range(scope: Scope): string {
  const { random, symbols, extents } = scope.program;
  const step = random.pick([1, 1, 1, 2, 3, -1, -2]);
  if (step > 0 && symbols.length > 0 && random.chance(0.3)) return `0, ${random.pick(symbols)}, ${random.pick(extents)}`;
  const bound = (low: number): string => {
    const text = random.chance(0.5) ? String(random.below(3) + low) : `T.min(T.max(${value("index", scope, 1)}, -2), ${2 + low})`;
    return text;
  };
  const [low, high] = [bound(0), bound(2)];
  if (step === 1) return random.chance(0.5) ? high : `${low}, ${high}`;
  return step > 0 ? `${low}, ${high}, ${step}` : `${high}, ${low}, ${step}`;
}

export function counted(scope: Scope): Lines {
  const { random } = scope.program;
  const i = fresh(scope, random.pick(["i", "j", "k"]));
  const mode = random.weighted([[8, "range"], [1, "unroll"], [1, "pipeline"]]);
  const bounds = mode === "unroll" ? random.pick(["3", "1, 4", "2, -1, -1", "0"]) : range(scope);
  const inside = withIndex(body(scope, mode === "range" ? {} : { mayJump: false }), i);
  const lines = block(inside);
  return [`for ${i} in ${loops(scope.program)}.${mode}(${bounds}${mode === "pipeline" ? ", stage=2" : ""}):`, ...indent(lines)];
}

/** A loop that surely runs binds names that are read after it. */
export function outliving(scope: Scope): Lines {
  const { random } = scope.program;
  const i = fresh(scope, "i");
  const inside = withIndex(body(scope, { mayJump: false }), i);
  const dtype = random.weighted(scope.program.scalarDTypes);
  const name = fresh(scope, "last");
  const lines = [...block(inside, 2), `${name} = ${bare(value(dtype, inside))}`];
  scope.scalars = [...scope.scalars, { name, dtype }];
  return [`for ${i} in ${loops(scope.program)}.range(${1 + random.below(4)}):`, ...indent(lines)];
}

interface Carry {
  readonly init: string;
  readonly carried: string;
  readonly result: string;
  /** A value for the next iteration. */
  readonly next: (inside: Scope) => string;
  readonly enter: (inside: Scope) => Scope;
  readonly leave: () => void;
}

function scalarCarry(scope: Scope): Carry {
  const dtype = scope.program.random.weighted(scope.program.scalarDTypes);
  const [carried, result] = [fresh(scope, "c"), fresh(scope, "total")];
  const name: ScalarName = { name: carried, dtype };
  return {
    init: value(dtype, scope, 1), carried, result,
    next: (inside) => value(dtype, inside, 2),
    enter: (inside) => ({ ...inside, scalars: [...inside.scalars, name], fixed: new Set([...inside.fixed, carried]) }),
    leave: () => (scope.scalars = [...scope.scalars, { name: result, dtype }]),
  };
}

function tileCarry(scope: Scope): Carry {
  const { random, extents } = scope.program;
  const like = scope.tiles.length > 0 ? random.pick(scope.tiles) : { dtype: "i32" as DType, shape: [random.pick(extents), random.pick(extents)] };
  const want = { dtype: like.dtype, shape: like.shape };
  const [carried, result] = [fresh(scope, "acc"), fresh(scope, "total")];
  const name: TileName = { name: carried, ...want, whole: undefined };
  return {
    init: boundTile(want, scope, false, 1).text, carried, result,
    next: (inside) => boundTile(want, inside).text,
    enter: (inside) => ({ ...inside, tiles: [...inside.tiles, name], fixed: new Set([...inside.fixed, carried]) }),
    leave: () => (scope.tiles = [...scope.tiles, { name: result, ...want, whole: undefined }]),
  };
}

const tupleText = (items: readonly string[]): string => (items.length === 1 ? `(${items[0]},)` : `(${items.join(", ")})`);

function carriesOf(scope: Scope): readonly Carry[] {
  const { random } = scope.program;
  return Array.from({ length: 1 + random.below(2) }, () => (random.chance(0.5) ? tileCarry(scope) : scalarCarry(scope)));
}

/** A counted loop with authored carries. */
export function carrying(scope: Scope): Lines {
  const i = fresh(scope, "i");
  const carries = carriesOf(scope);
  const bounds = range(scope);
  const entered = carries.reduce<Scope>((s, c) => c.enter(s), withIndex(body(scope, { mayJump: false }), i));
  const lines = [...block(entered), `${carries.map((c) => c.result).join(", ")} = pl.yield_(${carries.map((c) => c.next(entered)).join(", ")})`];
  for (const c of carries) c.leave();
  const header = `for ${i}, ${tupleText(carries.map((c) => c.carried))} in ${loops(scope.program)}.range(${bounds}, init_values=${tupleText(carries.map((c) => c.init))}):`;
  return [header, ...indent(lines)];
}

/** `while` on a variable that counts up first thing in the body. */
export function natural(scope: Scope): Lines {
  const { random } = scope.program;
  const turn = fresh(scope, "turn");
  const outer: Scope = { ...scope, scalars: [...scope.scalars, { name: turn, dtype: "index" }] };
  const below = `${turn} < ${random.below(5)}`;
  const cond = random.chance(0.4) ? `${below} and ${value("bool", outer, 2)}` : below;
  const inside = body(outer);
  const lines = [`${turn} = ${turn} + 1`, ...block({ ...inside, fixed: new Set([...inside.fixed, turn]) })];
  return [`${turn} = 0`, `while ${cond}:`, ...indent(lines)];
}

/** `pl.while_`, the first carry of which counts. */
export function whileCarrying(scope: Scope): Lines {
  const { random } = scope.program;
  const [turn, last] = [fresh(scope, "turn"), fresh(scope, "last")];
  const carries = carriesOf(scope);
  const entered = carries.reduce<Scope>((s, c) => c.enter(s), withIndex(body(scope, { mayJump: false }), turn));
  const cond = random.chance(0.2) ? literal("bool", scope) : `${turn} < ${random.below(5)}`;
  const lines = [
    `pl.cond(${cond === "True" ? `${turn} < 3` : cond})`,
    ...block(entered),
    `${[last, ...carries.map((c) => c.result)].join(", ")} = pl.yield_(${[`${turn} + 1`, ...carries.map((c) => c.next(entered))].join(", ")})`,
  ];
  scope.scalars = [...scope.scalars, { name: last, dtype: "index" }];
  for (const c of carries) c.leave();
  return [`for ${tupleText([turn, ...carries.map((c) => c.carried)])} in pl.while_(init_values=${tupleText(["0", ...carries.map((c) => c.init)])}):`, ...indent(lines)];
}

// — parallel loops —

/** What iterations of a parallel loop may do besides writing their own part: nothing outside changes. */
function apart(scope: Scope): Scope {
  return { ...body(scope, { mayJump: false }, 0), tensors: scope.tensors.map((t) => ({ ...t, writable: false })) };
}

/** Windows of a tensor, each written by its own iteration; read at other places only through other tensors. */
export function windows(scope: Scope): Lines {
  const { random, extents, symbols } = scope.program;
  const targets = writableTensors(scope).filter((t) => t.shape.length > 0);
  if (scope.inLoop || targets.length === 0) return counted(scope);
  const target = random.pick(targets);
  const shape = target.shape.map(() => random.pick(extents));
  const names = target.shape.map(() => fresh(scope, "i"));
  const others = apart({ ...scope, tensors: scope.tensors.filter((t) => t !== target) });
  const at = withIndex(others, ...names);
  const own = { ...at, tiles: at.tiles };
  const mine = random.chance(0.4) ? nameTile({ dtype: target.dtype, shape }, undefined, own) : undefined;
  const lines = [
    ...(mine === undefined ? [] : [`${mine} = pl.load(${target.name}, ${listText(names, scope.program)}, ${listText(shape, scope.program)})`]),
    ...block(own),
    storeInto(target, shape, names, own),
  ];
  return nested(names, target.shape.map((extent, axis) => `0, ${extent}, ${shape[axis] ?? 1}`), lines, scope, symbols.length > 0);
}

/** Single elements, each written by its own iteration. */
export function elements(scope: Scope): Lines {
  const { random } = scope.program;
  const targets = writableTensors(scope).filter((t) => t.shape.length > 0);
  if (scope.inLoop || targets.length === 0) return counted(scope);
  const target = random.pick(targets);
  const names = target.shape.map(() => fresh(scope, "i"));
  const own = withIndex(apart({ ...scope, tensors: scope.tensors.filter((t) => t !== target) }), ...names);
  const lines = [...block(own, 2), `${target.name}[${names.join(", ")}] = ${elementOf(target.dtype, own)}`];
  return nested(names, target.shape.map((extent) => `${extent}`), lines, scope, random.chance(0.5));
}

/** Loops in each other, the outermost parallel, perhaps the next one too. */
function nested(names: readonly string[], bounds: readonly string[], lines: Lines, scope: Scope, deep: boolean): Lines {
  const { program } = scope;
  return names.reduceRight<Lines>((made, name, axis) => {
    const last = axis === names.length - 1;
    const mode = last && program.random.chance(0.15) ? "vector" : axis === 0 || (deep && program.random.chance(0.3)) ? "parallel" : "range";
    return [`for ${name} in ${mode === "vector" ? "T" : loops(program)}.${mode}(${bounds[axis] ?? "1"}):`, ...indent(made)];
  }, lines);
}

/** A nest of the loop form: each place is written once, or a number is computed of all. */
export function nests(scope: Scope): Lines {
  const { random, symbols, extents, dialect } = scope.program;
  if (random.chance(0.4)) {
    const [k, carried, result] = [fresh(scope, "k"), fresh(scope, "c"), fresh(scope, "total")];
    const dtype = random.pick(["i32", "index"] as const);
    const own = withIndex(apart(scope), k);
    const extent = symbols.length > 0 && random.chance(0.6) ? random.pick(symbols) : random.pick(extents);
    const init = value(dtype, scope, 1);
    const lines = indent([`${result} = pl.yield_(${carried} + ${value(dtype, own, 2)})`]);
    scope.scalars = [...scope.scalars, { name: result, dtype }];
    return [`for ${k}, (${carried},) in T.nest((${extent},), reduce=True, init_values=(${init},)):`, ...lines];
  }
  const targets = writableTensors(scope).filter((t) => t.shape.length > 0);
  if (scope.inLoop || targets.length === 0) return counted(scope);
  const target = random.pick(targets);
  const names = target.shape.map(() => fresh(scope, "i"));
  const own = withIndex(apart({ ...scope, tensors: scope.tensors.filter((t) => t !== target) }), ...names);
  const element = elementOf(target.dtype, own);
  const comma = names.length === 1 ? "," : "";
  return [`for ${names.join(", ")} in T.nest((${target.shape.join(", ")}${comma})):`, ...indent([dialect === "pl" ? `pl.write(${target.name}, [${names.join(", ")}], ${element})` : `${target.name}[${names.join(", ")}] = ${element}`])];
}

/** A loop over whole rows or blocks of all tensors, the way kernels are written. */
export function sweep(scope: Scope): Lines {
  const { random, symbols, extents } = scope.program;
  const stop = symbols.length > 0 ? random.pick(symbols) : String(random.pick(extents));
  const i = fresh(scope, "i");
  const inside = withIndex(body(scope), i);
  const targets = writableTensors(scope);
  const lines = [...block(inside, 4), ...(targets.length > 0 && random.chance(0.5) ? [elementWrite(random.pick(targets), inside)] : [])];
  return [`for ${i} in ${loops(scope.program)}.range(0, ${stop}, ${random.pick(extents)}):`, ...indent(lines)];
}
