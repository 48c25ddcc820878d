// Dtypes, memory spaces and extents out of values: what types and attributes are made of.

import { isStatic, toDim, type Dim, type DType, type Storage } from "@tilefoundry/ir";
import { nearest } from "@tilefoundry/text";
import { inWords, meant, notYet } from "./complaints.ts";
import type { ExprContext } from "./context.ts";
import { dtypeCalled, dtypeElsewhere, DTYPE_SPELLINGS, isLaterDType, SPACE_WORDS, storageCalled } from "./dtype-names.ts";
import { isExactDim } from "./exact-dim.ts";
import { describe } from "./known-ops.ts";
import { toExpr } from "./literal.ts";
import { itemsOf, knownOf, type Value } from "./value.ts";

const KNOWN_DTYPES = "f32, f64, i32, i64, u8, u32, bool, index (in PyPTO: FP32, FP64, INT32, INT64, UINT8, UINT32, BOOL, INDEX)";

/** `pl.FP32`, `"f32"`, a name that holds one; complains otherwise. */
export function dtypeOf(value: Value, c: ExprContext): DType | undefined {
  if (value.kind === "poison") return undefined;
  const known = knownOf(value);
  if (known?.kind === "dtype") return known.dtype;
  const name = known?.kind === "string" ? known.value : undefined;
  const found = name === undefined ? undefined : dtypeCalled(name);
  if (found !== undefined || name === undefined) {
    if (found === undefined) c.reporter.report("TF3103", value.span, { what: inWords(value), known: KNOWN_DTYPES });
    return found;
  }
  if (isLaterDType(name)) return notYet(`the dtype ${name}`, `this version has ${KNOWN_DTYPES}`, value.span, c);
  const near = dtypeElsewhere(name) ?? nearest(name, DTYPE_SPELLINGS);
  c.reporter.report("TF3103", value.span, { what: `"${name}"`, known: KNOWN_DTYPES }, meant(near && `"${near}"`, value.span));
  return undefined;
}

/** `pl.Mem.Acc`, `"acc"`. */
export function storageOf(value: Value, c: ExprContext): Storage | undefined {
  if (value.kind === "poison") return undefined;
  const known = knownOf(value);
  const name = known?.kind === "string" ? known.value : known?.kind === "word" && known.family.startsWith("Mem") ? known.word : undefined;
  const storage = name === undefined ? undefined : storageCalled(name);
  if (storage === undefined) {
    const what = name ?? inWords(value);
    c.reporter.report("TF3111", value.span, { what, known: `${SPACE_WORDS.map((w) => `pl.Mem.${w}`).join(", ")}, "smem", "rmem"` });
  }
  return storage;
}

/** An extent or offset: an integer, a symbol, or what is affine in symbols; complains otherwise. */
export function dimOf(value: Value, c: ExprContext): Dim | undefined {
  if (value.kind === "poison") return undefined;
  const known = knownOf(value);
  if (known?.kind === "int" && known.value >= 0n && known.value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(known.value);
  if (known !== undefined && known.kind !== "extent") return refuse(value, describe(known), c);
  const expr = toExpr(value, c);
  if (expr.type.kind === "Unknown") return undefined;
  const dim = toDim(expr);
  if (dim !== undefined && c.isSymbol(expr) && isExactDim(dim)) return dim;
  return refuse(value, dim === undefined ? "this expression" : "a value that is known only when the kernel runs", c);
}

function refuse(value: Value, what: string, c: ExprContext): undefined {
  c.reporter.report("TF3105", value.span, { what });
  return undefined;
}

/** A shape: a list or tuple of extents. */
export function dimsOf(value: Value, c: ExprContext): readonly Dim[] | undefined {
  if (value.kind === "poison") return undefined;
  const items = itemsOf(value);
  if (items === undefined) {
    c.reporter.report("TF3104", value.span, { what: inWords(value) });
    return undefined;
  }
  const dims = items.map((item) => dimOf(item, c));
  return dims.every((d): d is Dim => d !== undefined && !(isStatic(d) && d < 0)) ? dims : undefined;
}
