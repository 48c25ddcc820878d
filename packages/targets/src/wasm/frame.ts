// The state of the function that is being written: where variables lie, temporaries, helpers, and the expressions' dispatch.

import { invariant, Reporter } from "@tilefoundry/text";
import { isVarLike, variablesOf, type Expr, type FunctionNode, type Seq, type VarLike } from "@tilefoundry/ir";
import { foldedValues, type Folded } from "../folding.ts";
import { rangesOf, type Ranges } from "../ranges.ts";
import { fitsInt32 } from "./arithmetic.ts";
import type { Emit, Parts } from "./context.ts";
import { HELPERS, type HelperName } from "./support.ts";
import { constantParts } from "./lanes.ts";
import { Names } from "./names.ts";
import { opcodeRow, type ValueType } from "./opcodes.ts";
import { primParts } from "./prims.ts";
import { kindOfType, lanesFault, VALUE_TYPES, vectorLanes } from "./registers.ts";
import { eachTree, f32, f64, get, i32, i64, keyOf, set, type Local, type Tree, type WasmFunction } from "./tree.ts";

/** What the body of a loop wants computed before it. */
interface LoopScope {
  readonly before: Tree[];
  /** Name of its variable, for the names of what changes in it. */
  readonly hint: string;
  /** How many blocks lie around the loop: what is computed before it can be read in these from there on. */
  readonly blocks: number;
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
  readonly #nameOf = new Map<VarLike, string>();
  readonly #locals = new Map<VarLike, readonly Local[]>();
  /** Loops around the place that is being written, outermost first. */
  readonly #loops: LoopScope[] = [];
  /** Blocks around the place: sums computed in them, by the key of their tree. */
  readonly #blocks: Map<string, Local>[] = [];
  /** Loop depth at which a local gets its value. Temporaries are not among them: a tree sets those that it reads. */
  readonly #depths = new Map<Local, number>();
  readonly #temporaries = new Map<ValueType, { readonly all: Local[]; used: number }>();

  constructor(fn: FunctionNode, body: Seq) {
    this.name = this.#functionNames.claim(fn.name);
    this.ranges = rangesOf(fn);
    this.#folded = foldedValues(body);
    // the author's names first, so that what the emitter adds gives way
    for (const v of [...fn.params.map((p) => p.var), ...variablesOf(fn)]) {
      if (!this.#nameOf.has(v)) this.#nameOf.set(v, this.#names.claim(v.hint));
    }
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
      case "IterArg": {
        const folded = this.#folded.get(e);
        return folded === undefined ? this.locals(e).map(get) : this.value(folded);
      }
      case "Const":
        return this.#constant(e);
      case "Prim":
        return primParts(e, this);
      default:
        invariant(false, () => `${e.kind} at stage placed`);
    }
  }

  scalar(e: Expr): Tree {
    const [tree] = this.value(e);
    invariant(tree !== undefined, () => `no value of ${e.kind}`);
    return tree;
  }

  #constant({ type, value }: Extract<Expr, { readonly kind: "Const" }>): Parts {
    if (type.kind === "Vec") return constantParts(value, vectorLanes(type));
    switch (VALUE_TYPES[kindOfType(type)]) {
      case "f32": return [f32(Number(value))];
      case "f64": return [f64(Number(value))];
      case "i32": return [i32(Number(value))];
      case "i64": return [BigInt.asIntN(32, BigInt(value)) === value ? i32(Number(value)) : i64(BigInt(value))];
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
    const local = { name: this.#names.claim(hint), type };
    this.declared.push(local);
    return local;
  }

  locals(variable: VarLike): readonly Local[] {
    return this.#locals.get(variable) ?? this.declare(variable);
  }

  /** Locals for what changes in the loop about to be written, its variable and its carries. */
  declareInLoop(variable: VarLike, width?: "i32" | "i64"): readonly Local[] {
    const made = this.declare(variable, width);
    for (const local of made) this.#depths.set(local, this.#loops.length + 1);
    return made;
  }

  /** Locals for a variable, in the width that its range allows or in the given one. */
  declare(variable: VarLike, width?: "i32" | "i64"): readonly Local[] {
    const name = this.#nameOf.get(variable) ?? this.#names.claim(variable.hint);
    const made = this.#registers(variable, name, width);
    this.declared.push(...made);
    for (const local of made) this.#depths.set(local, this.#loops.length);
    this.#locals.set(variable, made);
    return made;
  }

  #registers(variable: VarLike, name: string, width: "i32" | "i64" | undefined): readonly Local[] {
    const { type } = variable;
    if (type.kind === "Tensor") return [{ name, type: "i32" }];
    if (type.kind === "Vec") {
      const { parts } = vectorLanes(type);
      return Array.from({ length: parts }, (_, i) => ({ name: parts === 1 ? name : this.#names.claim(`${name}_${i}`), type: "v128" }));
    }
    const kind = kindOfType(type);
    const narrow = width ?? (fitsInt32(this.ranges.of(variable)) ? "i32" : "i64");
    return [{ name, type: kind === "i64" ? narrow : VALUE_TYPES[kind] }];
  }

  /** A parameter of the function: declared by its signature. */
  parameter(variable: VarLike, type: ValueType): Local {
    const local = { name: this.#nameOf.get(variable) ?? this.#names.claim(variable.hint), type };
    this.#locals.set(variable, [local]);
    return local;
  }

  /** A parameter that the emitter adds. */
  parameterOf(hint: string, type: ValueType): Local {
    return { name: this.#names.claim(hint), type };
  }

  /** Another name for the locals of a variable: the result of a loop is what its carry ends as. */
  alias(variable: VarLike, locals: readonly Local[]): void {
    this.#locals.set(variable, locals);
  }

  pointer(buffer: Expr): Tree {
    invariant(buffer.kind === "Var", () => "a buffer that is no variable");
    const [local] = this.locals(buffer);
    invariant(local !== undefined, () => `no address of ${buffer.hint}`);
    return get(local);
  }

  // — blocks and loops —

  enterBlock(): void {
    this.#blocks.push(new Map());
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
    let depth = 0;
    eachTree(tree, (t) => {
      if (t.kind === "get") depth = Math.max(depth, this.#depths.get(t.local) ?? 0);
      // what memory holds may change anywhere
      if (t.kind === "op" && opcodeRow(t.op).bytes > 0) depth = this.#loops.length;
    });
    return Math.min(depth, this.#loops.length);
  }

  hoisted(tree: Tree, depth: number, buffer: Expr): Tree {
    const scope = this.#loops[depth];
    if (scope === undefined || tree.kind === "get" || tree.type === undefined) return tree;
    const key = keyOf(tree);
    const visible = this.#blocks.slice(0, scope.blocks);
    const known = visible.map((b) => b.get(key)).find((l) => l !== undefined);
    if (known !== undefined) return get(known);
    const around = this.#loops[depth - 1];
    const local = this.local([buffer.kind === "Var" ? buffer.hint : "row", "at", ...(around === undefined ? [] : [around.hint])].join("_"), tree.type);
    this.#depths.set(local, depth);
    scope.before.push(set(local, tree));
    visible.at(-1)?.set(key, local);
    return get(local);
  }

  // — temporaries —

  temporary(type: ValueType): Local {
    let pool = this.#temporaries.get(type);
    if (pool === undefined) this.#temporaries.set(type, (pool = { all: [], used: 0 }));
    const free = pool.all[pool.used] ?? this.local("t", type);
    pool.all[pool.used++] = free;
    return free;
  }

  /** The statement is over: its temporaries are free. */
  release(): void {
    for (const pool of this.#temporaries.values()) pool.used = 0;
  }

  helper(name: HelperName): WasmFunction {
    const found = this.helpers.get(name);
    if (found !== undefined) return found;
    const made = { ...HELPERS[name](), name: this.#functionNames.claim(name) };
    this.helpers.set(name, made);
    return made;
  }
}
