// The emitted C is accepted without a warning by gcc and clang, with and without optimisation, and holds no fused multiply-add.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TARGETS } from "@tilefoundry/targets";
import { toModule } from "tilefoundry";
import { describe, expect, test } from "vitest";
import { SAMPLES } from "../../../samples/index.ts";
import { build } from "./laws.ts";

const has = (command: string): boolean => spawnSync(command, ["--version"]).status === 0;

function files(name: string): string {
  const sample = SAMPLES.find((s) => s.name === name);
  if (sample === undefined) throw new Error(`no sample ${name}`);
  const folder = mkdtempSync(join(tmpdir(), "tf-c-"));
  for (const [file, contents] of build(toModule(sample.program), TARGETS.cpu, true)) writeFileSync(join(folder, file), contents);
  return folder;
}

describe.each(["gcc", "clang"])("%s", (compiler) => {
  describe.each(["-O0", "-O3"])("at %s", (level) => {
    test.skipIf(!has(compiler)).each(SAMPLES.map((s) => s.name))(`%s compiles without a warning [needs ${compiler}]`, (name) => {
      const folder = files(name);
      const { stderr, status } = spawnSync(compiler, ["-std=c11", level, "-Wall", "-Wextra", "-Werror", "-c", ...readdirSync(folder).filter((file) => file.endsWith(".c"))], { cwd: folder, encoding: "utf8" });
      expect(stderr).toBe("");
      expect(status).toBe(0);
    });
  });

  test.skipIf(!has(compiler) || process.arch !== "x64")(`a product and a sum are not fused where the machine could [needs ${compiler} on x86-64]`, () => {
    const folder = files("saxpy");
    spawnSync(compiler, ["-std=c11", "-O3", "-mfma", "-mavx2", "-S", "saxpy.c"], { cwd: folder });
    const assembly = readFileSync(join(folder, "saxpy.s"), "utf8");
    expect(assembly).toContain("mulps");
    expect(assembly).not.toMatch(/vfn?m(add|sub)/);
  });
});
