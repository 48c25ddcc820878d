import { describe, expect, it } from "vitest";
import { UNKNOWN, type DType } from "@tilefoundry/ir";
import { BUILTINS, builtinOps, type Example, type OpRecord } from "@tilefoundry/ops";
import { elementsOf, EVALUATE, isArrayValue, type ArrayValue, type Result, type Scalar } from "@tilefoundry/ops/evaluate";
import { Reporter } from "@tilefoundry/text";
import { byForm, callOf, evaluated, isArray, isScalar, resultOf } from "./examples.ts";
import { randomArgs } from "./random-args.ts";

const records: readonly OpRecord[] = Object.values<OpRecord>(BUILTINS);

/** Elements within the valid part, with their place. */
function validElements(array: ArrayValue): readonly Scalar[] {
  const elements = elementsOf(array);
  return elements.filter((_, at) => {
    let rest = at;
    return array.shape.reduceRight<boolean>((inside, extent, axis) => {
      const i = rest % extent;
      rest = Math.floor(rest / extent);
      return inside && i < (array.valid[axis] ?? extent);
    }, true);
  });
}

const parts = (v: Result): unknown => (Array.isArray(v) ? (v as readonly ArrayValue[]).map(parts) : typeof v === "object" && isArrayValue(v) ? { dtype: v.dtype, shape: v.shape, valid: v.valid, data: validElements(v) } : v);

const isParts = (v: Result): v is readonly ArrayValue[] => Array.isArray(v) && v.some((part) => typeof part === "object");

/** Distance in units in the last place of f32 or f64. */
function ulps(a: number, b: number, dtype: DType): number {
  if (Object.is(a, b) || (a !== a && b !== b)) return 0;
  const size = Math.max(Math.abs(a), Math.abs(b));
  const digits = dtype === "f32" ? 23 : 52;
  return Math.abs(a - b) / 2 ** (Math.floor(Math.log2(size)) - digits);
}

function expectClose(actual: Result, expected: Result, ulp: number): void {
  if (isParts(actual) && isParts(expected)) {
    expect(actual.length).toBe(expected.length);
    for (const [i, part] of actual.entries()) expectClose(part, expected[i] ?? 0, ulp);
    return;
  }
  if (ulp === 0 || typeof actual !== "object" || typeof expected !== "object" || !isArrayValue(actual) || !isArrayValue(expected)) {
    expect(parts(actual)).toEqual(parts(expected));
    return;
  }
  expect({ ...actual, data: undefined }).toEqual({ ...expected, data: undefined });
  validElements(actual).forEach((x, i) => expect(ulps(Number(x), Number(validElements(expected)[i]), actual.dtype)).toBeLessThanOrEqual(ulp));
}

describe.each(records.map((r) => [r.name, r] as const))("%s", (name, record) => {
  it("is found by its name and each of its spellings", () => {
    expect(builtinOps.byName(name)).toBe(record);
    for (const spelled of record.pl) expect(builtinOps.find("pl", spelled)).toBe(record);
    for (const spelled of record.tf) expect(builtinOps.find("tf", spelled)).toBe(record);
    expect(record.pl.length + record.tf.length).toBeGreaterThan(0);
  });

  it("says what it gives and what each parameter is", () => {
    expect(record.doc).toMatch(/^[A-Z].*\.$/s);
    for (const spec of Object.values(record.params)) expect(spec.doc).not.toBe("");
  });

  it.each(record.examples.map((e) => [e.title, e] as const))("evaluates: %s", (_title, example) => {
    const reporter = new Reporter();
    const made = callOf(record, example.args, reporter);
    expect(reporter.diagnostics.map((d) => d.message)).toEqual([]);
    if (made === undefined) throw new Error("no call");
    const actual = evaluated(record, made);
    expectClose(actual, resultOf(example.result), record.ulp ?? 0);
    expectTyped(made.call.type, actual, example);
  });

  it.each(record.examples.map((e) => [e.title, e] as const))("lowers to the same: %s", (_title, example) => {
    const made = callOf(record, example.args);
    if (made === undefined) throw new Error("no call");
    expect(parts(byForm(record, made))).toEqual(parts(evaluated(record, made)));
  });

  it.each(record.dtypes)("computes on %s, by its table and by its form alike", (dtype) => {
    const made = record.examples.map((e) => callOf(record, randomArgs(record, e, dtype))).find((m) => m !== undefined);
    if (made === undefined) throw new Error(`no call on ${dtype}`);
    const value = evaluated(record, made);
    expect(parts(byForm(record, made))).toEqual(parts(value));
    expectTyped(made.call.type, value);
  });
});

function expectTyped(type: ReturnType<OpRecord["infer"]>, value: Result, example?: Example): void {
  if (isParts(value)) {
    const fields = type.kind === "TupleType" ? type.fields : [];
    expect(fields.length).toBe(value.length);
    for (const [i, part] of value.entries()) expectTyped(fields[i] ?? UNKNOWN, part);
  } else if (typeof value === "object" && isArrayValue(value)) {
    expect(type).toMatchObject({ kind: "Tensor", dtype: value.dtype, shape: value.shape });
    if (example !== undefined && isArray(example.result)) expect(type).toMatchObject({ domain: example.result.domain });
  } else if (example !== undefined && isScalar(example.result)) expect(type).toEqual({ kind: "Scalar", dtype: example.result.dtype });
}

it("has an evaluation for each built-in op and for nothing else", () => {
  expect(Object.keys(EVALUATE).sort()).toEqual(builtinOps.names().toSorted());
});
