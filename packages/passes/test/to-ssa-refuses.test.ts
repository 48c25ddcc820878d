// What `to-ssa` refuses, and what looks like it and is right.

import { assign, forLoop, INDEX, indexConst, returnValues, scalarType, seq, variable, verify, type ModuleNode } from "@tilefoundry/ir";
import { runPasses } from "@tilefoundry/passes";
import { describe, expect, test } from "vitest";
import { callOf } from "./kernel.ts";
import { CONTEXT } from "./stages.ts";
import { boundInLoop, boundInOneBranch, carriedInParallel, ONE, out, program, readByOlderName, readInNextIteration, writeOut } from "./wrong-programs.ts";

const reported = (module: ModuleNode): readonly string[] => runPasses(module, "to-ssa", CONTEXT).diagnostics.map((d) => `${d.code}: ${d.message}`);

describe("refused", () => {
  test.each([
    ["a value carried by a parallel loop", carriedInParallel, "TF4116: `sum` is carried from one iteration of a parallel loop to the next"],
    ["a name that one branch binds, read after it", boundInOneBranch, "TF4101: `v` may be undefined here"],
    ["a name that a loop binds which may not run", boundInLoop, "TF4101: `v` may be undefined here"],
    ["elements read by an older name", readByOlderName, "TF4207: `out` is an older name of a buffer that was written as `newer`: its elements are not there any more"],
    ["elements read by an older name in the next iteration", readInNextIteration, "TF4207: `out` is an older name of a buffer that was written as `newer`: its elements are not there any more"],
  ])("%s", (_title, make, message) => {
    expect(reported(make())).toEqual([message]);
  });
});

describe("accepted", () => {
  const accepts = (module: ModuleNode): void => {
    const { value, diagnostics } = runPasses(module, "to-ssa", CONTEXT);
    expect(diagnostics).toEqual([]);
    expect(verify(value, "ssa")).toEqual([]);
  };
  const loopOf = (stop: number, ...stmts: Parameters<typeof seq>[0]) => forLoop({ loopVar: variable("i", INDEX), stop: indexConst(stop), body: seq(stmts) });
  const read = (from: typeof out) => callOf("read", { src: from, indices: [indexConst(0)] });

  test("a name that a loop binds which surely runs, read after it", () => {
    const v = variable("v", scalarType("f32"));
    accepts(program(loopOf(4, assign(v, ONE)), writeOut(v)));
  });

  test("a handle that a loop binds first: it starts as the buffer", () => {
    const newer = variable("newer", out.type);
    const v = variable("v", scalarType("f32"));
    const write = callOf("write", { dst: out, indices: [indexConst(1)], value: ONE });
    accepts(program(loopOf(0, assign(newer, write)), assign(v, read(newer)), assign(v, ONE)));
  });

  test("an older name that is written again, read under the newest", () => {
    const [newer, newest] = [variable("newer", out.type), variable("newest", out.type)];
    const v = variable("v", scalarType("f32"));
    const write = callOf("write", { dst: out, indices: [indexConst(1)], value: ONE });
    accepts(program(assign(newer, write), assign(newest, write), assign(v, read(newest))));
  });

  test("an older name that is handed on and not read", () => {
    const [newer, alias] = [variable("newer", out.type), variable("alias", out.type)];
    const write = callOf("write", { dst: out, indices: [indexConst(1)], value: ONE });
    accepts(program(assign(newer, write), assign(alias, out)));
  });

  test("a return in the last place", () => {
    accepts(program(writeOut(ONE), returnValues([])));
  });
});
