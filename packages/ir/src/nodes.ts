// Every node of the IR, one union by `kind`. Nodes are plain readonly objects made only by build.ts and never changed;
// identity is the object, names are hints. Which kinds may stand at which stage: stages.ts. Fields and roles: fields.ts.

import type { Span } from "@tilefoundry/text";
import type { DType } from "./dtypes.ts";
import type { CastMode, PrimOp, ReduceKind } from "./prim-names.ts";

/** What stands beside a node: never part of structural equality or hashing. */
export interface Meta {
  readonly span?: Span;
  /** Comment lines without `#`: above a statement, or at the end of a block when on a `Seq`. */
  readonly comments?: readonly string[];
  /** Authored binding name of a value in graph form. */
  readonly label?: string;
}

interface Base {
  readonly meta: Meta;
}

// — types: plain data; scalar and vector types are interned, so they compare with `===` —

/** Where elements live. `gmem` is PyPTO's DDR; legality is the target's (one-ir 4.8). */
export const STORAGES = ["host", "gmem", "smem", "rmem", "tmem", "umat", "arena", "vec", "mat", "left", "right", "acc", "bias"] as const;
export type Storage = (typeof STORAGES)[number];

export type Type = ScalarType | VecType | TensorType | TupleType | UnitType | UnknownType;

export interface ScalarType {
  readonly kind: "Scalar";
  readonly dtype: DType;
}

/** A value of `lanes` elements in registers. A vector of `bool` is a mask. */
export interface VecType {
  readonly kind: "Vec";
  readonly dtype: DType;
  readonly lanes: number;
}

/** A tensor in memory, or a tile (`domain`): a buffer with a shape, or from `lowered` on a logical buffer. */
export interface TensorType {
  readonly kind: "Tensor";
  readonly domain: "tensor" | "tile";
  readonly shape: readonly Dim[];
  readonly dtype: DType;
  readonly storage: Storage;
}

export interface TupleType {
  readonly kind: "TupleType";
  readonly fields: readonly Type[];
}

/** Type of an effect: no value. */
export interface UnitType {
  readonly kind: "Unit";
}

/** Type of an erroneous expression; it silences everything that would follow from it. Legal nowhere after the frontend. */
export interface UnknownType {
  readonly kind: "Unknown";
}

// — dims: extents in normal form (dims.ts) —

/** A static extent is a plain number (a safe integer); anything symbolic is a normalised sum. */
export type Dim = number | DimSum;

export interface DimSum {
  readonly kind: "sum";
  /** At least one; coefficients are non-zero; in the order of `compareLeaves`. */
  readonly terms: readonly DimTerm[];
  readonly constant: number;
}

export interface DimTerm {
  readonly coefficient: number;
  readonly leaf: DimLeaf;
}

export type DimLeaf = VariableLeaf | Division<"floordiv"> | Division<"mod"> | Extreme<"min"> | Extreme<"max">;

interface VariableLeaf {
  readonly kind: "var";
  readonly variable: VarLike;
}
interface Division<K> {
  readonly kind: K;
  readonly dividend: DimSum;
  readonly divisor: number;
}
interface Extreme<K> {
  readonly kind: K;
  readonly a: Dim;
  readonly b: Dim;
}

// — expressions —

export type Expr = Var | IterArg | Const | Prim | TupleExpr | TupleGet | Call | FunctionCall;

/** A named value: parameter, local, loop variable, result of a loop or `if`. At `parsed` a local may be assigned many times. */
export interface Var extends Base {
  readonly kind: "Var";
  readonly type: Type;
  readonly hint: string;
  /** An external constant tensor parameter (`ConstTensor`). */
  readonly isConst: boolean;
}

/** A phi of a loop: `init` before the first iteration, the yielded value after. Visible in the body only. */
export interface IterArg extends Base {
  readonly kind: "IterArg";
  readonly type: Type;
  readonly hint: string;
  readonly init: Expr;
}

export type VarLike = Var | IterArg;

/** A literal of scalar or vector (splat) type. Integers are bigints, floats numbers, `bool` booleans. */
export interface Const extends Base {
  readonly kind: "Const";
  readonly type: Type;
  readonly value: bigint | number | boolean;
}

/** A primitive on scalars, vectors and buffers (prims.ts). A buffer operand is a variable of tensor type. */
export interface Prim extends Base {
  readonly kind: "Prim";
  readonly type: Type;
  readonly op: PrimOp;
  readonly args: readonly Expr[];
  readonly attrs: PrimAttrs;
}

/** Attributes of a primitive; which of them a primitive has is its row's `attrs`. */
export interface PrimAttrs {
  /** Of `cast` and `bitcast`: the dtype of the result. */
  readonly dtype?: DType;
  /** Of `cast` from a float to an integer; `trunc` by default. */
  readonly mode?: CastMode;
  /** Of `splat` and `load`. */
  readonly lanes?: number;
  /** Of `lane`. */
  readonly index?: number;
  /** Of `reduce`. */
  readonly kind?: ReduceKind;
  /** Of `load` and `store`: the last operand is the mask. */
  readonly masked?: boolean;
  /** Of `alloc_tensor`: its type, and from `placed` on its byte offset in the arena. */
  readonly type?: TensorType;
  readonly offset?: Dim;
  /** Of `barrier`. */
  readonly level?: Level;
}

export interface TupleExpr extends Base {
  readonly kind: "Tuple";
  readonly type: TupleType;
  readonly elements: readonly Expr[];
}

export interface TupleGet extends Base {
  readonly kind: "TupleGet";
  readonly type: Type;
  readonly tuple: Expr;
  readonly index: number;
}

/** A call of a catalog op. `args` holds its inputs in the order of the op's parameters; attributes are on the op. */
export interface Call extends Base {
  readonly kind: "Call";
  readonly type: Type;
  readonly callee: Op;
  readonly args: readonly Expr[];
}

/**
 * A call of a function of the module. Its type follows from the callee: no value, one, or a tuple of several. From `ssa` on the callee returns
 * a handle of each parameter that it writes, so that the call gives the newer handles of what it wrote.
 */
export interface FunctionCall extends Base {
  readonly kind: "FunctionCall";
  readonly type: Type;
  readonly callee: FuncRef;
  /** One a parameter. */
  readonly args: readonly Expr[];
}

/** A function by its name in the module that the caller belongs to, or by a path through its children: `attend`, `layer0.attend`. */
export interface FuncRef {
  readonly kind: "FuncRef";
  readonly symbol: string;
}

/** An op instance: its record is found by name in the ops context. Attributes are complete (defaults filled in) and in parameter order. */
export interface Op {
  readonly kind: "Op";
  readonly name: string;
  readonly attrs: Readonly<Record<string, AttrValue>>;
}

/** A validated attribute value. Dims carry `{ dims }` so that shapes and integer lists stay apart. */
export type AttrValue = number | bigint | string | boolean | null | readonly number[] | DTypeAttr | DimsAttr;

export interface DTypeAttr {
  readonly dtype: DType;
}
export interface DimsAttr {
  readonly dims: readonly Dim[];
}

// — statements —

export type Stmt = Assign | Eval | If | For | While | Nest | Scope | Return | Yield | Break | Continue | Seq;

/** Binds (after `ssa`: defines) a variable; visible to later siblings and what they hold. */
export interface Assign extends Base {
  readonly kind: "Assign";
  readonly target: Var;
  readonly value: Expr;
}

/** Evaluates for its effect. */
export interface Eval extends Base {
  readonly kind: "Eval";
  readonly expr: Expr;
}

/** With `results`, both branches exist and end in a `Yield` of as many values. */
export interface If extends Base {
  readonly kind: "If";
  readonly cond: Expr;
  readonly then: Seq;
  readonly else: Seq | undefined;
  readonly results: readonly Var[];
}

export const LOOP_MODES = ["sequential", "parallel", "unroll", "pipeline", "vector"] as const;
export type LoopMode = (typeof LOOP_MODES)[number];

export const LEVELS = ["core", "block", "warp", "thread", "lane"] as const;
/** What the iterations of a mapped loop run on. */
export type Level = (typeof LEVELS)[number];

/** A counted loop over the half-open range. With `carries` the body ends in a `Yield` and `results` hold the last values. */
export interface For extends Base {
  readonly kind: "For";
  readonly mode: LoopMode;
  readonly level: Level | undefined;
  /** Depth of a `pipeline` loop. */
  readonly stages: number | undefined;
  readonly start: Expr;
  readonly stop: Expr;
  readonly step: Expr;
  readonly carries: readonly IterArg[];
  readonly loopVar: Var;
  readonly body: Seq;
  readonly results: readonly Var[];
}

/** Without carries a natural `while`; with them `pl.while_`: `cond` sees the carries and is evaluated before each iteration. */
export interface While extends Base {
  readonly kind: "While";
  readonly carries: readonly IterArg[];
  readonly cond: Expr;
  readonly body: Seq;
  readonly results: readonly Var[];
}

/**
 * A perfect loop nest over `extents` whose order mapping may choose. Parallel: iterations are independent, no carries.
 * Reduce: `carries` are combined by an operation the mapping may regroup; the body ends in a `Yield`.
 */
export interface Nest extends Base {
  readonly kind: "Nest";
  readonly reduce: boolean;
  readonly extents: readonly Expr[];
  readonly carries: readonly IterArg[];
  readonly axes: readonly Var[];
  readonly body: Seq;
  readonly results: readonly Var[];
}

/**
 * A region for one level of the machine, which runs once, in its place; outlining makes a function of it. From `ssa` on it hands on what it
 * defines through `results` and the `Yield` at its end. Positions (blocks of `pl.spmd`, those of a mesh) are parallel loops with a level.
 */
export interface Scope extends Base {
  readonly kind: "Scope";
  readonly scope: ScopeSpec;
  readonly body: Seq;
  readonly results: readonly Var[];
}

export type ScopeSpec = AtScope | ClusterScope;

/** `pl.at(level=…)`: at CORE_GROUP it becomes an InCore function, elsewhere a function of that level. */
export interface AtScope {
  readonly type: "at";
  readonly level: string;
  readonly role: string | undefined;
  /** Name of the function that it becomes. */
  readonly name: string | undefined;
}
/** `pl.cluster()`: regions that run together. */
export interface ClusterScope {
  readonly type: "cluster";
  readonly name: string | undefined;
}

export interface Return extends Base {
  readonly kind: "Return";
  readonly values: readonly Expr[];
}

/** Ends the body of a loop with carries or a branch of an `if` with results. */
export interface Yield extends Base {
  readonly kind: "Yield";
  readonly values: readonly Expr[];
}

export interface Break extends Base {
  readonly kind: "Break";
}

export interface Continue extends Base {
  readonly kind: "Continue";
}

/** A block. Never nested directly in another; its own comments are those at the end of the block. */
export interface Seq extends Base {
  readonly kind: "Seq";
  readonly stmts: readonly Stmt[];
}

export type Node = Expr | Stmt;
export type NodeOf<K extends Node["kind"]> = Extract<Node, { readonly kind: K }>;

// — functions and modules —

export type Direction = "in" | "out" | "inout";
export type Dialect = "pl" | "tf";

/** `graph` is `@func`; `prim` is `@prim_func`; the others are PyPTO's function types. */
export type FunctionKind = "graph" | "prim" | "opaque" | "orchestration" | "incore" | "inline" | "group" | "spmd";

export interface Param {
  readonly var: Var;
  readonly direction: Direction;
}

/** A symbolic extent: an index variable bound by the shapes of the parameters, in `[lo, hi)`. */
export interface SymbolDef {
  readonly var: Var;
  readonly lo: number;
  readonly hi: number;
}

export interface FunctionNode {
  readonly kind: "Function";
  readonly name: string;
  readonly func: FunctionKind;
  readonly params: readonly Param[];
  /** In order of first appearance in the signature. */
  readonly symbols: readonly SymbolDef[];
  readonly returns: readonly Type[];
  /** A statement block, or in graph form the returned value. */
  readonly body: Seq | GraphBody;
  /** Declared target, e.g. `"wasm"` or `"cpu:generic"`. */
  readonly target: string | undefined;
  /** Products and sums may be contracted anywhere in the function (`contract=True`). */
  readonly contract: boolean;
  readonly meta: Meta;
}

/** Values with sharing by identity; several results are one `Tuple`. */
export interface GraphBody {
  readonly kind: "Graph";
  readonly result: Expr;
}

/** How a module is written: bare functions of a text, a `@module` class, a `@pl.program` class. */
export type ModuleForm = "text" | "module" | "program";

/** What names mean in it, and how to walk its tree: modules.ts. */
export interface ModuleNode {
  readonly kind: "Module";
  readonly name: string;
  readonly form: ModuleForm;
  readonly functions: readonly FunctionNode[];
  /** Modules under the attribute each is attached by, which is its name. */
  readonly children: readonly ModuleNode[];
  /** Declared by the root of a tree only. */
  readonly target: string | undefined;
  /** The whole hierarchy of parallel resources, outermost first; undefined inherits the owner's. */
  readonly topologies: readonly Topology[] | undefined;
  /** Plain functions of a class, kept as text. */
  readonly methods: readonly Method[];
  /** Name of the entry function, if there is one. */
  readonly entry: string | undefined;
  readonly meta: Meta;
}

/** A level of parallel resources, `cta` or `thread`, and how many there are. */
export interface Topology {
  readonly name: string;
  readonly size: number;
}

export interface Method {
  readonly name: string;
  /** Its lines as written, without the indentation of the class. */
  readonly text: string;
}

/** The decorator decides the dialect (semantics: "Dialect of a function"). */
export function dialectOf(f: FunctionNode): Dialect {
  return f.func === "graph" || f.func === "prim" ? "tf" : "pl";
}

export const isVarLike = (e: Expr): e is VarLike => e.kind === "Var" || e.kind === "IterArg";

