// Annotations → types, in both traditions: `pl.Tensor[[M, 64], pl.FP32]`, `Tensor[(M, 64), "f32"]`, with `Out[…]` around them.

import type { SExpr } from "@tilefoundry/grammar";
import { scalarType, tensorType, tileType, tupleType, vecType, type Dim, type Storage, type Type } from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";
import { notYet, suggestion } from "./complaints.ts";
import type { ExprContext } from "./context.ts";
import { evaluate } from "./expr.ts";
import { dotted, spell } from "./members.ts";
import { dimsOf, dtypeOf, storageOf } from "./type-parts.ts";
import { knownOf, type Value } from "./value.ts";

/** Where an annotation stands: names in shapes may mean something else than names in its other parts. */
export interface AnnotationPlace {
  readonly shapes: ExprContext;
  readonly plain: ExprContext;
}

export interface Annotation {
  readonly type: Type;
  readonly direction: "out" | "inout" | undefined;
  readonly isConst: boolean;
}

/** What an annotation says; undefined after a complaint. */
export function readAnnotation(e: SExpr, at: AnnotationPlace): Annotation | undefined {
  const parts = partsOf(e);
  if (parts === undefined) return noType(e, at);
  const wrapper = Object.hasOwn(WRAPPERS, parts.head) ? WRAPPERS[parts.head] : undefined;
  if (wrapper === undefined) return bareAnnotation(parts, at);
  const [inner, second] = parts.items;
  if (inner === undefined || second !== undefined) return noType(e, at);
  const bare = readAnnotation(inner, at);
  if (bare?.direction === undefined) return bare && { ...bare, direction: wrapper };
  at.plain.reporter.report("TF3110", e.span, { what: "the type inside", found: "wrapped twice", instead: "keep one of the wrappers" });
  return undefined;
}

const WRAPPERS: Readonly<Record<string, "out" | "inout">> = { Out: "out", InOut: "inout" };

interface Parts {
  /** The last name: `Tensor` of `pl.Tensor[…]`. */
  readonly head: string;
  readonly headSpan: Span;
  readonly items: readonly SExpr[];
  readonly span: Span;
}

/** Head and items of `X[a, b]`, or of PyPTO's older `X(a, b)`. */
function partsOf(e: SExpr): Parts | undefined {
  if (e.kind === "Paren") return partsOf(e.value);
  const owner = e.kind === "Subscript" ? e.value : e.kind === "Call" ? e.callee : undefined;
  const chain = owner && dotted(owner);
  if (owner === undefined || chain === undefined) return undefined;
  const head = chain.path.at(-1) ?? chain.root;
  const headSpan = owner.kind === "Attribute" ? owner.nameSpan : owner.span;
  if (e.kind === "Subscript") {
    const items = e.index.kind === "TupleDisplay" && !e.index.parenthesized ? e.index.items : [e.index];
    return { head, headSpan, items, span: e.span };
  }
  if (e.kind !== "Call" || e.args.some((a) => a.name !== undefined || a.star !== "")) return undefined;
  return { head, headSpan, items: e.args.map((a) => a.value), span: e.span };
}

type Read = (parts: Parts, at: AnnotationPlace) => Type | undefined;

const TYPES: Readonly<Record<string, Read>> = {
  Tensor: (parts, at) => arrayType(parts, "tensor", at),
  ConstTensor: (parts, at) => arrayType(parts, "tensor", at),
  Tile: (parts, at) => arrayType(parts, "tile", at),
  Scalar: ({ items }, { plain }) => {
    const dtype = items[0] && dtypeOf(evaluate(items[0], plain), plain);
    return dtype && scalarType(dtype);
  },
  Vec: ({ items, span }, { plain }) => {
    const dtype = items[0] && dtypeOf(evaluate(items[0], plain), plain);
    const lanes = items[1] && knownOf(evaluate(items[1], plain));
    if (dtype === undefined) return undefined;
    if (lanes?.kind === "int" && lanes.value > 0n && lanes.value <= 1024n) return vecType(dtype, Number(lanes.value));
    plain.reporter.report("TF3110", span, { what: "a vector", found: "without a lane count", instead: "write `T.Vec[\"f32\", 4]`" });
    return undefined;
  },
  tuple: tupleOf,
  Tuple: tupleOf,
};

/** Names of types, as they stand before `[`. */
export const TYPE_WORDS: readonly string[] = Object.keys(TYPES);

/** Types of the parents that this version does not have. */
const LATER: ReadonlySet<string> = new Set([
  "Array", "DistributedTensor", "Ptr", "MemRef", "MemRefType", "CommCtx", "WindowBufferType", "UnknownType",
]);

/** How each type is written, to show what is missing. */
const SHAPES: Readonly<Record<string, string>> = {
  Tensor: "Tensor[(M, 64), \"f32\"]", ConstTensor: "ConstTensor[(64,), \"f32\"]", Tile: "Tile[(1, 64), \"f32\"]", Scalar: "Scalar[\"i32\"]",
};

function bareAnnotation(parts: Parts, at: AnnotationPlace): Annotation | undefined {
  const { reporter } = at.plain;
  const read = Object.hasOwn(TYPES, parts.head) ? TYPES[parts.head] : undefined;
  if (read !== undefined) {
    const type = read(parts, at);
    return type && { type, direction: undefined, isConst: parts.head === "ConstTensor" };
  }
  if (LATER.has(parts.head)) return notYet(`the type ${parts.head}`, "this version has Tensor, Tile and Scalar", parts.span, at.plain);
  const candidates = [...Object.keys(TYPES), ...Object.keys(WRAPPERS)];
  reporter.report("TF3102", parts.span, { what: `\`${parts.head}\`` }, suggestion(parts.head, candidates, parts.headSpan));
  return undefined;
}

function noType(e: SExpr, { plain }: AnnotationPlace): undefined {
  const chain = dotted(e);
  const head = chain?.path.at(-1) ?? chain?.root;
  if (e.kind === "BadExpr") return undefined;
  const example = head !== undefined && Object.hasOwn(SHAPES, head) ? SHAPES[head] : undefined;
  const what = chain === undefined ? "this expression" : `\`${spell(chain)}\``;
  plain.reporter.report("TF3102", e.span, { what }, example === undefined ? {} : { help: `say of what: \`${example}\`` });
  return undefined;
}

function tupleOf({ items }: Parts, at: AnnotationPlace): Type | undefined {
  const fields = items.map((item) => readAnnotation(item, at)?.type);
  return fields.every((f): f is Type => f !== undefined) ? tupleType(fields) : undefined;
}

// — tensors and tiles —

function arrayType(parts: Parts, domain: "tensor" | "tile", at: AnnotationPlace): Type | undefined {
  const [shapeItem, dtypeItem, third, fourth] = parts.items;
  if (shapeItem === undefined || dtypeItem === undefined) {
    const what = `\`${parts.head}\` without ${shapeItem === undefined ? "shape and dtype" : "a dtype"}`;
    at.plain.reporter.report("TF3102", parts.span, { what }, { help: `write \`${SHAPES[parts.head] ?? ""}\`` });
    return undefined;
  }
  const shape = shapeOf(shapeItem, at);
  const dtype = dtypeOf(evaluate(dtypeItem, at.plain), at.plain);
  const storage = third === undefined ? undefined : spaceOf(third, at);
  if (fourth !== undefined) return noLayout(fourth, at);
  if (shape === undefined || dtype === undefined || (third !== undefined && storage === undefined)) return undefined;
  return domain === "tensor" ? tensorType(shape, dtype, storage) : tileType(shape, dtype, storage);
}

function shapeOf(e: SExpr, at: AnnotationPlace): readonly Dim[] | undefined {
  if (e.kind === "Paren") {
    const text = e.span.source.text.slice(e.value.span.start, e.value.span.end);
    at.plain.reporter.report("TF3104", e.span, { what: `\`(${text})\`` }, { help: `write \`(${text},)\`: the comma makes the tuple` });
    return undefined;
  }
  const display = e.kind === "TupleDisplay" || e.kind === "ListDisplay";
  const c = display ? at.shapes : at.plain;
  return dimsOf(evaluate(e, c), c);
}

const noLayout = (e: SExpr, { plain }: AnnotationPlace): undefined =>
  notYet("a layout, view or memory reference in a type", "leave it out: it never changes values", e.span, plain);

const LAYOUTS: ReadonlySet<string> = new Set(["ND", "NZ", "DN", "MX_A_ZZ", "MX_B_NN"]);

function spaceOf(e: SExpr, at: AnnotationPlace): Storage | undefined {
  const layout = dotted(e)?.path.at(-1);
  if ((layout !== undefined && LAYOUTS.has(layout)) || (e.kind === "Call" && dotted(e.callee)?.path.length === 1)) return noLayout(e, at);
  const value: Value = evaluate(e, at.plain);
  return storageOf(value, at.plain);
}
