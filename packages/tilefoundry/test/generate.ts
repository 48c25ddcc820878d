// Whole programs as text, by seed: statement functions of both dialects and value functions. Each is correct by construction and
// keeps to exactly rounded operations and sums of small integers, so that its results have the same bits at every stage and on
// every target. One table says which statements there are, and how often each is made.

import type { DType } from "@tilefoundry/ir";
import { randomBy, type Random } from "./generate-random.ts";
import {
  binding, branch, carrying, counted, earlyReturn, elements, jump, natural, nests, outliving, returned, sweep, whileCarrying, windows, yielding,
} from "./generate-control.ts";
import { graphProgram } from "./generate-graph.ts";
import { kernelProgram } from "./generate-kernels.ts";
import { styled } from "./generate-style.ts";
import { arrayType, dtypeText, indent, type Lines, type Program, type Returned, type Scope, type ScalarName, type TensorName, type Weighted } from "./generate-scope.ts";
import {
  createdTile, localTensor, newTile, renamed, retyped, scalarAssignment, someWant, store, swapped, swappedTiles, tileAssignment, write,
} from "./generate-statements.ts";

export interface GenerateOptions {
  /** About how many statements. */
  readonly size?: number;
  /** Name of the function. */
  readonly name?: string;
}

type Maker = (scope: Scope) => Lines;

/** All dtypes of scalars and arrays; a program has some of them, and parameters of each. */
const SCALARS: Weighted<DType> = [[4, "i32"], [3, "index"], [4, "f32"], [2, "u8"], [2, "bool"], [1, "u32"], [1, "f64"], [1, "i64"], [1, "i8"], [1, "i16"], [1, "u16"], [1, "u64"]];
const ARRAYS: Weighted<DType> = [[7, "f32"], [3, "i32"], [1, "u8"], [1, "f64"], [1, "u32"], [1, "i64"], [0.5, "i8"], [0.5, "i16"], [0.5, "u16"], [0.5, "u64"], [0.5, "bool"]];

/** Statements by how often they are made. */
const FLAT: Weighted<Maker> = [
  [4, scalarAssignment], [1, retyped], [1, swapped],
  [6, tileAssignment], [2, (scope) => newTile(someWant(scope), scope)], [1, createdTile], [0.7, swappedTiles], [0.5, localTensor],
  [5, store], [3, write], [1, renamed],
];
const NESTED: Weighted<Maker> = [
  [3, branch], [2, binding], [1, yielding], [1, earlyReturn],
  [3, counted], [1, outliving], [2, carrying], [1, natural], [1, whileCarrying],
  [3, windows], [1, elements], [2, sweep], [1, nests],
];

/** The text of a program; the same for the same seed and options. */
export function generate(seed: number, { size = 12, name = `f${seed}` }: GenerateOptions = {}): string {
  const random = randomBy(seed);
  const text = random.weighted<() => string>([
    [1, () => graphProgram(random, name, size)],
    [1, () => kernelProgram(random, name)],
    [5, () => statementProgram(random, name, size)],
  ])();
  return styled(text, random);
}

function statementProgram(random: Random, name: string, size: number): string {
  const dialect = random.pick(["pl", "tf"] as const);
  const symbols = ["N", "M", "K"].slice(0, random.below(4));
  const extents = Array.from({ length: 3 }, () => random.weighted([[1, 1], [1, 2], [2, 3], [3, 4], [1, 5], [2, 8], [1, 16], [0.5, 19]]));
  const [scalarDTypes, arrayDTypes] = [some(SCALARS, 3, random), some(ARRAYS, 2, random)];
  const open = { random, dialect, extents, symbols, scalarDTypes, arrayDTypes, block, budget: size, made: 0 };
  const tensors = parameters({ ...open, returns: [] });
  const program: Program = { ...open, returns: returnsOf(tensors, scalarDTypes, random) };
  const scalars = scalarDTypes.map(([, dtype], i): ScalarName => ({ name: `p${i}`, dtype })).filter(() => random.chance(0.8));
  const scope: Scope = {
    program, tensors, tiles: [], inLoop: false, mayJump: false, depth: 0,
    scalars: [...scalars, ...symbols.map((s): ScalarName => ({ name: s, dtype: "index" }))], fixed: new Set(symbols),
  };
  const lines = [...top(scope), ...ending(scope)];
  return [...preamble(program), ...header(program, name, tensors, scalars), ...indent(lines), ""].join("\n");
}

/** As many different rows of a table, at most, by their weights. */
function some<T>(rows: Weighted<T>, most: number, random: Random): Weighted<T> {
  const values = new Set(Array.from({ length: most }, () => random.weighted(rows)));
  return rows.filter(([, value]) => values.has(value));
}

function top(scope: Scope): Lines {
  const lines: string[] = [];
  while (scope.program.budget > 0) lines.push(...statement(scope));
  return lines;
}

/** So that something is seen of what was computed. */
function ending(scope: Scope): Lines {
  return [...store(scope), ...write(scope), ...returned(scope)];
}

/** Most functions return nothing; some a few scalars and tensors. */
function returnsOf(tensors: readonly TensorName[], scalars: Weighted<DType>, random: Random): readonly Returned[] {
  return Array.from({ length: random.weighted([[5, 0], [1, 1], [1, 2], [0.5, 3]]) }, (): Returned => {
    const kind = random.pick(["scalar", "handle", "fresh"] as const);
    return kind === "scalar" ? { kind, dtype: random.weighted(scalars) } : { kind, root: random.pick(tensors).name };
  });
}

function block(scope: Scope, most: number): Lines {
  const lines: string[] = [];
  for (let n = 1 + scope.program.random.below(most); n > 0; n--) lines.push(...statement(scope));
  return lines;
}

/** How deep blocks nest. */
const DEEPEST = 4;

function statement(scope: Scope): Lines {
  const { program } = scope;
  program.budget--;
  if (scope.mayJump && program.random.chance(0.1)) return jump(scope);
  const nests = scope.depth < DEEPEST && program.budget > 0 && program.random.chance(0.35);
  return program.random.weighted(nests ? NESTED : FLAT)(scope);
}

// — the signature —

/** Tensors: some only read, of whole numbers if their name says so, and one at least to write. */
function parameters(program: Program): readonly TensorName[] {
  const { random } = program;
  const made: TensorName[] = [];
  const add = (hint: string, dtype: DType, writable: boolean): void => {
    const small = !writable && random.chance(0.6);
    made.push({ name: writable ? hint.replace("in", "out") : small ? `small_${hint}` : hint, dtype, shape: tensorShape(program), whole: small ? 4 : undefined, writable });
  };
  for (const [, dtype] of program.arrayDTypes) add(`in${made.length}`, dtype, false);
  for (let n = random.below(3); n >= 0; n--) add(`in${made.length}`, random.weighted(program.arrayDTypes), n === 0 || random.chance(0.4));
  // a symbol must be an axis of its own somewhere
  for (const symbol of program.symbols) {
    if (!made.some((t) => t.shape.includes(symbol))) made.push({ name: `of_${symbol}`, dtype: "i32", shape: [symbol], whole: 4, writable: random.chance(0.3) });
  }
  return made.map((t) => ({ ...t, root: t.name }));
}

function tensorShape({ random, symbols }: Program): readonly (number | string)[] {
  const rank = random.weighted([[3, 1], [6, 2], [0.5, 3], [0.3, 0]]);
  return Array.from({ length: rank }, () => {
    const symbol = symbols.length > 0 && random.chance(0.6) ? random.pick(symbols) : undefined;
    if (symbol !== undefined) return random.weighted([[10, symbol], [1, `${symbol} + 1`], [1, `2 * ${symbol}`]]);
    return random.weighted([[4, random.pick([5, 7, 8, 9])], [2, random.pick([1, 4, 16, 21])], [0.4, 0]]);
  });
}

function header(program: Program, name: string, tensors: readonly TensorName[], scalars: readonly ScalarName[]): Lines {
  const { random, dialect } = program;
  const kind = random.weighted([[4, "(type=pl.FunctionType.InCore)"], [1, ""], [1, "(type=pl.FunctionType.Orchestration)"]]);
  const prefix = dialect === "pl" ? "pl." : "";
  const wrapped = (t: TensorName): string => {
    const type = arrayType(t.shape, t.dtype, program);
    return t.writable ? `${prefix}${random.weighted([[3, "InOut"], [1, "Out"]])}[${type}]` : type;
  };
  const params = [
    ...tensors.map((t) => `${t.name}: ${wrapped(t)}`),
    ...scalars.map((s) => `${s.name}: ${prefix}Scalar[${dtypeText(s.dtype, program)}]`),
  ];
  return [dialect === "pl" ? `@pl.function${kind}` : "@prim_func", `def ${name}(${params.join(", ")}):`];
}

/** Declarations of extents, a constant of the module, comments. */
function preamble({ random, symbols }: Program): Lines {
  const declared = symbols.filter(() => random.chance(0.2)).map((s) => `${s} = DimVar("${s}", ${random.below(2)}, ${40 + random.below(60)})`);
  return [...(random.chance(0.3) ? ["# a generated kernel"] : []), ...declared];
}
