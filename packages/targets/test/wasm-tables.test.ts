import { DTYPE_NAMES, primType, scalarType, variable, vecType, PRIMS } from "@tilefoundry/ir";
import { describe, expect, test } from "vitest";
import { kindOf } from "../src/wasm/registers.ts";
import { SCALARS } from "../src/wasm/scalars.ts";
import { ILL_TYPED, UNIFORM, type Uniform, type VectorRow } from "../src/wasm/uniform.ts";
import { VECTORS } from "../src/wasm/vectors.ts";

const admits = (op: Uniform, type: ReturnType<typeof scalarType> | ReturnType<typeof vecType>): boolean =>
  typeof primType(op, PRIMS[op].operands.map(() => variable("x", type))) !== "string";

describe.each(DTYPE_NAMES)("tables of %s", (dtype) => {
  const tables = [["scalars", SCALARS[kindOf(dtype)], scalarType(dtype)], ["vectors", VECTORS[kindOf(dtype)], vecType(dtype, 4)]] as const;

  test.each(tables)("%s have a row exactly where the typing rule admits operands", (_title, table, type) => {
    const rows = UNIFORM.map((op): readonly [Uniform, boolean] => [op, (table[op] as VectorRow) !== ILL_TYPED]);
    expect(rows).toEqual(UNIFORM.map((op) => [op, admits(op, type)]));
  });
});
