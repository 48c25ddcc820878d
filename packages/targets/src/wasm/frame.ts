// The state of the function that is being written: where variables lie, temporaries, helpers, and the expressions' dispatch.

import { invariant, Reporter } from "@tilefoundry/text";
import { eachBinding, eachDefinition, eachStmt, isVarLike, type Expr, type FunctionNode, type Seq, type VarLike } from "@tilefoundry/ir";
import { foldedValues, type Folded } from "../folding.ts";
import { rangesOf, type Ranges } from "../ranges.ts";
import { fitsInt32 } from "./arithmetic.ts";
import type { Emit, Parts } from "./context.ts";
import { helperFunction, type HelperName } from "./support.ts";
import { constantParts } from "./lanes.ts";
import { fitsWord } from "./integers.ts";
import { Names } from "./names.ts";
import type { ValueType } from "./opcodes.ts";
import { primParts } from "./prims.ts";
import { kindOfType, lanesFault, VALUE_TYPES, vectorLanes } from "./registers.ts";
import { childrenOf, f32, f64, get, i32, i64, sameTree, set, type Local, type Tree, type WasmFunction } from "./tree.ts";

/** What the body of a loop wants computed before it. */
interface LoopScope {
  readonly before: Tree[];
  /** Name of its variable, for the names of what changes in it. */
  readonly hint: string;
  /** How many blocks lie around the loop: what is computed before it can be read in these from there on. */
  readonly blocks: number;
}

/** A part of a buffer's addresses that a local holds. */
interface Sum {
  readonly buffer: Expr;
  readonly tree: Tree;
  readonly local: Local;
}

/** Temporaries of one type; the first ones are in use. */
interface Pool {
  readonly all: Local[];
  used: number;
}

const emptyPool = (): Pool => ({ all: [], used: 0 });

/** A variable's name in the text, and once it is declared where it lies and the trees that read it. */
interface Register {
  readonly name: string;
  /** None before it is declared. */
  locals: readonly Local[];
  reads: Parts;
}

export class Frame implements Emit {
  readonly ranges: Ranges;
  readonly reporter = new Reporter();
  /** Declared in the order of first need; parameters are not among them. */
  readonly declared: Local[] = [];
  readonly helpers = new Map<HelperName, WasmFunction>();
  readonly labels = new Names();
  /** The kernel's own name in the text. */
  readonly name: string;
  readonly #folded: Folded;
  readonly #names = new Names();
  readonly #functionNames = new Names();
  readonly #variables = new Map<VarLike, Register>();
  /** Loops around the place that is being written, outermost first. */
  readonly #loops: LoopScope[] = [];
  /** Blocks around the place: sums computed in them. */
  readonly #blocks: Sum[][] = [];
  /** Loop depth at which a local gets its value, by the local's index. Temporaries have none: a tree sets those that it reads. */
  readonly #depths: number[] = [];
  #parameters = 0;
  readonly #temporaries: Readonly<Record<ValueType, Pool>> = { i32: emptyPool(), i64: emptyPool(), f32: emptyPool(), f64: emptyPool(), v128: emptyPool() };
  readonly #pools: readonly Pool[] = Object.values(this.#temporaries);

  constructor(fn: FunctionNode, body: Seq) {
    this.name = this.#functionNames.claim(fn.name);
    this.ranges = rangesOf(fn);
    this.#folded = foldedValues(body);
    // the author's names first, so that what the emitter adds gives way
    for (const p of fn.params) this.#name(p.var);
    for (const symbol of fn.symbols) this.#name(symbol.var);
    const name = (v: VarLike): void => void this.#name(v);
    eachStmt(body, (stmt) => {
      eachBinding(stmt, name);
      eachDefinition(stmt, name);
    });
  }

  #name(v: VarLike): Register {
    const known = this.#variables.get(v);
    if (known !== undefined) return known;
    const made: Register = { name: this.#names.claim(v.hint), locals: [], reads: [] };
    this.#variables.set(v, made);
    return made;
  }

  isFolded(variable: VarLike): boolean {
    return this.#folded.has(variable);
  }

  // — values —

  unfolded(e: Expr): Expr {
    const value = isVarLike(e) ? this.#folded.get(e) : undefined;
    return value === undefined ? e : this.unfolded(value);
  }

  value(e: Expr): Parts {
    if (e.type.kind === "Vec") {
      const fault = lanesFault(e.type);
      if (fault !== undefined) return this.refuse(e, `\`${e.type.dtype}\` with ${e.type.lanes} lanes`, fault);
    }
    switch (e.kind) {
      case "Var":
      case "IterArg":
        return this.#reading(e);
      case "Const":
        return this.#constant(e);
      case "Prim":
        return primParts(e, this);
      default:
        invariant(false, () => `${e.kind} at stage placed`);
    }
  }

  #reading(v: VarLike): Parts {
    const register = this.#variables.get(v);
    if (register !== undefined && register.locals.length > 0) return register.reads;
    const folded = this.#folded.get(v);
    return folded === undefined ? this.#declared(v, this.#loops.length).reads : this.value(folded);
  }

  scalar(e: Expr): Tree {
    const tree = this.value(e)[0];
    invariant(tree !== undefined, () => `no value of ${e.kind}`);
    return tree;
  }

  #constant({ type, value }: Extract<Expr, { readonly kind: "Const" }>): Parts {
    if (type.kind === "Vec") return constantParts(value, vectorLanes(type));
    switch (VALUE_TYPES[kindOfType(type)]) {
      case "f32": return [f32(Number(value))];
      case "f64": return [f64(Number(value))];
      case "i32": return [i32(Number(value))];
      case "i64": return [kindOfType(type) === "i64" && fitsWord(Number(value)) ? i32(Number(value)) : i64(BigInt.asIntN(64, BigInt(value)))];
    }
  }

  refuse(e: Expr, what: string, reason: string): Parts {
    this.reporter.report("TF5110", e.meta.span, { target: "wasm", what, reason });
    return this.#zero(e);
  }

  #zero({ type }: Expr): Parts {
    if (type.kind === "Vec") return constantParts(0n, vectorLanes({ ...type, lanes: 4 }));
    const zeros = { i32: i32(0), i64: i64(0n), f32: f32(0), f64: f64(0) };
    return type.kind === "Scalar" ? [zeros[VALUE_TYPES[kindOfType(type)]]] : [];
  }

  // — locals —

  /** A new local under a name of the emitter's own. */
  local(hint: string, type: ValueType): Local {
    return this.#newLocal(this.#names.claim(hint), type);
  }

  #newLocal(name: string, type: ValueType): Local {
    const local = { name, type, index: this.#parameters + this.declared.length };
    this.declared.push(local);
    return local;
  }

  locals(variable: VarLike): readonly Local[] {
    const register = this.#name(variable);
    return register.locals.length > 0 ? register.locals : this.#declared(variable, this.#loops.length).locals;
  }

  /** Locals for what changes in the loop about to be written, its variable and its carries. */
  declareInLoop(variable: VarLike, width?: "i32" | "i64"): readonly Local[] {
    return this.#declared(variable, this.#loops.length + 1, width).locals;
  }

  /** Locals for a variable that gets its value at a depth, in the width that its range allows or in the given one. */
  #declared(variable: VarLike, depth: number, width?: "i32" | "i64"): Register {
    const register = this.#name(variable);
    const locals = this.#registers(variable, register.name, width);
    for (const { index } of locals) this.#depths[index] = depth;
    return lieIn(register, locals);
  }

  #registers(variable: VarLike, name: string, width: "i32" | "i64" | undefined): readonly Local[] {
    const { type } = variable;
    if (type.kind === "Tensor") return [this.#newLocal(name, "i32")];
    if (type.kind === "Vec") {
      const { parts } = vectorLanes(type);
      if (parts === 1) return [this.#newLocal(name, "v128")];
      const locals: Local[] = [];
      for (let i = 0; i < parts; i++) locals.push(this.local(`${name}_${i}`, "v128"));
      return locals;
    }
    const kind = kindOfType(type);
    if (kind !== "i64") return [this.#newLocal(name, VALUE_TYPES[kind])];
    return [this.#newLocal(name, width ?? (fitsInt32(this.ranges.of(variable)) ? "i32" : "i64"))];
  }

  /** The next parameter: declared by the signature of the function, before anything else. */
  parameter(variable: VarLike, type: ValueType): Local {
    const register = this.#name(variable);
    const local = this.#newParameter(register.name, type);
    lieIn(register, [local]);
    return local;
  }

  /** The next parameter, one that the emitter adds. */
  parameterOf(hint: string, type: ValueType): Local {
    return this.#newParameter(this.#names.claim(hint), type);
  }

  #newParameter(name: string, type: ValueType): Local {
    invariant(this.declared.length === 0, () => `parameter ${name} behind locals`);
    return { name, type, index: this.#parameters++ };
  }

  /** A variable that lies in locals of others: the result of a loop is what its carry ends as. */
  alias(variable: VarLike, locals: readonly Local[]): void {
    lieIn(this.#name(variable), locals);
  }

  pointer(buffer: Expr): Tree {
    invariant(buffer.kind === "Var", () => "a buffer that is no variable");
    const tree = this.#reading(buffer)[0];
    invariant(tree !== undefined, () => `no address of ${buffer.hint}`);
    return tree;
  }

  // — blocks and loops —

  enterBlock(): void {
    this.#blocks.push([]);
  }

  leaveBlock(): void {
    this.#blocks.pop();
  }

  enterLoop(hint: string): void {
    this.#loops.push({ before: [], hint, blocks: this.#blocks.length });
  }

  /** The loop is written; what is to stand before it. */
  leaveLoop(): readonly Tree[] {
    return this.#loops.pop()?.before ?? [];
  }

  depthOf(tree: Tree): number {
    return Math.min(this.#deepest(tree), this.#loops.length);
  }

  #deepest(tree: Tree): number {
    if (tree.kind === "get") return this.#depths[tree.local.index] ?? 0;
    if (tree.kind === "op" && tree.row.bytes > 0) return this.#loops.length; // what memory holds may change anywhere
    let depth = 0;
    for (const child of childrenOf(tree)) depth = Math.max(depth, this.#deepest(child));
    return depth;
  }

  hoisted(tree: Tree, depth: number, buffer: Expr): Tree {
    const scope = this.#loops[depth];
    if (scope === undefined || tree.kind === "get" || tree.type === undefined) return tree;
    const known = this.#knownSum(tree, buffer, scope.blocks);
    if (known !== undefined) return get(known);
    const around = this.#loops[depth - 1];
    const name = `${buffer.kind === "Var" ? buffer.hint : "row"}_at`;
    const local = this.local(around === undefined ? name : `${name}_${around.hint}`, tree.type);
    this.#depths[local.index] = depth;
    scope.before.push(set(local, tree));
    this.#blocks[scope.blocks - 1]?.push({ buffer, tree, local });
    return get(local);
  }

  /** The local of an equal sum that was computed in one of the outer blocks. */
  #knownSum(tree: Tree, buffer: Expr, blocks: number): Local | undefined {
    for (let i = 0; i < blocks; i++) {
      const known = this.#blocks[i]?.find((sum) => sum.buffer === buffer && sameTree(sum.tree, tree));
      if (known !== undefined) return known.local;
    }
    return undefined;
  }

  // — temporaries —

  temporary(type: ValueType): Local {
    const pool = this.#temporaries[type];
    const free = pool.all[pool.used] ?? this.local("t", type);
    pool.all[pool.used++] = free;
    return free;
  }

  /** The statement is over: its temporaries are free. */
  release(): void {
    for (const pool of this.#pools) pool.used = 0;
  }

  helper(name: HelperName): WasmFunction {
    const found = this.helpers.get(name);
    if (found !== undefined) return found;
    const made = { ...helperFunction(name), name: this.#functionNames.claim(name) };
    this.helpers.set(name, made);
    return made;
  }
}

function lieIn(register: Register, locals: readonly Local[]): Register {
  register.locals = locals;
  register.reads = locals.map(get);
  return register;
}
