// The structured instruction tree: what emission builds and both writers read. Makers check operand types against the opcode
// table, so a wrong tree is found where it is built. Nodes are plain data; locals and functions are shared by identity.

import { invariant } from "@tilefoundry/text";
import { opcodeRow, type Opcode, type OpcodeRow, type ValueType } from "./opcodes.ts";
import { isWide, type LaneShape } from "./shapes.ts";

export interface Local {
  readonly name: string;
  readonly type: ValueType;
  /** Its place among the function's parameters and, behind them, locals. */
  readonly index: number;
}

export type Tree =
  | {
      readonly kind: "op";
      readonly type: ValueType | undefined;
      readonly op: Opcode;
      readonly row: OpcodeRow;
      readonly operands: readonly Tree[];
      readonly immediates: readonly number[];
    }
  | { readonly kind: "const"; readonly type: Exclude<ValueType, "v128">; readonly value: number | bigint }
  | { readonly kind: "lanes"; readonly type: "v128"; readonly shape: LaneShape; readonly lanes: readonly (number | bigint)[] }
  | { readonly kind: "get"; readonly type: ValueType; readonly local: Local }
  | { readonly kind: "set"; readonly type: undefined; readonly local: Local; readonly value: Tree }
  | { readonly kind: "tee"; readonly type: ValueType; readonly local: Local; readonly value: Tree }
  | { readonly kind: "select"; readonly type: ValueType; readonly operands: readonly [Tree, Tree, Tree] }
  | { readonly kind: "call"; readonly type: ValueType | undefined; readonly callee: WasmFunction; readonly operands: readonly Tree[] }
  | { readonly kind: "block" | "loop"; readonly type: undefined; readonly label: string; readonly body: readonly Tree[] }
  /** Statements, then a value. */
  | { readonly kind: "sequence"; readonly type: ValueType; readonly body: readonly Tree[] }
  | { readonly kind: "if"; readonly type: ValueType | undefined; readonly cond: Tree; readonly then: readonly Tree[]; readonly else: readonly Tree[] }
  | { readonly kind: "branch"; readonly type: undefined; readonly label: string; readonly cond: Tree | undefined }
  | { readonly kind: "return"; readonly type: undefined; readonly value: Tree | undefined }
  | { readonly kind: "comment"; readonly type: undefined; readonly text: string };

export interface WasmFunction {
  readonly name: string;
  readonly params: readonly Local[];
  readonly result: ValueType | undefined;
  /** Without the parameters. */
  readonly locals: readonly Local[];
  readonly body: readonly Tree[];
  readonly comments: readonly string[];
}

/** A module that imports `env.memory` and exports its first function. */
export interface WasmModule {
  readonly exported: string;
  readonly functions: readonly [WasmFunction, ...WasmFunction[]];
}

// — makers —

const NONE: readonly never[] = [];

export function op(name: Opcode, operands: readonly Tree[], immediates: readonly number[] = NONE): Tree {
  const row = opcodeRow(name);
  invariant(takes(row, operands), () => `${name} takes ${row.operands.join(", ")}, not ${operands.map((o) => o.type).join(", ")}`);
  return { kind: "op", type: row.result, op: name, row, operands, immediates };
}

function takes({ operands: wanted }: OpcodeRow, given: readonly Tree[]): boolean {
  if (given.length !== wanted.length) return false;
  for (let i = 0; i < given.length; i++) if (given[i]?.type !== wanted[i]) return false;
  return true;
}

export const i32 = (value: number): Tree => ({ kind: "const", type: "i32", value: value | 0 });
export const i64 = (value: bigint): Tree => ({ kind: "const", type: "i64", value: BigInt.asIntN(64, value) });
export const f32 = (value: number): Tree => ({ kind: "const", type: "f32", value });
export const f64 = (value: number): Tree => ({ kind: "const", type: "f64", value });

export const lanes = (shape: LaneShape, values: readonly (number | bigint)[]): Tree => ({ kind: "lanes", type: "v128", shape, lanes: values });

/** All lanes equal. */
export const laneConst = (shape: LaneShape, value: number | bigint): Tree =>
  lanes(shape, isWide(shape) ? [value, value] : [value, value, value, value]);

export const get = (local: Local): Tree => ({ kind: "get", type: local.type, local });

export function set(local: Local, value: Tree): Tree {
  invariant(value.type === local.type, () => `$${local.name} of type ${local.type} set to ${value.type}`);
  return { kind: "set", type: undefined, local, value };
}

export function tee(local: Local, value: Tree): Tree {
  invariant(value.type === local.type, () => `$${local.name} of type ${local.type} set to ${value.type}`);
  return { kind: "tee", type: local.type, local, value };
}

/** `a` if the condition is not 0. */
export function select(a: Tree, b: Tree, cond: Tree): Tree {
  invariant(a.type === b.type && a.type !== undefined && cond.type === "i32", () => `select of ${a.type}, ${b.type} by ${cond.type}`);
  return { kind: "select", type: a.type, operands: [a, b, cond] };
}

export const call = (callee: WasmFunction, operands: readonly Tree[]): Tree => ({ kind: "call", type: callee.result, callee, operands });

export const block = (label: string, body: readonly Tree[]): Tree => ({ kind: "block", type: undefined, label, body });
export const loop = (label: string, body: readonly Tree[]): Tree => ({ kind: "loop", type: undefined, label, body });
/** Statements and then a value; just the value if there are none. */
export function sequence(statements: readonly Tree[], value: Tree): Tree {
  invariant(value.type !== undefined, () => "a sequence without a value");
  return statements.length === 0 ? value : { kind: "sequence", type: value.type, body: [...statements, value] };
}

export const ifElse = (cond: Tree, then: readonly Tree[], orElse: readonly Tree[] = []): Tree => ({ kind: "if", type: undefined, cond, then, else: orElse });

/** An `if` that gives a value. */
export function choose(cond: Tree, then: Tree, orElse: Tree): Tree {
  invariant(then.type === orElse.type, () => `an if of ${then.type} and ${orElse.type}`);
  return { kind: "if", type: then.type, cond, then: [then], else: [orElse] };
}

export const branch = (label: string, cond?: Tree): Tree => ({ kind: "branch", type: undefined, label, cond });
export const giveBack = (value?: Tree): Tree => ({ kind: "return", type: undefined, value });
export const comment = (text: string): Tree => ({ kind: "comment", type: undefined, text });

/** Loads and stores: the natural alignment of an element, and a constant offset. */
export function memory(name: Opcode, operands: readonly Tree[], align: number, offset = 0, lane?: number): Tree {
  return op(name, operands, lane === undefined ? [align, offset] : [align, offset, lane]);
}

/** Whether two values compute the same from the same locals. */
export function sameTree(a: Tree, b: Tree): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case "get": return b.kind === "get" && a.local === b.local;
    case "const": return b.kind === "const" && a.type === b.type && Object.is(a.value, b.value);
    case "lanes": return b.kind === "lanes" && a.shape === b.shape && sameList(a.lanes, b.lanes, Object.is);
    case "op": return b.kind === "op" && a.op === b.op && sameTrees(a.operands, b.operands) && sameList(a.immediates, b.immediates, Object.is);
    case "select": return b.kind === "select" && sameTrees(a.operands, b.operands);
    case "call": return b.kind === "call" && a.callee === b.callee && sameTrees(a.operands, b.operands);
    case "set":
    case "tee": return b.kind === a.kind && a.local === b.local && sameTree(a.value, b.value);
    case "sequence": return b.kind === "sequence" && sameTrees(a.body, b.body);
    case "if": return b.kind === "if" && sameTree(a.cond, b.cond) && sameTrees(a.then, b.then) && sameTrees(a.else, b.else);
    default: return false; // control flow is no value
  }
}

const sameTrees = (a: readonly Tree[], b: readonly Tree[]): boolean => sameList(a, b, sameTree);

function sameList<T>(a: readonly T[], b: readonly T[], same: (x: T, y: T) => boolean): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!same(a[i] as T, b[i] as T)) return false; // within the lengths
  return true;
}

/** The trees directly below one. */
export function childrenOf(tree: Tree): readonly Tree[] {
  switch (tree.kind) {
    case "op":
    case "select":
    case "call": return tree.operands;
    case "set":
    case "tee": return [tree.value];
    case "sequence":
    case "block":
    case "loop": return tree.body;
    case "if": return [tree.cond, ...tree.then, ...tree.else];
    case "branch": return tree.cond === undefined ? NONE : [tree.cond];
    case "return": return tree.value === undefined ? NONE : [tree.value];
    default: return NONE;
  }
}
