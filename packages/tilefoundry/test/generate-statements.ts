// Statements that do not nest: assignments of scalars and tiles, stores, element writes, newer names of a buffer.

import { isFloat, type DType } from "@tilefoundry/ir";
import {
  arrayType, assignable, dtypeText, elementText, fresh, listText, scalarsOf, type Lines, type Scope, type TensorName, type TileName,
} from "./generate-scope.ts";
import { position, value } from "./generate-scalars.ts";
import { boundTile, elementOf, tile, windowOffsets, type TileText, type Want } from "./generate-tiles.ts";

// — scalars —

const HINTS = ["a", "s", "t", "acc", "r"];

export function scalarAssignment(scope: Scope): Lines {
  const { random } = scope.program;
  const open = assignable(scope.scalars, scope);
  if (open.length > 0 && random.chance(0.5)) {
    const { name, dtype } = random.pick(open);
    return [`${name} = ${bare(value(dtype, scope))}`];
  }
  return newScalar(random.weighted(scope.program.scalarDTypes), scope);
}

export function newScalar(dtype: DType, scope: Scope): Lines {
  const { random, dialect } = scope.program;
  const text = value(dtype, scope);
  const name = fresh(scope, random.pick(HINTS));
  scope.scalars = [...scope.scalars, { name, dtype }];
  const type = random.chance(0.1) ? `: ${dialect === "pl" ? "pl." : ""}Scalar[${dtypeText(dtype, scope.program)}]` : "";
  return [`${name}${type} = ${bare(text)}`];
}

/** Without the outermost parentheses. */
export function bare(text: string): string {
  if (!text.startsWith("(")) return text;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    depth += text[i] === "(" ? 1 : text[i] === ")" ? -1 : 0;
    if (depth === 0) return i === text.length - 1 && text.includes(" ") ? text.slice(1, -1) : text;
  }
  return text;
}

/** At the top level a name may go on with another type. */
export function retyped(scope: Scope): Lines {
  const { random } = scope.program;
  const open = assignable(scope.scalars, scope);
  if (scope.depth > 0 || open.length === 0) return scalarAssignment(scope);
  const old = random.pick(open);
  const dtype = random.weighted(scope.program.scalarDTypes);
  const text = value(dtype, scope);
  scope.scalars = [...scope.scalars.filter((s) => s !== old), { name: old.name, dtype }];
  return [`${old.name} = ${bare(text)}`];
}

/** Several names at once: their values are those from before. */
export function swapped(scope: Scope): Lines {
  const { random } = scope.program;
  const open = assignable(scope.scalars, scope);
  if (open.length === 0) return scalarAssignment(scope);
  const first = random.pick(open);
  const others = assignable(scalarsOf(first.dtype, scope), scope).filter((s) => s !== first);
  const second = others.length > 0 ? random.pick(others) : undefined;
  if (second === undefined) return scalarAssignment(scope);
  return [`${first.name}, ${second.name} = ${second.name}, ${random.chance(0.6) ? first.name : bare(value(first.dtype, scope, 2))}`];
}

// — tiles —

export function someShape(scope: Scope): readonly number[] {
  const { random, extents } = scope.program;
  const rank = random.weighted([[3, 1], [6, 2], [0.5, 3]]);
  return Array.from({ length: rank }, () => (random.chance(0.1) ? 1 : random.pick(extents)));
}

export function someWant(scope: Scope): Want {
  const { random } = scope.program;
  const like = scope.tiles.length > 0 && random.chance(0.5) ? random.pick(scope.tiles) : undefined;
  return like === undefined ? { dtype: random.weighted(scope.program.arrayDTypes), shape: someShape(scope) } : { dtype: like.dtype, shape: like.shape };
}

export function tileAssignment(scope: Scope): Lines {
  const { random } = scope.program;
  const open = assignable(scope.tiles, scope);
  if (open.length > 0 && random.chance(0.4)) {
    const target = random.pick(open);
    const made = boundTile({ dtype: target.dtype, shape: target.shape }, scope, target.written);
    widen(target, made);
    return [`${target.name} = ${bare(made.text)}`];
  }
  return newTile(someWant(scope), scope);
}

/** A name that is assigned may hold the elements of either value. */
function widen(target: TileName, { whole }: TileText): void {
  target.whole = target.whole === undefined || whole === undefined ? undefined : Math.max(target.whole, whole);
}

export function newTile({ dtype, shape }: Want, scope: Scope): Lines {
  const { random } = scope.program;
  const small = isFloat(dtype) && random.chance(0.4) ? { most: 64 } : {};
  const written = random.chance(0.3);
  const made = boundTile({ dtype, shape, ...small }, scope, written);
  return [`${nameTile({ dtype, shape }, made.whole, scope, written)} = ${bare(made.text)}`];
}

export function nameTile({ dtype, shape }: Want, whole: number | undefined, scope: Scope, written = false): string {
  const name = fresh(scope, scope.program.random.pick(["x", "tile", "row", "acc", "u"]));
  scope.tiles = [...scope.tiles, { name, dtype, shape, whole, written }];
  return name;
}

/** A tile that is made empty and written element by element. */
export function createdTile(scope: Scope): Lines {
  const { program } = scope;
  const want = someWant(scope);
  const name = nameTile(want, undefined, scope, true);
  return [
    `${name} = pl.create_tile(${listText(want.shape, program)}, dtype=${dtypeText(want.dtype, program)})`,
    ...Array.from({ length: 1 + program.random.below(2) }, () => elementWrite({ ...want, name }, scope)),
  ];
}

export function swappedTiles(scope: Scope): Lines {
  const { random } = scope.program;
  const open = assignable(scope.tiles, scope).filter((t) => t.written !== true);
  if (open.length < 2) return tileAssignment(scope);
  const first = random.pick(open);
  const second = open.find((t) => t !== first && t.dtype === first.dtype && String(t.shape) === String(first.shape));
  if (second === undefined) return tileAssignment(scope);
  [first.whole, second.whole] = [undefined, undefined];
  return [`${first.name}, ${second.name} = ${second.name}, ${first.name}`];
}

// — writes —

export const writableTensors = (scope: Scope): readonly TensorName[] => scope.tensors.filter((t) => t.writable);

export function store(scope: Scope): Lines {
  const { random } = scope.program;
  const targets = writableTensors(scope);
  if (targets.length === 0) return tileAssignment(scope);
  const target = random.pick(targets);
  const like = scope.tiles.filter((t) => t.dtype === target.dtype && t.shape.length === target.shape.length);
  const shape = like.length > 0 && random.chance(0.6) ? random.pick(like).shape : target.shape.map(() => random.pick(scope.program.extents));
  return [storeInto(target, shape, windowOffsets(target.shape, shape, scope), scope)];
}

export function storeInto(target: TensorName, shape: readonly number[], offsets: readonly string[], scope: Scope): string {
  const { random } = scope.program;
  const { text } = tile({ dtype: target.dtype, shape }, scope);
  const call = `pl.store(${text}, ${listText(offsets, scope.program)}, ${target.name})`;
  return random.chance(0.2) ? `${target.name} = ${call}` : call;
}

export function elementWrite(target: { readonly name: string; readonly dtype: DType; readonly shape: readonly (number | string)[] }, scope: Scope): string {
  const { program } = scope;
  const at = target.shape.map((extent) => position(extent, scope));
  const element = elementOf(target.dtype, scope);
  if (program.random.chance(0.4) && at.length > 0) return `${target.name}[${at.join(", ")}] = ${element}`;
  return `pl.write(${target.name}, ${listText(at, program)}, ${element})`;
}

export function write(scope: Scope): Lines {
  const { random } = scope.program;
  const tiles = assignable(scope.tiles, scope).filter((t) => t.written === true);
  if (tiles.length > 0 && random.chance(0.3)) {
    const target = random.pick(tiles);
    target.whole = undefined;
    return [elementWrite(target, scope)];
  }
  const targets = writableTensors(scope);
  return targets.length === 0 ? scalarAssignment(scope) : [elementWrite(random.pick(targets), scope)];
}

/** A buffer goes on under a newer name: the older one may not be read any more. */
export function renamed(scope: Scope): Lines {
  const { random } = scope.program;
  // which buffer a function returns must be plain from the name
  const returned = new Set(scope.program.returns.flatMap((r) => (r.kind === "handle" ? [r.root] : [])));
  const targets = writableTensors(scope).filter((t) => t.root === undefined || !returned.has(t.root));
  if (scope.depth > 0 || targets.length === 0) return store(scope);
  const target = random.pick(targets);
  const newer: TensorName = { ...target, name: fresh(scope, "y") };
  const at = target.shape.map((extent) => position(extent, scope));
  const text = random.chance(0.3) ? target.name : `pl.write(${target.name}, ${listText(at, scope.program)}, ${elementOf(target.dtype, scope)})`;
  scope.tensors = scope.tensors.map((t) => (t === target ? newer : t));
  return [`${newer.name} = ${text}`];
}

/** A tensor of the program's own, of a parameter's shape. */
export function localTensor(scope: Scope): Lines {
  const { program } = scope;
  const { random } = program;
  const like = random.pick(scope.tensors);
  if (scope.depth > 0 || like.dtype === "bool") return tileAssignment(scope);
  const name = fresh(scope, "local");
  const made: TensorName = { name, dtype: like.dtype, shape: like.shape, whole: undefined, writable: true };
  const parts = scope.tensors.filter((t) => t.dtype === like.dtype && String(t.shape) === String(like.shape));
  const shape = listText(like.shape, program);
  const text = random.weighted<() => string>([
    [1, () => `pl.create_tensor(${shape}, dtype=${dtypeText(like.dtype, program)})`],
    [1, () => `tf.full(${shape}, ${dtypeText(like.dtype, program)}, ${elementText(random.below(4), like.dtype, program).replace(/^.*\((-?\d+),.*$/, "$1")})`],
    [2, () => `pl.add(${random.pick(parts).name}, ${random.pick(parts).name})`],
    [2, () => `pl.${random.pick(["maximum", "mul", "sub"])}(${random.pick(parts).name}, pl.${random.pick(["neg", "abs"])}(${random.pick(parts).name}))`],
    [1, () => `pl.clone(${random.pick(parts).name})`],
  ])();
  scope.tensors = [...scope.tensors, made];
  const type = random.chance(0.2) ? `: ${arrayType(like.shape, like.dtype, program)}` : "";
  return [`${name}${type} = ${text}`];
}
