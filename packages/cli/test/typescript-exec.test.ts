// tf check --exec: templates with the values that their holes have when the file runs, and every way in which running it may end.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { SAMPLES } from "../../../samples/index.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const FOLDER = mkdtempSync(join(tmpdir(), "tf-exec-test-"));

beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, "scripts", "bootstrap.mjs"), "build"], { cwd: ROOT });
});

interface Said {
  readonly code: string;
  readonly message: string;
  readonly help: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** What `tf check --exec --json` says of the first of some files, which lie in a folder of their own. */
function checked(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const folder = join(FOLDER, `case${readdirSync(FOLDER).length}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const [main = ""] = Object.keys(files);
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "dist", "tf", "main.cjs"), "check", "--exec", "--json", main], { cwd: folder, encoding: "utf8", env: { ...process.env, ...env } });
  const [result] = (JSON.parse(stdout) as { files: readonly { functions: readonly { name: string }[]; diagnostics: readonly Said[] }[] }).files;
  const diagnostics = result?.diagnostics ?? [];
  return { status, stderr, functions: result?.functions.map((f) => f.name) ?? [], diagnostics, places: diagnostics.map(({ code, line, column }) => (line === undefined ? code : `${code} ${line}:${column}`)) };
}

const IMPORT = 'import { tf, dtype, DimVar, compile, type AnyProgram } from "tilefoundry";\n';
/** A function of an array of `n` elements, with a wrong op in its line 4 if it is so called. */
const kernel = (n: string, op = "relu"): string => `tf\`\n@func\ndef f(x: Tensor[(${n},), "f32"]):\n    return tf.${op}(x)\n\``;

test("each sample is right when it is run, and says nothing", () => {
  const files = SAMPLES.map(({ name }) => join(ROOT, "samples", name, `${name}.ts`));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "dist", "tf", "main.cjs"), "check", "--exec", ...files], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: expect.stringMatching(/^\d+ files, no errors\n$/) as string });
});

describe("a template", () => {
  test("has the values that the module computes, from its imports too; what it prints goes to standard error", () => {
    const main = `${IMPORT}import { rows, scale } from "./lib.js";\nimport { Mode } from "./deep/mode";\nconsole.log("printed");\nexport const p = tf\`\n@func\ndef f(x: Tensor[(\${rows}, \${Mode.A}), "f32"], y: Tensor[(8, 5), \${dtype("f32")}]):\n    return x * \${scale} + y\n\`;\n`;
    const found = checked({ "main.ts": main, "lib.ts": 'export const rows: number = Number("8");\nexport const scale = rows / 16;\n', "deep/mode.ts": "export enum Mode { A = 4 }\n" });
    expect(found).toMatchObject({ status: 1, places: ["TF3006 8:27"], stderr: expect.stringContaining("printed") as string });
    expect(found.diagnostics[0]?.message).toContain("(8, 4) with (8, 5)");
  });

  test("is of a module that imports and is compiled as its project says", () => {
    const { diagnostics } = checked({
      "src/main.ts": `${IMPORT}import { rows } from "@/lib/rows";\nimport { Counted } from "#counted";\nnew Counted().n;\nexport const p = tf\`\n@func\ndef f(x: Tensor[(\${rows}, \${Counted.made}), "f32"]):\n    return tf.nope(x)\n\`;\n`,
      "src/lib/rows.ts": 'export const rows: number = Number("8");\n',
      "src/counted.ts": "function count(target: { made: number }): void { target.made++; }\n@count\nexport class Counted { static made = 4; n = 1; }\n",
      "tsconfig.json": '{ "extends": "./base.json", "compilerOptions": { "paths": { "@/*": ["./src/*"], "#counted": ["./src/counted.ts"] } } }',
      "base.json": '{ "compilerOptions": { "experimentalDecorators": true, "module": "CommonJS", "jsx": "preserve" } }',
    });
    expect(diagnostics).toMatchObject([{ code: "TF3208", line: 8 }]);
  });

  test("has each kind of value, or the error of its hole", () => {
    const holes = ["4", "4n", "[2, 2]", 'DimVar("M", 1, 9)', "-0", "NaN", "true", 'dtype("f32")', "p", "() => 1", "{ a: 1 }", "undefined", "null", '"text"', "Symbol()", "[4, {}]"];
    const uses = holes.map((h, i) => `export const k${i} = tf\`\nvalue = \${id(${h})}\n@func\ndef k${i}(x: Tensor[(4,), "f32"]):\n    return x\n\`;`);
    const { places } = checked({ "main.ts": `${IMPORT}const id = (x: never): never => x;\nconst p = ${kernel("4")};\n${uses.join("\n").replaceAll("${id(", "${id(<never>(").replaceAll(")}\n", "))}\n")}\n` });
    expect(places.map((p) => p.split(" ")[0])).toEqual(Array.from({ length: 7 }, () => "TF2006"));
  });

  test("is called as the program that it is, with all that it calls", () => {
    const { diagnostics, functions } = checked({
      "main.ts": `${IMPORT}import { make } from "./lib.ts";\nconst [a, b] = [make(4), make(5)];\nexport const p = tf\`\n@func\ndef g(x: Tensor[(4,), "f32"], y: Tensor[(5,), "f32"]):\n    return \${a}(x), \${b}(y), \${a}(x)\n\`;\n`,
      "lib.ts": `${IMPORT}export const make = (n: number): AnyProgram => ${kernel("${n}")};\n`,
    });
    expect(diagnostics).toEqual([]);
    expect(functions).toEqual(["g"]);
  });

  test("is checked with all values that it is given, and what is wrong with several is said once", () => {
    const { diagnostics } = checked({ "main.ts": `${IMPORT}for (const n of [4, 5, 4, 6]) tf\`\n@func\ndef f(x: Tensor[(\${n},), "f32"], y: Tensor[(4,), "f32"]):\n    return tf.nope(x), x + y\n\`;\n` });
    expect(diagnostics.map((d) => d.code)).toEqual(["TF3208", "TF3006", "TF3006"]);
  });

  test("with errors does not end the module; using it does, and that is no further error", () => {
    const { places } = checked({ "main.ts": `${IMPORT}const a = ${kernel("4", "nope")};\nconst b = ${kernel("${Number(4)}", "nope")};\nconst c = tf\`\n@func\ndef g(x: Tensor[(4,), "f32"]):\n    return \${a}(x)\n\`;\na.f({ x: [1, 2, 3, 4] });\nconst d = ${kernel("${Number(4)}")};\n` });
    expect(places).toEqual(["TF3208 5:12", "TF3208 10:12", "TF6080 15:12"]);
  });

  test("that the module does not come to is typed by its use, with a note that says so", () => {
    const { diagnostics } = checked({ "main.ts": `${IMPORT}export function make(n: number) { return ${kernel("${n}", "nope")}; }\n` });
    expect(diagnostics).toMatchObject([{ code: "TF3208" }, { code: "TF6080", help: "typed by use: running the file did not come to them" }]);
  });

  test("of an imported file is reported there if it has errors", () => {
    const { diagnostics } = checked({ "main.ts": 'export * from "./lib";\n', "lib.ts": `${IMPORT}export const a = ${kernel("4", "nope")};\n` });
    expect(diagnostics).toMatchObject([{ code: "TF3208", file: expect.stringMatching(/lib\.ts$/) as string, line: 5, column: 12 }]);
  });

  test("may stand in JavaScript and in CommonJS", () => {
    const body = `const p = ${kernel("${Number(4)}", "nope")};\n`;
    const required = 'const { tf } = require("tilefoundry");\n';
    const common = { "package.json": '{ "type": "commonjs" }' };
    for (const [name, text] of [["a.mjs", IMPORT.replace(", type AnyProgram", "") + body], ["a.js", IMPORT.replace(", type AnyProgram", "") + body], ["a.cjs", required + body], ["a.cts", IMPORT + body]] as const) {
      expect(checked({ [name]: text, ...common }).places, name).toEqual(["TF3208 5:12"]);
    }
  });

  test("runs where it stands: at the top level, after a wait, beside what never ends", () => {
    const { status, diagnostics, stderr } = checked({ "main.ts": `${IMPORT}setInterval(() => undefined, 10);\nconst p = ${kernel("${Number(4)}")};\nconst k = await compile(p, { target: "interp" });\nconsole.log(k.call({ x: [-1, 0, 1, 2] })["out"]?.data.join());\n` });
    expect({ status, diagnostics, stderr }).toEqual({ status: 0, diagnostics: [], stderr: "0,0,1,2\n" });
  });
});

describe("a module that does not run to its end", () => {
  test.each([
    ["throws", "interface A { a: number }\nconst f = (x?: A): number => x!.a;\nf();", "TF6086 6:33", /TypeError: Cannot read properties of undefined/],
    ["throws something else", "throw 42;", "TF6086", /it threw 42/],
    ["throws later", "setTimeout(() => { throw new RangeError('late'); }, 1); await new Promise((r) => setTimeout(r, 1000));", "TF6086 5:26", /RangeError: late/],
    ["rejects", "await Promise.reject(new Error('no\\nmore'));", "TF6086 5:22", /Error: no$/],
    ["imports what is not there", 'import "./nothing.ts";', "TF6086", /Cannot find module .*nothing\.ts/],
    ["imports a name that is not there", 'import { nope } from "tilefoundry"; nope;', "TF6086", /does not provide an export named 'nope'/],
    ["passes wrong arguments", "p.f({});", "TF6086 5:3", /`f` needs the argument `x`/],
    ["ends the process", "process.exit(0);", "TF6086", /it ended the process with status 0/],
    ["waits for nothing", "await new Promise(() => undefined);", "TF6086", /a promise that nothing fulfils/],
  ])("since it %s is shown where it fails; its templates are checked", (_title, code, place, message) => {
    const { status, places, diagnostics } = checked({ "main.ts": `import { tf } from "tilefoundry"; const n: number = Number(4); const p = tf<"f">\`@func
def f(x: Tensor[(\${n},), "f32"], y: Tensor[(5,), "f32"]):
    return tf.relu(x)
\`;\n${code}\n` });
    expect(status).toBe(1);
    expect(places).toEqual([place]);
    expect(diagnostics[0]?.message).toMatch(message);
  });

  test("in time is stopped, and what it came to is checked", () => {
    const { status, places, diagnostics } = checked({ "main.ts": `${IMPORT}const p = ${kernel("${Number(4)}", "nope")};\nfor (;;);\n` }, { TILEFOUNDRY_EXEC_SECONDS: "2" });
    expect(status).toBe(1);
    expect(places).toEqual(["TF6087", "TF3208 5:12"]);
    expect(diagnostics[0]?.message).toContain("after 2 seconds");
  });

  test("is not begun where TypeScript cannot read it", () => {
    const { places, stderr } = checked({ "main.ts": `console.log("ran");\nconst a = (;\n` });
    expect(places).toEqual(["TF1019 2:12"]);
    expect(stderr).toBe("");
  });
});
