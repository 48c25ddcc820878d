// What stands between C text and a call: no compiler (TF6030), no koffi (TF6031), a text the compiler refuses (TF6032), a cache that
// cannot be written (TF6033), a kernel that runs out of memory (TF6034), no thread pool (TF6038).

import { mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFunction, makeModule, seq } from "@tilefoundry/ir";
import { TARGETS, type Artifact } from "@tilefoundry/targets";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const fn = makeFunction({ name: "nothing", func: "prim", params: [], body: seq([]) });
const artifact = (): Artifact => TARGETS.cpu.emit(makeModule("m", [fn]), fn).value;
const environment = { ...process.env };

beforeEach(() => {
  vi.resetModules(); // the compiler that was found is remembered in the module
  process.env["TILEFOUNDRY_CACHE"] = mkdtempSync(join(tmpdir(), "tf-cache-"));
});
afterEach(() => {
  process.env = { ...environment };
  vi.restoreAllMocks();
  vi.doUnmock("../src/host.ts");
  vi.doUnmock("../src/pool-source.ts");
});

async function codes(given: Artifact): Promise<readonly string[]> {
  const { loadCpu } = await import("../src/cpu.ts");
  const { value, diagnostics } = loadCpu(given);
  return value === undefined ? diagnostics.map((d) => d.code) : (value.call({}).diagnostics.map((d) => d.code));
}

test("without a compiler: TF6030, and wasm needs nothing", async () => {
  process.env["PATH"] = "";
  delete process.env["CC"];
  expect(await codes(artifact())).toEqual(["TF6030"]);
});

test("a text that the compiler refuses: TF6032 [needs a C compiler]", async () => {
  const broken = { ...artifact(), files: [{ name: "nothing.c", contents: "int tf_launch_nothing(void *a, void *pool) { (void)pool; return x; }\n" }] };
  expect(await codes(broken)).toEqual(["TF6032"]);
});

test("a cache that cannot be written: TF6033", async () => {
  const blocked = join(process.env["TILEFOUNDRY_CACHE"] ?? "", "file");
  writeFileSync(blocked, "");
  process.env["TILEFOUNDRY_CACHE"] = join(blocked, "cache");
  expect(await codes(artifact())).toEqual(["TF6033"]);
});

test("a kernel that reports it has no memory: TF6034", async () => {
  const short = { ...artifact(), files: [{ name: "nothing.c", contents: "int tf_launch_nothing(void *a, void *pool) { (void)pool; (void)a; return 1; }\n" }] };
  expect(await codes(short)).toEqual(["TF6034"]);
});

test("without koffi: TF6031", async () => {
  const host = await import("../src/host.ts");
  const real = host.builtin;
  const noPackages = { createRequire: () => () => { throw new Error("Cannot find module 'koffi'"); } };
  vi.doMock("../src/host.ts", () => ({ ...host, builtin: (name: "node:fs") => ((name as string) === "node:module" ? noPackages : real(name)) }));
  expect(await codes(artifact())).toEqual(["TF6031"]);
  expect(createRequire(import.meta.url).resolve("koffi")).toContain("koffi");
});

test("without POSIX threads kernels run on the calling thread, and TF6038 says so [needs a C compiler]", async () => {
  vi.doMock("../src/pool-source.ts", () => ({ POOL_SOURCE: "#error no threads here\n" }));
  const { loadCpu } = await import("../src/cpu.ts");
  const { value, diagnostics } = loadCpu(artifact());
  expect(diagnostics.map((d) => [d.code, d.severity])).toEqual([["TF6038", "note"]]);
  expect(diagnostics[0]?.message).toContain("no threads here");
  expect(value?.call({}).diagnostics).toEqual([]);
});
