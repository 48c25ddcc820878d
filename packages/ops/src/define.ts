// What an op is: one record with parameters, inference, effects, lowering and examples. Functions receive arguments by name,
// typed from `params`; the one cast is in the binder (bind.ts), which also answers for arity, kinds and defaults.

import type { AttrValue, Dim, Dialect, DType, Expr, Facts, PrimOp, ReduceKind, Storage, TensorType, Type, Var } from "@tilefoundry/ir";

// — parameters —

/** What an input admits. `array` is a tensor or a tile, `operand` an array or a scalar, `indices` a list of index scalars. */
export type InputKind = "tensor" | "tile" | "array" | "operand" | "scalar" | "indices";

interface ParamBase {
  readonly doc: string;
  /** Other keywords under which a tradition passes it. */
  readonly aka?: readonly string[];
}

export interface InputSpec extends ParamBase {
  readonly input: InputKind;
  /** May be left out; only last inputs can. */
  readonly optional?: true;
  /** The dtypes it may have; without them, any of the record's. A literal takes the first. */
  readonly of?: readonly DType[];
}

/**
 * `number` is a float, `literal` an element value as authored (bigint, number or boolean), `dims` a shape; a list of words is
 * an enumeration.
 */
export type AttrKind = "int" | "ints" | "bool" | "number" | "literal" | "dtype" | "dims" | "storage" | readonly string[];

export interface AttrSpec extends ParamBase {
  readonly attr: AttrKind;
  /** Without a default the attribute must be given; with the default `null` (None) it may be absent. */
  readonly default?: AttrValue;
  /** Of an enumeration: its words by number, where a number may be written for a word; `none` stands for the default. */
  readonly codes?: readonly string[];
  /** The default after `tf.`, where it differs. */
  readonly tfDefault?: AttrValue;
}

export type ParamSpec = InputSpec | AttrSpec;
export type Params = Readonly<Record<string, ParamSpec>>;

type InputValue<K extends InputKind> = K extends "indices" ? readonly Expr[] : Expr;
export type AttrValueOf<K extends AttrKind> =
  K extends readonly (infer Word)[] ? Word
  : K extends "int" | "number" ? number
  : K extends "ints" ? readonly number[]
  : K extends "bool" ? boolean
  : K extends "literal" ? number | bigint | boolean
  : K extends "dtype" ? DType
  : K extends "storage" ? Storage
  : readonly Dim[];

/** Arguments by name: inputs are expressions, attributes are values. */
export type Args<P extends Params> = {
  readonly [N in keyof P]: P[N] extends { readonly input: infer K extends InputKind }
    ? InputValue<K> | (P[N] extends { readonly optional: true } ? undefined : never)
    : P[N] extends { readonly attr: infer K extends AttrKind } ? AttrValueOf<K> | Absent<P[N]> : never;
};

/** What stands for an attribute that may be absent. */
export type Absent<S> = S extends { readonly default: null } ? null : never;

// — inference —

export interface InferContext {
  readonly dialect: Dialect;
  readonly facts: Facts;
  /** Reports that a parameter's argument does not fit, as the end of a sentence that begins with the op; gives the type Unknown. */
  fail(param: string, reason: string): Type;
  /** Reports that an access is provably outside of its array: it has a meaning, but hardly the one its author wants. */
  outside(param: string, reason: string): void;
}

// — lowering: element, reduce and contract describe a value by its elements; the rest are statements, of which some make several arrays —

/**
 * Reads an element of an operand at an index of the result: right-aligned, extents of 1 broadcast. A scalar operand ignores the index.
 * Only with `beyond` may the index lie outside of the operand, whose elements are 0 there; then nothing is broadcast.
 */
export type Reader = (index: readonly Expr[], beyond?: "zero") => Expr;

/** Arguments by name, with array inputs as readers of their elements. */
export type Elements<P extends Params> = {
  readonly [N in keyof P]: P[N] extends { readonly input: "tensor" | "tile" | "array" | "operand" } ? Reader : Args<P>[N];
};

/** Names a scalar that is used more than once; a variable or a literal stays what it is. */
export type Bind = (hint: string, value: Expr) => Expr;

export interface ElementForm<P extends Params> {
  readonly form: "element";
  /** The element of the result at an index, a scalar of the result's dtype. */
  readonly element: (x: Elements<P>, index: readonly Expr[], type: TensorType, bind: Bind) => Expr;
  /**
   * Run-time extents of the result where they may be smaller than its shape. Default: per axis the least of the operands
   * that are not broadcast along it.
   */
  readonly extents?: (args: Args<P>, lower: LowerContext) => readonly Expr[];
}

export interface ReduceForm<P extends Params> {
  readonly form: "reduce";
  readonly axes: (args: Args<P>) => readonly number[];
  /** The operand that is reduced; its extents are the iteration space. */
  readonly over: keyof P & string;
  /** Whether reduced axes stay with extent 1. */
  readonly keep: (args: Args<P>) => boolean;
  readonly combine: ReduceKind | ((args: Args<P>) => ReduceKind);
  /** What is combined, at a full index of the operand. Default: its element. */
  readonly element?: (x: Elements<P>, index: readonly Expr[], bind: Bind) => Expr;
  /** What becomes of the combined value; `count` is the number of elements combined, as an index expression. */
  readonly finish?: (args: Args<P>, combined: Expr, count: Expr) => Expr;
}

export interface ContractForm<P extends Params> {
  readonly form: "contract";
  /** Emits what has to be there before the sums, and gives the arguments that they are made of; arrays of them may be new buffers. */
  readonly prepare?: (args: Args<P>, lower: LowerContext) => Args<P>;
  /** Extents of the summed axes, from the run-time extents of the operands. */
  readonly summed: (args: Args<P>, lower: LowerContext) => readonly Expr[];
  readonly extents: (args: Args<P>, lower: LowerContext) => readonly Expr[];
  /** What is summed. The accumulator has the dtype of its start, and becomes an element of the result at the end. */
  readonly terms: (args: Args<P>, lower: LowerContext, type: TensorType) => Contraction;
}

/** A sum of products for each element of a result. */
export interface Contraction {
  /** The start of the accumulator. */
  init(index: readonly Expr[]): Expr;
  /** The two factors at an index of the result and of the summed axes, in the accumulator's dtype; their product is added with `mad`. */
  factors(index: readonly Expr[], summed: readonly Expr[]): readonly [Expr, Expr];
}

export interface StatementForm<P extends Params> {
  readonly form: "statements";
  /** Emits statements; gives the value (a scalar expression, or a buffer for an op that makes one), or undefined for a pure write. */
  readonly lower: (args: Args<P>, lower: LowerContext, type: Type) => Expr | undefined;
  /** Run-time extents of a new buffer where they may be smaller than its shape. */
  readonly extents?: (args: Args<P>, lower: LowerContext) => readonly Expr[];
}

/** An op whose value is a tuple of arrays. */
export interface PartsForm<P extends Params> {
  readonly form: "parts";
  /** Emits statements; gives a new buffer for each part, and how far it is valid. */
  readonly lower: (args: Args<P>, lower: LowerContext, types: readonly TensorType[]) => readonly Part[];
}

export interface Part {
  readonly buffer: Expr;
  readonly extents: readonly Expr[];
}

export type Lowering<P extends Params> = ElementForm<P> | ReduceForm<P> | ContractForm<P> | StatementForm<P> | PartsForm<P>;

/** Services of `lower-ops` to the records. Expressions in, statements emitted at the current place. */
export interface LowerContext {
  readonly facts: Facts;
  /** The buffer behind a tensor or tile expression. */
  buffer(array: Expr): Expr;
  /** Run-time extents of an array's valid part. */
  extents(array: Expr): readonly Expr[];
  /** Run-time extents of an elementwise result of a shape: what is valid in all of its operands. */
  common(operands: readonly Expr[], shape: readonly Dim[]): readonly Expr[];
  /** A reader of an operand's elements. */
  reader(operand: Expr): Reader;
  /**
   * Extents of the window of `sizes` at `offsets` in an array: `sizes` where it is proved inside, else clipped at the high
   * side; 0 along an axis whose offset is negative.
   */
  window(array: Expr, offsets: readonly Expr[], sizes: readonly Expr[]): readonly Expr[];
  /** Condition under which an index is inside an array, or undefined where that is proved. */
  inside(array: Expr, index: readonly Expr[]): Expr | undefined;
  /** Binds a scalar to a name, unless it is a variable or a literal. */
  readonly bind: Bind;
  /** A new buffer, which is an array like any operand: whole, until an op says how far it is valid. */
  alloc(hint: string, type: TensorType): Var;
  /** A parallel nest. */
  nest(extents: readonly Expr[], body: (index: readonly Expr[]) => void): void;
  /** A reduction nest; gives the combined value, which starts from the identity of `kind`. */
  reduce(kind: ReduceKind, extents: readonly Expr[], element: (index: readonly Expr[]) => Expr): Expr;
  /** Evaluates a primitive for its effect, a `store` mostly. */
  emit(effect: Expr): void;
}

// — examples —

/** An array literal of an example: flat row-major elements. */
export interface ArrayLiteral {
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly data: readonly (number | bigint | boolean)[];
  readonly domain?: "tensor" | "tile";
  /** Valid extents where they are smaller than the shape; the elements beyond them count for nothing. */
  readonly valid?: readonly number[];
}

export interface ScalarLiteral {
  readonly scalar: number | bigint | boolean;
  readonly dtype: DType;
}

/** A case with literal results, taken from the op's law and not from running it. */
export interface Example {
  /** What the case shows: the plain case, or an edge (NaN, wrap, empty, tail, …). */
  readonly title: string;
  /** By parameter; `indices` are lists of numbers. */
  readonly args: Readonly<Record<string, ArrayLiteral | ScalarLiteral | readonly number[] | AttrValue>>;
  readonly result: ArrayLiteral | ScalarLiteral | readonly ArrayLiteral[];
}

// — the record —

export interface OpRecord<P extends Params = Params> {
  readonly name: string;
  /** Shapes, dtypes, law, and the source of a formula. First sentence: what it gives. */
  readonly doc: string;
  /** Names after `pl.` and after `tf.`; the first of each is canonical. At least one tradition has it. */
  readonly pl: readonly string[];
  readonly tf: readonly string[];
  /** In the order in which they are passed; inputs before attributes where the tradition allows. */
  readonly params: P;
  /** The parameter whose buffer it writes; the result is then its newer handle. */
  readonly writes?: keyof P & string;
  /** The primitive it is when every operand is a scalar. */
  readonly scalar?: PrimOp;
  readonly infer: (args: Args<P>, context: InferContext) => Type;
  readonly lowering: Lowering<P>;
  /** Dtypes its arrays may have. */
  readonly dtypes: readonly DType[];
  /** Largest error against f64 in ULP; 0 is correctly rounded, absent where the length of a sum decides. */
  readonly ulp?: number;
  readonly examples: readonly [Example, Example, ...Example[]];
}

/** A record whose functions have forgotten the types of their arguments, so that tables can hold it; `params` keeps them. */
export interface DeclaredOp<P extends Params = Params> extends Omit<OpRecord, "params"> {
  readonly params: P;
}

/** Declares an op. Built-in ops and those of users come through here; the record's own functions are typed by `params`. */
export function defineOp<const P extends Params>(record: OpRecord<P>): DeclaredOp<P> {
  return record as unknown as DeclaredOp<P>; // the binder calls the functions with arguments checked against `params`
}
