// One row for each kind of entry: a codec for each of its fields, in the order of the file. Node kinds, types and dims that lack a
// row, and fields that lack a codec, do not compile.

import { invariant } from "@tilefoundry/text";
import { addDims, floorDivDim, maxDim, minDim, modDim, scaleDim, dimVar } from "../dims.ts";
import { LEVELS, LOOP_MODES, STORAGES } from "../nodes.ts";
import type { Dim, DimLeaf, DimSum, Expr, Method, Param, Seq, Stmt, SymbolDef, Topology, Type, Var } from "../nodes.ts";
import { PRIM_OPS } from "../prim-names.ts";
import { scalarType, vecType } from "../types.ts";
import { FAULT, flag, integer, list, line, name, natural, optional, path, ref, struct, text, words, type Codec, type Entry, type EntryOf, type Fault, type Kind, type Shape } from "./codec.ts";
import { dim, dtype, literal, meta, op, primAttrs, scope, term } from "./values.ts";

export interface Row<E> {
  readonly fields: Shape<Omit<E, "kind">>;
  /** The entry of the fields where it is not just these, or what is expected instead. */
  readonly made?: (entry: E) => E | string;
}

type Rows = { readonly [K in Kind]: Row<EntryOf<K>> };

const type: Codec<Type> = ref("a type", ["Scalar", "Vec", "Tensor", "TupleType", "Unit", "Unknown"]);
const expr: Codec<Expr> = ref("an expression", ["Var", "IterArg", "Const", "Prim", "Tuple", "TupleGet", "Call", "FunctionCall"]);
const stmt: Codec<Stmt> = ref("a statement", ["Assign", "Eval", "If", "For", "While", "Nest", "Scope", "Return", "Yield", "Break", "Continue", "Seq"]);
const block = ref("a block", ["Seq"]);
const variable = ref("a variable", ["Var"]);
const carry = ref("a carry", ["IterArg"]);

const exprs = list(expr);
const variables: Codec<readonly Var[]> = list(variable);
const carries = list(carry);

export const ROWS: Rows = {
  Scalar: { fields: { dtype }, made: (t) => scalarType(t.dtype) },
  Vec: { fields: { dtype, lanes: natural }, made: (t) => vecType(t.dtype, t.lanes) },
  Tensor: { fields: { domain: words("a domain", ["tensor", "tile"]), shape: list(dim), dtype, storage: words("a storage", STORAGES) } },
  TupleType: { fields: { fields: list(type) } },
  Unit: { fields: {} },
  Unknown: { fields: {} },
  sum: { fields: { terms: list(term), constant: integer }, made: (sum) => normal(sum) ?? "a sum in normal form" },

  Var: { fields: { type, hint: name, isConst: flag, meta } },
  IterArg: { fields: { init: expr, type, hint: name, meta } },
  Const: { fields: { type, value: literal, meta } },
  Prim: { fields: { op: words("a primitive", PRIM_OPS), args: exprs, attrs: primAttrs, type, meta } },
  Tuple: { fields: { elements: exprs, type: ref("a tuple type", ["TupleType"]), meta } },
  TupleGet: { fields: { tuple: expr, index: natural, type, meta } },
  Call: { fields: { callee: kinded("Op", op), args: exprs, type, meta } },
  FunctionCall: { fields: { callee: kinded("FuncRef", struct({ symbol: path })), args: exprs, type, meta } },

  Assign: { fields: { value: expr, target: variable, meta } },
  Eval: { fields: { expr, meta } },
  If: { fields: { cond: expr, then: block, else: optional(block), results: variables, meta } },
  For: {
    fields: {
      mode: words("a loop mode", LOOP_MODES), level: optional(words("a level", LEVELS)), stages: optional(integer),
      start: expr, stop: expr, step: expr, carries, loopVar: variable, body: block, results: variables, meta,
    },
  },
  While: { fields: { carries, cond: expr, body: block, results: variables, meta } },
  Nest: { fields: { reduce: flag, extents: exprs, carries, axes: variables, body: block, results: variables, meta } },
  Scope: { fields: { scope, body: block, results: variables, meta } },
  Return: { fields: { values: exprs, meta } },
  Yield: { fields: { values: exprs, meta } },
  Break: { fields: { meta } },
  Continue: { fields: { meta } },
  Seq: { fields: { stmts: list(stmt), meta }, made: (seq) => (isFlat(seq) ? seq : "a block whose statements are no blocks") },

  Graph: { fields: { result: expr } },
  Function: {
    fields: {
      name, func: words("a kind of function", ["graph", "prim", "opaque", "orchestration", "incore", "inline", "group", "spmd"]),
      symbols: list(struct<SymbolDef>({ var: variable, lo: integer, hi: integer })),
      params: list(struct<Param>({ var: variable, direction: words("a direction", ["in", "out", "inout"]) })),
      returns: list(type), body: ref("a body", ["Seq", "Graph"]), target: optional(line), contract: flag, meta,
    },
  },
  Module: {
    fields: {
      name: line, form: words("a form of module", ["text", "module", "program"]),
      functions: list(ref("a function", ["Function"])), children: list(ref("a module", ["Module"])),
      target: optional(line), topologies: optional(list(struct<Topology>({ name, size: integer }))),
      methods: list(struct<Method>({ name, text })), entry: optional(name), meta,
    },
    made: (module) => (module.form === "text" || isName(module.name) ? module : "a class whose name is a name"),
  },
};

const isFlat = (seq: Seq): boolean => seq.stmts.every((s) => s.kind !== "Seq");
const isName = (word: string): boolean => /^[\p{ID_Start}_]\p{ID_Continue}*$/u.test(word);

/** A part that has a kind but no line of its own. */
function kinded<K extends string, T extends object>(kind: K, codec: Codec<T>): Codec<T & { readonly kind: K }> {
  return {
    refs: codec.refs,
    write: codec.write,
    read: (json, at, reader): (T & { readonly kind: K }) | Fault => {
      const value = codec.read(json, at, reader);
      return value === FAULT ? FAULT : { kind, ...value };
    },
  };
}

// — dims —

/** The sum with its terms in the order of this process; undefined if it is not in normal form. */
function normal({ terms, constant }: DimSum): DimSum | undefined {
  let total: Dim = constant;
  for (const { coefficient, leaf } of terms) {
    const value = leafDim(leaf);
    if (value === undefined) return undefined;
    total = addDims(total, scaleDim(value, coefficient));
  }
  if (typeof total === "number" || total.terms.length !== terms.length) return undefined;
  return total.constant === constant && total.terms.every((t) => terms.some((own) => own.leaf.kind === t.leaf.kind && own.coefficient === t.coefficient)) ? total : undefined;
}

function leafDim(leaf: DimLeaf): Dim | undefined {
  switch (leaf.kind) {
    case "var": return dimVar(leaf.variable);
    case "floordiv": return leaf.divisor > 1 ? floorDivDim(leaf.dividend, leaf.divisor) : undefined;
    case "mod": return leaf.divisor > 1 ? modDim(leaf.dividend, leaf.divisor) : undefined;
    case "min": return minDim(leaf.a, leaf.b);
    case "max": return maxDim(leaf.a, leaf.b);
  }
}

// — entries —

const CODECS = new Map<Kind, Codec<Entry>>(
  Object.entries(ROWS).map(([kind, row]) => [kind as Kind, struct(row.fields as Shape<Entry>, `"kind":"${kind}"`)]), // each is used with entries of its own kind only
);

export function codecOf(kind: Kind): Codec<Entry> {
  const codec = CODECS.get(kind);
  invariant(codec !== undefined, () => `no codec of ${kind}`);
  return codec;
}

export const isKind = (word: string): word is Kind => Object.hasOwn(ROWS, word);

/** The entry of its fields, or what is expected instead. */
export function entryOf(kind: Kind, fields: object): Entry | string {
  const entry = { kind, ...fields } as Entry; // the fields were read by the row of the kind
  const { made } = ROWS[kind] as Row<Entry>; // as above
  return made === undefined ? entry : made(entry);
}
