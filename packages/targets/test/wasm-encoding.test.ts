// Binary and text come from the same trees: an independent assembler makes of our text the bytes that we write.

import wabtModule from "wabt";
import { beforeAll, describe, expect, test } from "vitest";
import { encodeModule } from "../src/wasm/encode.ts";
import { HELPERS, type HelperName } from "../src/wasm/support.ts";
import { OPCODES, opcodeRow, type ImmediateKind, type Opcode } from "../src/wasm/opcodes.ts";
import {
  block, branch, choose, comment, f32, f64, get, giveBack, i32, i64, ifElse, lanes, loop, op, select, sequence, set, tee, type Local, type Tree, type WasmFunction,
} from "../src/wasm/tree.ts";
import { moduleText } from "../src/wasm/wat.ts";

let wabt: Awaited<ReturnType<typeof wabtModule>>;
beforeAll(async () => {
  wabt = await wabtModule();
});

const FEATURES = { simd: true, sat_float_to_int: true } as const;

/** The sections of a module by number, without those for names: assemblers differ in these. */
function sections(bytes: Uint8Array): readonly (readonly number[])[] {
  const found: (readonly number[])[] = [];
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at] ?? 0;
    let [size, shift] = [0, 0];
    do size |= ((bytes[++at] ?? 0) & 0x7f) << shift;
    while (((shift += 7), (bytes[at] ?? 0) & 0x80));
    at++;
    if (id !== 0) found.push([id, ...bytes.subarray(at, at + size)]);
    at += size;
  }
  return found;
}

const assembled = (text: string): Uint8Array => wabt.parseWat("test.wat", text, FEATURES).toBinary({ canonicalize_lebs: true }).buffer;

function agrees(f: WasmFunction): void {
  const module = { exported: "größe", functions: [f] } as const;
  const bytes = encodeModule(module);
  expect(WebAssembly.validate(new Uint8Array(bytes))).toBe(true);
  expect(sections(bytes)).toEqual(sections(assembled(moduleText(module))));
}

const IMMEDIATES: Readonly<Record<ImmediateKind, readonly number[]>> = {
  none: [], memory: [0, 40], lane: [1], "memory-lane": [0, 300, 1], lanes16: [0, 1, 2, 3, 4, 5, 6, 7, 31, 30, 29, 28, 27, 26, 25, 24],
};

describe("every row of the table of instructions", () => {
  test.each(Object.keys(OPCODES) as Opcode[])("%s is encoded as an assembler encodes it", (name) => {
    const { operands, result, immediate } = opcodeRow(name);
    const params = operands.map((type, index): Local => ({ name: `p${index}`, type, index }));
    const body = [op(name, params.map(get), IMMEDIATES[immediate])];
    agrees({ name: "row", params, result, locals: [], body, comments: [] });
  });
});

describe("trees", () => {
  const [n, x] = [{ name: "n", type: "i32", index: 0 }, { name: "x", type: "f32", index: 1 }] as const satisfies readonly Local[];
  const word: Local = { name: "i32.add", type: "i32", index: 0 };
  const made = (body: readonly Tree[], result: WasmFunction["result"] = undefined): WasmFunction => ({ name: "f", params: [n, x], result, locals: [], body, comments: ["a comment"] });

  const SHAPES: Readonly<Record<string, WasmFunction>> = {
    "a loop that is left": made([
      comment("counts down"),
      block("done", [loop("next", [branch("done", op("i32.eqz", [get(n)])), set(n, op("i32.sub", [get(n), i32(1)])), branch("next")])]),
    ]),
    "an if with and without else": made([ifElse(get(n), [set(n, i32(0))]), ifElse(get(n), [set(n, i32(1))], [set(n, i32(-1))])]),
    "an if with a value": made([choose(get(n), get(x), f32(1.5))], "f32"),
    "labels of one name, the inner one meant": made([block("a", [block("a", [branch("a", get(n))]), branch("a")])]),
    "an early return": made([ifElse(get(n), [giveBack(f32(2))]), f32(3)], "f32"),
    "a sequence with a value": made([sequence([set(n, i32(5))], op("i32.add", [get(n), tee(n, i32(6))]))], "i32"),
    "select": made([select(i64(1n), i64(-1n), get(n))], "i64"),
    "constants of i64": made([op("i64.add", [i64(2n ** 63n - 1n), i64(-(2n ** 63n))])], "i64"),
    "constants of f64": made([op("f64.add", [f64(0.1), f64(-0)])], "f64"),
    "constants of f32": made([op("f32.add", [f32(Math.fround(0.1)), f32(Infinity)])], "f32"),
    "constants of vectors": made([op("v128.xor", [lanes("f32x4", [1, -0, NaN, 1e-40].map(Math.fround)), lanes("i64x2", [-1n, 2n ** 62n])])], "v128"),
    "names that are words of the text format": { ...made([get(word)], "i32"), params: [word] },
  };

  test.each(Object.entries(SHAPES))("%s: text and bytes agree", (_title, f) => agrees(f));

  test.each(Object.keys(HELPERS) as HelperName[])("the helper %s: text and bytes agree", (name) => agrees(HELPERS[name]()));
});
