// The structured instruction tree: what emission builds and both writers read. Makers check operand types against the opcode
// table, so a wrong tree is found where it is built. Nodes are plain data; locals and functions are shared by identity.

import { invariant } from "@tilefoundry/text";
import { opcodeRow, type Opcode, type ValueType } from "./opcodes.ts";

export interface Local {
  readonly name: string;
  readonly type: ValueType;
}

/** Names of a vector constant's lanes. */
export type LaneShape = "i32x4" | "i64x2" | "f32x4" | "f64x2";

export type Tree =
  | { readonly kind: "op"; readonly op: Opcode; readonly type: ValueType | undefined; readonly operands: readonly Tree[]; readonly immediates: readonly number[] }
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

export function op(name: Opcode, operands: readonly Tree[], immediates: readonly number[] = []): Tree {
  const row = opcodeRow(name);
  invariant(
    row.operands.length === operands.length && row.operands.every((t, i) => operands[i]?.type === t),
    () => `${name} takes ${row.operands.join(", ")}, not ${operands.map((o) => o.type).join(", ")}`,
  );
  return { kind: "op", op: name, type: row.result, operands, immediates };
}

export const i32 = (value: number): Tree => ({ kind: "const", type: "i32", value: value | 0 });
export const i64 = (value: bigint): Tree => ({ kind: "const", type: "i64", value: BigInt.asIntN(64, value) });
export const f32 = (value: number): Tree => ({ kind: "const", type: "f32", value });
export const f64 = (value: number): Tree => ({ kind: "const", type: "f64", value });

export const lanes = (shape: LaneShape, values: readonly (number | bigint)[]): Tree => ({ kind: "lanes", type: "v128", shape, lanes: values });

/** All lanes equal. */
export function laneConst(shape: LaneShape, value: number | bigint): Tree {
  const wide = shape.endsWith("x2");
  return lanes(shape, Array<number | bigint>(wide ? 2 : 4).fill(value));
}

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

/** Equal for trees that compute the same from the same locals. */
export function keyOf(tree: Tree): string {
  switch (tree.kind) {
    case "get": return `$${tree.local.name}`;
    case "const": return `${tree.type}:${tree.value}`;
    case "lanes": return `${tree.shape}:${tree.lanes.join(",")}`;
    case "op": return `${tree.op}[${tree.immediates.join(",")}](${tree.operands.map(keyOf).join(" ")})`;
    case "select": return `select(${tree.operands.map(keyOf).join(" ")})`;
    case "call": return `${tree.callee.name}(${tree.operands.map(keyOf).join(" ")})`;
    case "tee": return `$${tree.local.name}=${keyOf(tree.value)}`;
    case "set": return `set $${tree.local.name}=${keyOf(tree.value)}`;
    case "sequence": return `{${tree.body.map(keyOf).join("; ")}}`;
    case "if": return `if(${[tree.cond, ...tree.then].map(keyOf).join(" ")} else ${tree.else.map(keyOf).join(" ")})`;
    case "block":
    case "loop": return `${tree.kind} ${tree.label}{${tree.body.map(keyOf).join("; ")}}`;
    case "branch": return `br ${tree.label}`;
    case "return": return "return";
    case "comment": return "";
  }
}

/** Calls `visit` on a tree and everything below it. */
export function eachTree(tree: Tree, visit: (tree: Tree) => void): void {
  visit(tree);
  for (const child of childrenOf(tree)) eachTree(child, visit);
}

function childrenOf(tree: Tree): readonly Tree[] {
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
    case "branch": return tree.cond === undefined ? [] : [tree.cond];
    case "return": return tree.value === undefined ? [] : [tree.value];
    default: return [];
  }
}
