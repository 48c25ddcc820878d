// Every diagnostic code is raised by some test; here are those of the front door, targets, files and C.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TARGETS } from "@tilefoundry/targets";
import { CODES, type Diagnostic } from "@tilefoundry/text";
import { check, compileNow, parseProgram, print, resolveTarget, TileFoundryError, type AnyProgram } from "tilefoundry";
import { describe, expect, test } from "vitest";
import { parseText, deviceOf } from "./laws.ts";
import { runPasses } from "@tilefoundry/passes";
import { builtinOps } from "@tilefoundry/ops";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The test sources of the workspace. */
function testTexts(): string {
  const folders = ["grammar", ...readdirSync(join(ROOT, "packages")).map((p) => join("packages", p))];
  return folders.flatMap((f) => textsIn(join(ROOT, f, "test"))).join("\n");
}

function textsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (entry.name === "dist" || entry.name === "expected") return [];
      const path = join(folder, entry.name);
      return entry.isDirectory() ? textsIn(path) : entry.name.endsWith(".ts") ? [readFileSync(path, "utf8")] : [];
    });
  } catch {
    return []; // a package without tests of its own
  }
}

test("each code is named by a test that raises it", () => {
  const texts = testTexts();
  expect(Object.keys(CODES).filter((code) => !texts.includes(code))).toEqual([]);
});

const TWO = '@prim_func\ndef f(x: InOut[Tensor[(4,), "f32"]]):\n    pl.write(x, (0,), 1.0)\n\n@prim_func\ndef g(x: InOut[Tensor[(4,), "f32"]]):\n    pl.write(x, (0,), 1.0)\n';

function program(text: string): AnyProgram {
  const { value, diagnostics } = parseProgram(text, "case.tf");
  if (value === undefined) throw new TileFoundryError(diagnostics);
  return value;
}

function thrown(run: () => unknown): readonly Diagnostic[] {
  try {
    run();
  } catch (error) {
    if (error instanceof TileFoundryError) return error.diagnostics;
    throw error;
  }
  return [];
}

/** Diagnostics of the passes up to `placed` for a text. */
function placing(text: string): readonly Diagnostic[] {
  return runPasses(parseText(text, "case").module, "placed", { ops: builtinOps, device: deviceOf(TARGETS.cpu), fold: true }).diagnostics;
}

const ONE = '@prim_func\ndef f(x: InOut[Tensor[(N,), "f32"]]):\n    pl.write(x, (0,), 1.0)\n';
const HUGE = '@prim_func\ndef f(x: InOut[Tensor[(1000000,), "f32"]]):\n    t = T.alloc_tensor((1000000000,), "f32", "vec")\n    for i in T.range(1000000):\n        T.store(t, (i,), T.load(x, (i,)))\n    for i_1 in T.range(1000000):\n        T.store(x, (i_1,), T.load(t, (i_1 * 2,)))\n';
const SYMBOLIC = '@prim_func\ndef f(x: InOut[Tensor[(M, N), "f32"]]):\n    s = T.alloc_tensor((M, N), "f32", "gmem")\n    t = T.alloc_tensor((M, N), "f32", "gmem")\n    for i in T.range(M):\n        T.store(s, (i, 0), T.load(x, (i, 0)))\n        T.store(t, (i, 0), T.load(x, (i, 0)))\n    for i_1 in T.range(M):\n        T.store(x, (i_1, 0), T.load(t, (0, 0)) + T.load(s, (0, 0)))\n';

const STALE = "@pl.function\ndef f(x: pl.Tensor[[8], pl.FP32], y: pl.InOut[pl.Tensor[[8], pl.FP32]]):\n    z = pl.store(pl.load(x, [0], [4]), [0], y)\n    pl.write(z, [1], pl.read(y, [0]))\n";

const RAISED: Readonly<Record<string, () => readonly Diagnostic[]>> = {
  TF4207: () => placing(STALE),
  TF5101: () => resolveTarget("cuda:h200").diagnostics,
  TF5102: () => resolveTarget("wasn").diagnostics,
  TF5103: () => resolveTarget("cpu:native2").diagnostics,
  TF5104: () => thrown(() => print(program(ONE), { stage: "nope" as never })),
  TF5120: () => placing(HUGE),
  TF5121: () => placing(SYMBOLIC),
  TF6020: () => thrown(() => compileNow(program(TWO))),
  TF6029: () => thrown(() => compileNow(program(ONE), { dims: { N: -1 } })),
  TF6046: () => thrown(() => program(ONE)()),
  TF6021: () => thrown(() => compileNow(program(TWO), { entry: "h" })),
};

describe("the front door", () => {
  test.each(Object.entries(RAISED))("raises %s", (code, raise) => {
    expect(raise().map((d) => d.code)).toContain(code);
  });
});

describe("a target", () => {
  const said = (target: string): readonly string[] => resolveTarget(target).diagnostics.map((d) => `${d.code} ${d.help}`);

  test("gets the nearest spelling", () => expect(said("wasn")).toEqual(["TF5102 did you mean `wasm`?"]));

  test.each(["constructor", "__proto__", "toString", ""])("is not %s, which every object has", (name) => {
    expect(said(name)).toEqual(["TF5102 targets here: interp, wasm, cpu"]);
    expect(resolveTarget(`wasm:${name}`).diagnostics.map((d) => d.code)).toEqual(["TF5103"]);
  });

  test("has the devices it has", () => {
    expect(said("interp:generic")).toEqual(["TF5103 devices here: none"]);
    expect(said("wasm:generic:extra")).toEqual(["TF5103 devices here: wasm:generic"]);
  });

  test("is shown in its decorator", () => {
    const [d] = check('@func(target="wasn")\ndef f(x: Tensor[(N,), "f32"]):\n    return x\n').diagnostics;
    expect(d?.span?.source.text.slice(d.span.start, d.span.end)).toBe('"wasn"');
  });
});

test("what cannot be read may have been the kernel: that there is none is not said too", () => {
  for (const text of ["@prim_func\ndef k(x:\n    pass\n", 'x = """ never closed']) expect(check(text).diagnostics.map((d) => d.code)).toEqual([expect.stringMatching(/^TF100/)]);
  expect(check("x = 1\n").diagnostics.map((d) => d.code)).toEqual(["TF1015"]);
});

// TF6022 TF6023 TF6024 TF6025 TF6026 TF6027 TF6028 TF1001: the command line's
const SAMPLE = join(ROOT, "samples", "vector_add", "vector_add.tf");

const COMMANDS: Readonly<Record<string, { readonly args: readonly string[]; readonly input?: Uint8Array }>> = {
  TF1001: { args: ["check", "-", "--json"], input: Uint8Array.of(0x78, 0xff) },
  TF6022: { args: ["check", "/nowhere/x.tf", "--json"] },
  TF6023: { args: ["build", SAMPLE, "-o", "/dev/null/x", "--json"] },
  TF6024: { args: ["check", "-", "--json"] },
  TF6025: { args: ["run", SAMPLE, "--arg", "q=ones", "--dim", "N=4", "--json"] },
  TF6026: { args: ["run", SAMPLE, "--arg", "x=onse", "--dim", "N=4", "--json"] },
  TF6027: { args: ["run", SAMPLE, "--json"] },
  TF6028: { args: ["run", SAMPLE, "--dim", "Q=4", "--dim", "N=4", "--json"] },
};

describe("the command line", () => {
  test.each(Object.entries(COMMANDS))("raises %s", (code, { args, input }) => {
    const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "scripts", "tf"), ...args], { input: input ?? "", encoding: "utf8" });
    expect(`${stdout}${stderr}`).toContain(code);
  });
});
