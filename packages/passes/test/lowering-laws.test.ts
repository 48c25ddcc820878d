// What a program means does not change from `outlined` to `placed`, and every stage verifies.

import { verify, type ModuleNode, type TensorType } from "@tilefoundry/ir";
import { arrayOf, type ArrayValue, type Value } from "@tilefoundry/ops/evaluate";
import { describe, expect, test } from "vitest";
import { nestProgram } from "./nest-programs.ts";
import { randomBy } from "./random.ts";
import { CONTEXT, difference, functionOf, outputsOf, SECOND_HALF } from "./stages.ts";
import { tileProgram } from "./tile-programs.ts";

const PROGRAMS = 80;

describe("random tile programs", () => {
  test.each(Array.from({ length: PROGRAMS }, (_, seed) => seed))("program %i means the same at every stage", (seed) => {
    const program = tileProgram(seed);
    expect(verify(program, "outlined")).toEqual([]);
    const args = argumentsOf(program, seed);
    const wanted = outputsOf(program, args);
    let module = program;
    for (const pass of SECOND_HALF) {
      const outcome = pass.run(module, CONTEXT);
      expect(outcome.diagnostics).toEqual([]);
      module = outcome.value;
      expect(verify(module, pass.to).map((d) => `${pass.name}: ${d.message}`)).toEqual([]);
      expect(pass.run(module, CONTEXT).value).toBe(module);
      expect(difference(outputsOf(module, args, { poison: true }), wanted), pass.name).toBeUndefined();
    }
  });
});

/** Programs in which a fault was found once. */
const FOUND = [5588, 7200];

describe("random nests", () => {
  test.each([...Array.from({ length: PROGRAMS }, (_, seed) => seed), ...FOUND])("program %i means the same once mapped and placed", (seed) => {
    let module = nestProgram(seed, 9);
    expect(verify(module, "lowered")).toEqual([]);
    const { dtype } = functionOf(module).params[0]?.var.type as TensorType; // the parameters are `x`, `y`, `n`
    const random = randomBy(seed + 2_000_000);
    const array = (): ArrayValue => arrayOf(dtype, [14, 14], Array.from({ length: 196 }, () => (dtype === "u8" ? random.below(9) : random.below(17) - 8)));
    const args = [array(), array(), random.below(11)];
    const wanted = outputsOf(module, args);
    for (const pass of SECOND_HALF.slice(1)) {
      module = pass.run(module, CONTEXT).value;
      expect(verify(module, pass.to).map((d) => `${pass.name}: ${d.message}`)).toEqual([]);
      expect(pass.run(module, CONTEXT).value).toBe(module);
      expect(difference(outputsOf(module, args, { poison: true }), wanted), pass.name).toBeUndefined();
    }
  });
});

/** Small integers of either sign, in tensors of up to 20 rows and columns. */
function argumentsOf(module: ModuleNode, seed: number): readonly Value[] {
  const random = randomBy(seed + 1_000_000);
  const shape = [random.below(20), random.below(20)];
  return functionOf(module).params.map(({ var: v }): ArrayValue => {
    const dtype = v.type.kind === "Tensor" ? v.type.dtype : "f32";
    const elements = Array.from({ length: (shape[0] ?? 0) * (shape[1] ?? 0) }, () => (dtype === "u8" ? random.below(16) : random.below(33) - 16));
    return arrayOf(dtype, shape, elements);
  });
}
