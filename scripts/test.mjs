// The test command: type-check, then vitest; ends with the skips by what they lack and a plain `N passed, N failed` line.
// A test that needs something of the machine says so at the end of its name, `[needs clang]`, and skips itself where it is not.
// With --ci, a skip that scripts/ci-may-lack does not list is a failure.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const bin = (name) => join(ROOT, "node_modules", ".bin", name);
const ci = process.argv.includes("--ci");
const extra = process.argv.slice(2).filter((a) => a !== "--ci");
const report = join(ROOT, "dist", "test-report.json");

const run = (command, args) => spawnSync(command, args, { cwd: ROOT, stdio: "inherit" }).status ?? 1;

mkdirSync(join(ROOT, "dist"), { recursive: true });
const typesOk = run(bin("tsc"), ["-b"]) === 0;
run(bin("vitest"), ["run", "--config", "scripts/vitest.config.ts", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...(process.stdout.isTTY ? [] : ["--no-color"]), ...extra]);

const results = JSON.parse(readFileSync(report, "utf8"));
const tests = results.testResults.flatMap((file) => file.assertionResults);
const passed = tests.filter((t) => t.status === "passed").length + (typesOk ? 1 : 0);
// a file that does not load has no tests of its own but counts as a failure
const brokenFiles = results.testResults.filter((f) => f.status === "failed" && !f.assertionResults.some((t) => t.status === "failed"));
const failed = tests.filter((t) => t.status === "failed").length + brokenFiles.length + (typesOk ? 0 : 1);

const skips = new Map();
for (const { status, fullName } of tests) {
  if (status === "passed" || status === "failed") continue;
  const need = /\[needs ([^\]]+)\]\s*$/.exec(fullName)?.[1] ?? `no reason: ${fullName}`;
  skips.set(need, (skips.get(need) ?? 0) + 1);
}
for (const [need, count] of skips) console.log(`skipped ${count}: needs ${need}`);
const mayLack = new Set(readFileSync(join(ROOT, "scripts", "ci-may-lack"), "utf8").split("\n").filter((line) => line && !line.startsWith("#")));
const unexcused = ci ? [...skips.keys()].filter((need) => !mayLack.has(need)) : [];
for (const need of unexcused) console.log(`not allowed to be skipped here: needs ${need}`);

console.log(`${passed} passed, ${failed + unexcused.length} failed`);
process.exit(failed + unexcused.length === 0 ? 0 : 1);
