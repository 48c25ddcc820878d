// `x[i, j]`: one element of a tensor or tile, the op `read`. Other subscripts come later.

import type { Subscript, SExpr } from "@tilefoundry/grammar";
import { showType } from "@tilefoundry/ops";
import { invariant } from "@tilefoundry/text";
import { counted, notYet } from "./complaints.ts";
import { dialectOf, type Evaluate, type ExprContext } from "./context.ts";
import { callOp } from "./op-call.ts";
import { poison, type Value } from "./value.ts";

export function elementRead(base: Value, e: Subscript, c: ExprContext, evaluate: Evaluate): Value {
  const indices = elementIndices(base, e, c, evaluate);
  if (indices === undefined) return poison(e.span);
  const record = c.module.ops.byName("read");
  invariant(record !== undefined, () => "the op `read` is missing");
  return callOp(record, { spelled: "[…]", namespace: dialectOf(c), span: e.span, passed: { positional: [base, indices], keywords: [] } }, c);
}

/** The index list of a full subscript; complains about slices and about what has no elements. */
export function elementIndices(base: Value, e: Subscript, c: ExprContext, evaluate: Evaluate): Value | undefined {
  const items = e.index.kind === "TupleDisplay" ? e.index.items : [e.index];
  if (base.kind === "poison") return undefined;
  if (base.kind !== "expr" || base.expr.type.kind !== "Tensor") {
    const what = base.kind === "expr" ? showType(base.expr.type, dialectOf(c)) : "this value";
    c.reporter.report("TF3210", e.value.span, { what });
    return undefined;
  }
  const slice = items.find(isSlice);
  if (slice !== undefined) {
    return notYet("a subscript with a range", "read a part with `pl.load(x, offsets, shape)`", slice.span, c);
  }
  const rank = base.expr.type.shape.length;
  const values = items.map((item) => evaluate(item, c));
  if (values.some((v) => v.kind === "poison")) return undefined;
  if (rank !== values.length) {
    const name = e.value.kind === "Name" ? e.value.name : "the array";
    c.reporter.report("TF3209", e.span, { name, rank: counted(rank, "axis", "axes"), given: `${counted(values.length, "index", "indices")} ${values.length === 1 ? "is" : "are"}` });
    return undefined;
  }
  return { kind: "tuple", form: "list", items: values, span: e.index.span };
}

const isSlice = (item: SExpr): boolean => item.kind === "Slice" || (item.kind === "Keyword" && item.word === "...");
