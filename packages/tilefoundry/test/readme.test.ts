// The README's code runs as a newcomer runs it, and what it shows of an error is what is printed.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findCompiler } from "@tilefoundry/runtime";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "tf-readme-")));

/** What stands between fences; every second part of the text does. */
const blocks = (language: string): readonly string[] =>
  README.split(/^```/m).flatMap((part, i) => (i % 2 === 1 && part.startsWith(`${language}\n`) ? [part.slice(language.length + 1)] : []));

function run(text: string): { readonly status: number | null; readonly out: string; readonly err: string } {
  writeFileSync(join(folder, "app.ts"), text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "scripts", "run"), "app.ts"], { cwd: folder, encoding: "utf8" });
  return { status, out: stdout, err: stderr };
}

test("there are blocks of code", () => {
  expect(blocks("ts").length).toBeGreaterThanOrEqual(2);
  expect(blocks("")).toHaveLength(1);
});

test.skipIf(findCompiler() === undefined)("all blocks together are a program that runs [needs a C compiler]", () => {
  const { status, out, err } = run(`${blocks("ts").join("\n")}\nconsole.log(softmax, y, kernel.target, step.call({ x: [new Array(24).fill(1)] }));\n`);
  expect(err).toBe("");
  expect(status).toBe(0);
  expect(out).toContain("Program softmax { softmax } NdArray f32[4, 1003] {");
  expect(out).toContain("cpu:generic");
});

test("a misspelt op gives the error that it shows, at its line of the TypeScript file", () => {
  const [first = ""] = blocks("ts");
  const { status, err } = run(first.replace("row_max(row)", "row_maxx(row)"));
  expect(status).not.toBe(0);
  expect(err.replaceAll(`${folder}/`, "").replace(" (column in the template)", "")).toContain((blocks("")[0] ?? "").trimEnd());
});

test("a file that cannot be read is no stack trace", () => {
  const { status, err } = run("import { tf } from 'tilefoundry';\nconst = 3;\n");
  expect(status).toBe(1);
  expect(err).toContain("app.ts:2:6");
  expect(err).not.toContain("    at ");
});
