// Structural equality, derived from the field table: variables by an alpha-mapping both ways (free ones by identity), floats bit
// by bit, dims in normal form under the mapping, attributes in any order, sharing within graph bodies. Names, spans and comments
// are out, unless `printed` asks for what canonical text shows. One work list instead of recursion: graphs are deep.

import { dimsEqual, dimVar, isDimSum, substituteDim } from "./dims.ts";
import { type Dim, type Expr, type FunctionNode, type GraphBody, isVarLike, type Meta, type ModuleNode, type Node, type Type, type VarLike } from "./nodes.ts";
import { dimText, typeText } from "./type-text.ts";
import { fieldsOf, fieldValue, type Role } from "./fields.ts";

export type Comparable = Node | FunctionNode | GraphBody | ModuleNode;

export interface EqualOptions {
  /** Compares comments, labels and hints of variables too: what printing and parsing must keep. */
  readonly printed?: boolean;
}

export interface Difference {
  /** Like `softmax.body.stmts[2].value.args[0]`. */
  readonly path: string;
  readonly message: string;
}

/** The first difference in evaluation order, or undefined if there is none. */
export function equal(a: Comparable, b: Comparable, options: EqualOptions = {}): Difference | undefined {
  const state: Comparison = { printed: options.printed ?? false, toRight: new Map(), toLeft: new Map(), sharedRight: new Map(), sharedLeft: new Map(), open: [] };
  state.open.push({ a, b, role: "use", inGraph: false, path: { parent: undefined, segment: rootName(a) } });
  for (let pair = state.open.pop(); pair !== undefined; pair = state.open.pop()) {
    const found = compare(pair, state);
    if (found !== undefined) return { path: pathText(found.at ?? pair.path), message: found.message };
  }
  return undefined;
}

interface Path {
  readonly parent: Path | undefined;
  readonly segment: string;
}

interface Pair {
  readonly a: Comparable;
  readonly b: Comparable;
  readonly role: Role;
  /** Whether values are compared with their sharing. */
  readonly inGraph: boolean;
  readonly path: Path;
}

interface Comparison {
  readonly printed: boolean;
  readonly toRight: Map<VarLike, VarLike>;
  readonly toLeft: Map<VarLike, VarLike>;
  readonly sharedRight: Map<Comparable, Comparable>;
  readonly sharedLeft: Map<Comparable, Comparable>;
  /** Pairs yet to compare, the next one last. */
  readonly open: Pair[];
}

interface Found {
  readonly message: string;
  readonly at?: Path;
}

const rootName = (x: Comparable): string => (x.kind === "Function" || x.kind === "Module" ? x.name : "node");

function pathText(path: Path): string {
  const segments: string[] = [];
  for (let p: Path | undefined = path; p !== undefined; p = p.parent) segments.unshift(p.segment);
  return segments.join("");
}

const below = (parent: Path, segment: string): Path => ({ parent, segment });

function compare(pair: Pair, state: Comparison): Found | undefined {
  const { a, b, path } = pair;
  if (a.kind === "Module" && b.kind === "Module") return compareModules(a, b, path, state);
  if (a.kind === "Function" && b.kind === "Function") return compareFunctions(a, b, path, state);
  if (a.kind === "Graph" && b.kind === "Graph") {
    state.open.push({ a: a.result, b: b.result, role: "use", inGraph: true, path: below(path, ".result") });
    return undefined;
  }
  if (!isNode(a) || !isNode(b)) return { message: `${a.kind} here, ${b.kind} there` };
  if (isVariable(a) && isVariable(b)) return isBinding(pair.role) ? bindPair(a, b, path, state) : usePair(a, b, state);
  if (a.kind !== b.kind) return { message: `${a.kind} here, ${b.kind} there` };
  if (pair.inGraph && a.kind !== "Const") {
    const known = state.sharedRight.get(a);
    if (known === b) return undefined;
    if (known !== undefined) return { message: "a shared value here, one of its own there" };
    if (state.sharedLeft.has(b)) return { message: "a value of its own here, a shared one there" };
    state.sharedRight.set(a, b);
    state.sharedLeft.set(b, a);
  }
  return compareMeta(a.meta, b.meta, path, state) ?? compareFields(a, b, pair, state);
}

const isNode = (x: Comparable): x is Node => x.kind !== "Module" && x.kind !== "Function" && x.kind !== "Graph";
const isVariable = (x: Node): x is VarLike => isVarLike(x as Expr); // only the kind is looked at
const isBinding = (role: Role): boolean => role === "bind" || role === "binds" || role === "def" || role === "defs";

// — nodes —

function compareFields(a: Node, b: Node, { path, inGraph }: Pair, state: Comparison): Found | undefined {
  const children: Pair[] = [];
  for (const [field, role] of fieldsOf(a.kind)) {
    const at = below(path, `.${field}`);
    const left = fieldValue(a, field);
    const right = fieldValue(b, field);
    if (role === "type" || role === "attr" || role === "hint") {
      if (role === "hint" && !state.printed) continue;
      if (!sameData(left, right, state)) return { message: `${dataText(left)} here, ${dataText(right)} there`, at };
    } else if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) return { message: `${left.length} here, ${right.length} there`, at };
      for (const [i, child] of left.entries()) children.push({ a: child, b: right[i], role, inGraph, path: below(at, `[${i}]`) });
    } else if (left !== undefined && right !== undefined) {
      children.push({ a: left as Node, b: right as Node, role, inGraph, path: at }); // the role holds nodes
    } else if (left !== right) {
      return { message: left === undefined ? "absent here" : "absent there", at };
    }
  }
  state.open.push(...children.reverse());
  return undefined;
}

function bindPair(a: VarLike, b: VarLike, path: Path, state: Comparison): Found | undefined {
  const known = state.toRight.get(a);
  if (known !== undefined || state.toLeft.has(b)) return known === b ? undefined : { message: `${a.hint} and ${b.hint} are bound to different variables` };
  if (a.kind !== b.kind) return { message: `${a.kind} here, ${b.kind} there` };
  state.toRight.set(a, b);
  state.toLeft.set(b, a);
  return compareMeta(a.meta, b.meta, path, state) ?? compareFields(a, b, { a, b, role: "use", inGraph: false, path }, state);
}

function usePair(a: VarLike, b: VarLike, state: Comparison): Found | undefined {
  const known = state.toRight.get(a);
  if (known === b || (known === undefined && a === b && !state.toLeft.has(b))) return undefined;
  return { message: `the variable ${a.hint} here, another one (${b.hint}) there` };
}

function compareMeta(a: Meta, b: Meta, path: Path, { printed }: Comparison): Found | undefined {
  if (!printed) return undefined;
  const [left, right] = [a.comments ?? [], b.comments ?? []];
  if (left.join("\n") !== right.join("\n")) return { message: `comments ${JSON.stringify(left)} here, ${JSON.stringify(right)} there`, at: below(path, ".comments") };
  return a.label === b.label ? undefined : { message: `${a.label ?? "no label"} here, ${b.label ?? "no label"} there`, at: below(path, ".label") };
}

// — functions and modules —

function compareModules(a: ModuleNode, b: ModuleNode, path: Path, state: Comparison): Found | undefined {
  if (a.name !== b.name) return { message: `${a.name} here, ${b.name} there`, at: below(path, ".name") };
  if (a.entry !== b.entry) return { message: `${a.entry ?? "none"} here, ${b.entry ?? "none"} there`, at: below(path, ".entry") };
  for (const field of MODULE_DATA) {
    if (!sameData(a[field], b[field], state)) return { message: `${dataText(a[field])} here, ${dataText(b[field])} there`, at: below(path, `.${field}`) };
  }
  const pairs: Pair[] = [];
  for (const field of ["functions", "children"] as const) {
    const [left, right] = [a[field], b[field]];
    if (left.length !== right.length) return { message: `${left.length} here, ${right.length} there`, at: below(path, `.${field}`) };
    for (const [i, part] of left.entries()) {
      const at: Path = a.form === "text" && field === "functions" ? { parent: undefined, segment: part.name } : below(path, `.${part.name}`);
      pairs.push({ a: part, b: right[i] ?? part, role: "use", inGraph: false, path: at });
    }
  }
  state.open.push(...pairs.reverse());
  return compareMeta(a.meta, b.meta, path, state);
}

/** Fields of a module that are compared as data. */
const MODULE_DATA = ["form", "target", "topologies", "methods"] as const satisfies readonly (keyof ModuleNode)[];

/** Fields of a function that are compared as data. */
const FUNCTION_DATA = ["name", "func", "target", "contract"] as const satisfies readonly (keyof FunctionNode)[];

function compareFunctions(a: FunctionNode, b: FunctionNode, path: Path, state: Comparison): Found | undefined {
  for (const field of FUNCTION_DATA) {
    if (a[field] !== b[field]) return { message: `${dataText(a[field])} here, ${dataText(b[field])} there`, at: below(path, `.${field}`) };
  }
  const found = compareMeta(a.meta, b.meta, path, state) ?? compareSymbols(a, b, path, state) ?? compareParams(a, b, path, state);
  if (found !== undefined) return found;
  if (!sameData(a.returns, b.returns, state)) return { message: `${dataText(a.returns)} here, ${dataText(b.returns)} there`, at: below(path, ".returns") };
  state.open.push({ a: a.body, b: b.body, role: "body", inGraph: false, path: below(path, ".body") });
  return undefined;
}

function compareSymbols(a: FunctionNode, b: FunctionNode, path: Path, state: Comparison): Found | undefined {
  const at = below(path, ".symbols");
  if (a.symbols.length !== b.symbols.length) return { message: `${a.symbols.length} here, ${b.symbols.length} there`, at };
  for (const [i, left] of a.symbols.entries()) {
    const right = b.symbols[i] ?? left;
    if (left.lo !== right.lo || left.hi !== right.hi) return { message: `[${left.lo}, ${left.hi}) here, [${right.lo}, ${right.hi}) there`, at: below(at, `[${i}]`) };
    const found = bindPair(left.var, right.var, below(at, `[${i}]`), state);
    if (found !== undefined) return found;
  }
  return undefined;
}

function compareParams(a: FunctionNode, b: FunctionNode, path: Path, state: Comparison): Found | undefined {
  const at = below(path, ".params");
  if (a.params.length !== b.params.length) return { message: `${a.params.length} here, ${b.params.length} there`, at };
  for (const [i, left] of a.params.entries()) {
    const right = b.params[i] ?? left;
    if (left.direction !== right.direction) return { message: `${left.direction} here, ${right.direction} there`, at: below(at, `[${i}].direction`) };
    const found = bindPair(left.var, right.var, below(at, `[${i}]`), state);
    if (found !== undefined) return found;
  }
  return undefined;
}

// — data —

function sameData(a: unknown, b: unknown, state: Comparison): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  if (isDimSum(a) || isDimSum(b)) return isDimSum(a) && isDimSum(b) && dimsEqual(substituteDim(a, (v) => renamedVar(v, state)), b);
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((part, i) => sameData(part, b[i], state));
  const right = new Map<string, unknown>(Object.entries(b).filter(([, part]) => part !== undefined));
  const left = Object.entries(a).filter(([, part]) => part !== undefined);
  return left.length === right.size && left.every(([key, part]) => right.has(key) && sameData(part, right.get(key), state));
}

function renamedVar(v: VarLike, { toRight }: Comparison): Dim | undefined {
  const other = toRight.get(v);
  return other && dimVar(other);
}

const TYPE_KINDS: ReadonlySet<unknown> = new Set<Type["kind"]>(["Scalar", "Vec", "Tensor", "TupleType", "Unit", "Unknown"]);

function dataText(data: unknown): string {
  if (typeof data === "bigint" || Object.is(data, -0)) return Object.is(data, -0) ? "-0" : String(data);
  if (typeof data !== "object" || data === null) return typeof data === "string" ? data : String(data);
  if (isDimSum(data)) return dimText(data);
  if (Array.isArray(data)) return `(${data.map(dataText).join(", ")})`;
  if ("kind" in data && TYPE_KINDS.has(data.kind)) return typeText(data as Type); // the kind says so
  return `{${Object.entries(data).filter(([, part]) => part !== undefined).map(([key, part]) => `${key}: ${dataText(part)}`).join(", ")}}`;
}
