// Templates in TypeScript files: which are found, what their holes are, where their mistakes are shown, and which one is meant.

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { equal } from "@tilefoundry/ir";
import { inFile, position, renderDiagnostics, type Diagnostic } from "@tilefoundry/text";
import { check, dataOf, print, toModule } from "tilefoundry";
import { beforeAll, describe, expect, test } from "vitest";
import { SAMPLES } from "../../../samples/index.ts";
import { randomBy, seedOf, type Random } from "../../tilefoundry/test/generate-random.ts";
import { damaged } from "../../tilefoundry/test/mutate.ts";
import { checkFile, loadProgram } from "../src/load.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const FOLDER = mkdtempSync(join(tmpdir(), "tf-ts-test-"));
const sampleText = (name: string, ending: string): string => readFileSync(join(ROOT, "samples", name, `${name}.${ending}`), "utf8");

let files = 0;
function file(text: string, ending = "ts"): string {
  const path = join(FOLDER, `file${files++}.${ending}`);
  writeFileSync(path, text);
  return path;
}

const said = (diagnostics: readonly Diagnostic[]): readonly string[] => diagnostics.map((d) => d.code);

/** `code line:column`, as the command reports it. */
function places(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ code, span }) => {
    const at = span === undefined ? undefined : position(span.source, span.start);
    return `${code} ${at?.line}:${at?.column}`;
  });
}

const IMPORT = 'import { tf } from "tilefoundry";\n';
const KERNEL = '\n@func\ndef f(x: Tensor[(4,), "f32"]):\n    return x + x\n';
/** One wrong op, at line 4 of the template. */
const WRONG = "\n@func\ndef f(x: Tensor[(4,), \"f32\"]):\n    return tf.raul(x)\n";

describe.each(SAMPLES.map(({ name, program }) => ({ name, program })))("the sample $name", ({ name, program }) => {
  test("is one right program, the same as its .tf file and as when it is run", () => {
    const path = join(ROOT, "samples", name, `${name}.ts`);
    expect(checkFile(path)).toMatchObject({ programs: [expect.anything()], diagnostics: [] });
    const [read, twin] = [loadProgram(path), check(sampleText(name, "tf"), `${name}.tf`)].map((found) => found.program ?? never());
    expect(read && print(read)).toBe(print(program));
    expect(read && equal(toModule(read), toModule(program))).toBeUndefined();
    expect(read && twin && equal(toModule(read), toModule(twin))).toBeUndefined();
  });
});

describe("a template", () => {
  const finds = (before: string, tag: string, ending = "ts"): readonly string[] => said(checkFile(file(`${before}\n${tag}\`${WRONG}\`;\n`, ending)).diagnostics);

  test.each([
    ["of tf", 'import { tf } from "tilefoundry";', "tf"],
    ["of tf with named members", 'import { tf } from "tilefoundry";', 'tf<"f">'],
    ["of tf under another name", 'import { array, tf as kernel } from "tilefoundry";', "kernel"],
    ["of a namespace", 'import * as door from "tilefoundry";', "door.tf"],
    ["of an alias", 'import { tf } from "tilefoundry"; const k = tf, l = k;', "l"],
    ["of what is imported later", 'const { tf: t } = await import("tilefoundry");', "t"],
    ["of what is required", 'const t = require("tilefoundry");', "t.tf"],
    ["in parentheses", 'import { tf } from "tilefoundry";', "(tf)"],
  ])("%s is found", (_title, before, tag) => expect(finds(before, tag)).toEqual(["TF3208"]));

  test.each([
    ["of another package", 'import { tf } from "tensorflow";', "tf"],
    ["of a local function", 'import { tf } from "tilefoundry"; { const tf = String.raw;', "} { const tf = (s: unknown) => s; tf"],
    ["of another export", 'import { array as tf } from "tilefoundry";', "tf"],
    ["that nothing defines", "", "tf"],
  ])("%s is none of ours", (_title, before, tag) => expect(finds(before, `${tag}`).filter((c) => c.startsWith("TF3"))).toEqual([]));

  test("is found wherever an expression may stand, in every kind of file", () => {
    const nested = `export class K { static a = tf\`${WRONG}\`; m(this: K) { return [() => tf\`${WRONG}\`]; } }\nfunction g() { if (1 < 2) return { p: tf\`${WRONG}\` }; }\n`;
    expect(said(checkFile(file(`${IMPORT}${nested}`)).diagnostics)).toEqual(["TF3208", "TF3208", "TF3208"]);
    for (const ending of ["mts", "cts", "js", "mjs"]) expect(finds(IMPORT, "tf", ending)).toEqual(["TF3208"]);
    expect(finds(`${IMPORT}const e = <b>{tf\`${KERNEL}\`}</b>;`, "tf", "tsx")).toEqual(["TF3208"]);
  });

  test.each([1000, 1500, 2000, 2200, 2500, 3000, 20000])("beside a sum of %d terms is read, or said to be in what is nested too deeply", (terms) => {
    const { diagnostics } = checkFile(file(`${IMPORT}const n = ${"1 + ".repeat(terms)}1;\nexport const p = tf\`\n@func\ndef f(x: Tensor[(\${n},), "f32"]):\n    return x\n\`;\n`));
    expect([[], ["TF6080"], ["TF1019"]]).toContainEqual(said(diagnostics));
  });

  test("that ends behind a syntax error of the TypeScript is not looked at; the error stands in its place", () => {
    const path = file(`${IMPORT}const a = tf\`${WRONG}\`;\nconst c = (3;\nconst b = tf\`${WRONG}\`;\n`);
    expect(places(checkFile(path).diagnostics)).toEqual(["TF1019 7:13", "TF3208 5:12"]);
  });
});

describe("a mistake", () => {
  /** Line and column of the mark, counted as an editor does, and the text without it. */
  function marked(text: string): { readonly text: string; readonly place: string } {
    const [before = "", after = ""] = text.split("«");
    const lines = before.replace(/^\uFEFF/, "").split(/\r\n|\n/);
    return { text: before + after, place: `${lines.length}:${[...(lines.at(-1) ?? "")].length + 1}` };
  }

  const LINES: readonly ((r: Random) => string)[] = [
    (r) => `note = ("${filler(r)}", pl.«FP33)`,
    (r) => `note = (${hole(r)}, "${filler(r)}", ${hole(r)}, pl.«FP33)`,
    () => "@func\ndef g(x: Tensor[(${rows}, ${cfg.cols}), \"f32\"]):\n    return x + «tf.nope(x)",
    (r) => `@prim_func\ndef g(y: Out[Tensor[(\${rows},), "f32"]]):\n    for i in T.range(${hole(r)}):\n        pl.write(y, (i,), ${hole(r)} + «pl.raed(y, (i,)))`,
  ];
  const filler = (r: Random): string => Array.from({ length: r.below(5) }, () => r.pick(["a", "\\`", "\\${", "日", "😀", "$", " ", "\\\\"])).join("");
  const hole = (r: Random): string => `\${${r.pick(["rows", "cfg.cols", "rows * 2", "-(-rows)", "/* } ` */ rows", "{ a: rows }.a", "rows\n + 1", "[`}`.length][0]"])}}`;

  function randomFile(r: Random): string {
    const indent = r.pick(["", "  ", "\t"]);
    const lines = [...Array.from({ length: r.below(3) }, () => `# ${filler(r)}`), ...r.pick(LINES)(r).split("\n").map((l) => l), "@func", "def f(x: Tensor[(4,), \"f32\"]):", "    return x + x"];
    // lines inside a hole are the TypeScript's: only the template's own are indented
    const body = lines.map((l, i) => (l.startsWith(" + 1}") || lines[i - 1]?.endsWith("${rows") === true ? l : indent + l)).join("\n");
    const head = r.pick(["", "\uFEFF", "// 日本 😀\n"]) + IMPORT + "const rows = 4, cfg = { cols: 8 } as const;\n";
    const text = `${head}${r.pick(["export const p = ", "const 名 = /* 😀 */ ", "\tf("])}tf\`${r.pick(["\n", "\n\n", ""])}${body}\n\``;
    const whole = text.includes("\tf(tf") ? `${text});\nfunction f(p: unknown) { return p; }\n` : `${text};\n`;
    return r.chance(0.3) ? whole.replaceAll("\n", "\r\n") : whole;
  }

  test("stands at its line and column of the file, behind holes, escapes, wide characters, tabs, CRLF and a byte order mark", () => {
    const random = randomBy(1207);
    for (let i = 0; i < 300; i++) {
      const { text, place } = marked(randomFile(random));
      const found = places(checkFile(file(text)).diagnostics).filter((p) => !p.startsWith("TF6080"));
      expect(found.map((p) => p.split(" ")[1]), text).toEqual([place]);
    }
  });

  test.each(SAMPLES.map((s) => s.name))("in the sample %s stands where it is made", (name) => {
    const text = sampleText(name, "ts");
    const begin = text.indexOf("tf<");
    const ops = [...text.matchAll(/\b(?:pl|tf|T)\.(?!range|parallel|nest|FP|INT|Tensor|Out|InOut|function|program|at|spmd|Level|CORE|sync)[a-z_]+(?=\()/g)].filter((m) => m.index > begin && m.index < text.indexOf("\n`"));
    for (const { 0: op, index } of ops.slice(0, 12)) {
      const { text: wrong, place } = marked(`${text.slice(0, index)}«${op}_q${text.slice(index + op.length)}`);
      expect(places(checkFile(file(wrong)).diagnostics)).toContain(`TF3208 ${place}`);
    }
  });

  test.each(SAMPLES.map((s) => s.name))("in a damaged file points into it, and nothing throws: %s", (name) => {
    for (const text of damaged(sampleText(name, "ts"), seedOf(3, name), 12)) {
      const path = file(text);
      for (const { span } of [...checkFile(path).diagnostics, ...loadProgram(path).diagnostics]) {
        const at = span === undefined ? { start: 0, end: 0 } : inFile(span);
        expect(at.start >= 0 && at.start <= at.end && at.end <= text.length, text).toBe(true);
      }
    }
  });

  test("is shown in the lines of the file, and so is what mends it", () => {
    const path = file(`${IMPORT}const n = 4;\nexport const p = tf\`@func\ndef f(x: Tensor[(\${n},), "f32"]):\n    return tf.rleu(x + \${1.5})\n\`;\n`);
    expect(renderDiagnostics(checkFile(path).diagnostics).replaceAll(path, "file.ts")).toBe(
      [
        "error[TF3208]: `tf.rleu` is not an op of `tf`",
        " --> file.ts:5:12",
        "  |",
        "5 |     return tf.rleu(x + ${1.5})",
        "  |            ^^^^^^^",
        "  |",
        "  = help: did you mean `tf.relu`?",
        "  = fix: write `tf.relu`",
        "  |",
        "5 |     return tf.relu(x + ${1.5})",
        "  |            ~~~~~~~",
      ].join("\n"),
    );
  });
});

describe("a hole", () => {
  /** Extent and dtype of the parameter that the hole is in, or the codes of what is wrong. */
  function typed(before: string, shape: string): string {
    const path = file(`import { tf, dtype, DimVar } from "tilefoundry";\nimport { far } from "./far.ts";\n${before}\nexport const p = tf\`\n@func\ndef f(x: Tensor[${shape}, "f32"]):\n    return x + x\n\`;\n`);
    const { programs: [program], diagnostics } = checkFile(path);
    return diagnostics.length > 0 || program === undefined ? said(diagnostics).join(" ") : (/x: Tensor\[(.*?), "f32"\]/.exec(print(program))?.[1] ?? "");
  }

  test.each([
    ["a literal", "", "(${4},)", "(4,)"],
    ["a bigint", "", "(${4n},)", "(4,)"],
    ["a constant", "const n = 4;", "(${n},)", "(4,)"],
    ["arithmetic", "const n = 2 ** 3, m = (n + 1) * 2 % 7;", "(${n}, ${m - -1}, ${n >> 1})", "(8, 5, 4)"],
    ["bigint arithmetic", "const n = 2n ** 3n;", "(${-n + 12n},)", "(4,)"],
    ["a record", "const cfg = { hidden: 4, inner: { cols: [8, 9] } };", '(${cfg.hidden}, ${cfg["inner"].cols[1]})', "(4, 9)"],
    ["a record with shorthand, spread and a computed key", 'const n = 4, a = { n }, b = { ...a, ["m" + 1]: 5 };', "(${b.n}, ${b.m1})", "(4, 5)"],
    ["an array as a shape", "const s = [4, 5] as const;", "${s}", "(4, 5)"],
    ["a spread, a length", "const s = [4, 5]; const t = [...s, s.length];", "${t}", "(4, 5, 2)"],
    ["what is taken apart", "const { a, b: [, c], d = 7 } = { a: 4, b: [5, 6] } as { a: number; b: number[]; d?: number };", "(${a}, ${c}, ${d})", "(4, 6, 7)"],
    ["assertions", "const n = (4 satisfies number)!;", "(${n as 4},)", "(4,)"],
    ["a choice", "const big = true; const n = big ? 8 : 4;", "(${n}, ${big && 3}, ${null ?? 2})", "(8, 3, 2)"],
    ["an enum", "enum E { A = 4, B, C = A * 2 }", "(${E.B},)", "(5,)"],
    ["a variable that is never assigned again", "let n = 4;", "(${n},)", "(4,)"],
    ["functions of Math, conversions", "const n = 10;", '(${Math.ceil(n / 4)}, ${Number("7")}, ${Object.freeze([9])[0]})', "(3, 7, 9)"],
    ["an extent", "", '(${DimVar("M", 1, 100)}, 4)', "(M, 4)"],
    ["a shadowed name", "const n = 4; { const n = 5; void n; }", "(${n},)", "(4,)"],
    // known, and no value for the kernel
    ["a text", "", '(${"4"},)', "TF2006"],
    ["undefined", "const cfg: { n?: number } = {};", "(${cfg.n},)", "TF2006"],
    ["null", "", "(${null},)", "TF2006"],
    ["a record itself", "const cfg = { n: 4 };", "(${cfg},)", "TF2006"],
    // not known
    ["an import", "", "(${far},)", "TF6080"],
    ["a variable that is assigned again", "let n = 4; n = 5;", "(${n},)", "TF6080"],
    ["a record that is changed", "const cfg = { n: 4 }; cfg.n++;", "(${cfg.n},)", "TF6080"],
    ["an array that grows", "const s = [4]; s.push(5);", "${s}", "TF6080"],
    ["what needs itself", "const n: number = m, m: number = n;", "(${n},)", "TF6080"],
    ["a call", "const n = Number(process.argv[2]);", "(${n}, ${Math.random()})", "TF6080"],
    ["what throws", "const n = 4n;", "(${n + 1},)", "TF6080"],
    ["what never ends", "const n = 2n ** 100000000n;", "(${n},)", "TF6080"],
  ])("is %s", (_title, before, shape, expected) => expect(typed(before, shape)).toBe(expected));

  test("is a dtype", () => {
    const path = file('import { tf, dtype } from "tilefoundry";\nconst bits = 64;\nexport const p = tf`\n@func\ndef f(x: Tensor[(4,), ${dtype(`f${bits}`)}]):\n    return x + x\n`;\n');
    expect(print(loadProgram(path).program ?? never())).toContain('"f64"');
  });

  test("is a program of the same file, above or below", () => {
    const path = file(`${IMPORT}const outer = tf\`\n@func\ndef g(x: Tensor[(4,), "f32"]):\n    return \${inner}(x)\n\`;\nconst inner = tf\`${KERNEL}\`;\n`);
    expect(print(loadProgram(path, "outer").program ?? never())).toContain("return f(x)");
  });

  test("is a wrong program of the same file: said once", () => {
    const path = file(`${IMPORT}const inner = tf\`${WRONG}\`;\nconst outer = tf\`\n@func\ndef g(x: Tensor[(4,), "f32"]):\n    return \${inner}(x)\n\`;\n`);
    expect(said(checkFile(path).diagnostics)).toEqual(["TF3208", "TF6080"]);
  });
});

const never = (): never => {
  throw new Error("there is no program");
};

describe("holes that only running the file tells", () => {
  const around = (body: string): string => `${IMPORT}export function make(rows: number, cols: number, name: string, type: never) {\n  return tf\`${body}\`;\n}\n`;

  test.each([
    ["extents that may be equal", '@func\ndef f(x: Tensor[(${rows},), "f32"], y: Tensor[(${cols},), "f32"]):\n    return x + y\n'],
    ["an extent that may be a literal one", '@func\ndef f(x: Tensor[(${rows},), "f32"], y: Tensor[(4,), "f32"]):\n    return x + y\n'],
    ["an extent that no parameter is alone", '@func\ndef f(x: Tensor[(${rows} * 2,), "f32"]):\n    return x + x\n'],
    ["a tile of that size", '@prim_func\ndef f(x: Tensor[(4, ${cols}), "f32"], y: Out[Tensor[(4, ${cols}), "f32"]]):\n    for r in T.range(4):\n        t = pl.load(x, [r, 0], [1, ${cols}])\n        u = pl.load(x, [r, 0], [1, ${cols}])\n        pl.store(pl.add(pl.exp(t), pl.exp(u)), [r, 0], y)\n'],
    ["a number", '@prim_func\ndef f(x: Tensor[(${rows},), "f32"], y: Out[Tensor[(${rows},), "f32"]]):\n    for i in T.range(${rows}):\n        k = ${rows}\n        pl.write(y, (i,), pl.read(x, (i,)) * k / ${rows})\n'],
    ["a bound that may be 0", '@prim_func\ndef f(x: Tensor[(4,), "f32"], y: Out[Tensor[(4,), "f32"]]):\n    for i in T.range(${rows}):\n        a = pl.read(x, (i,))\n    pl.write(y, (0,), a)\n'],
    ["a whole shape, a dtype", '@func\ndef f(x: Tensor[${rows}, "f32"], y: Tensor[(4,), ${type}]):\n    return x + y\n'],
    ["a callee", '@func\ndef f(x: Tensor[(4,), "f32"]):\n    return ${make}(x) + ${type}.g(x)\n'],
    ["what is written", '@prim_func\ndef f(x: Tensor[(4,), "f32"], y: Out[Tensor[(4,), "f32"]]):\n    pl.store(pl.load(x, [0], [${rows}]), [0], y)\n'],
    ["an attribute", '@prim_func(target=${name})\ndef f(x: InOut[Tensor[(${rows},), "f32"]]):\n    for i in T.unroll(${rows}):\n        pl.write(x, (i,), T.const(1, ${type}))\n'],
    ["a condition", '@prim_func\ndef f(x: InOut[Tensor[(4,), "f32"]]):\n    if ${rows} > 3:\n        a = 1.0\n    else:\n        a = 2.0\n    pl.write(x, (0,), a if ${cols} else 0.0)\n'],
    ["a mesh", '@module(entry="f", topologies=(Topology("cta", ${rows}),))\nclass M:\n    @prim_func\n    def f(x: InOut[Tensor[(${rows},), "f32"]]):\n        with Mesh(("cta",), layout=(${rows},), names=("r",)) as m:\n            pl.write(x, (m.r,), 1.0)\n'],
    ["a child", '@module(entry="f")\nclass M:\n    a = ${make}\n    @func\n    def f(x: Tensor[(4,), "f32"]):\n        return a(x)\n'],
  ])("bring no errors of their own: %s", (_title, body) => expect(said(checkFile(file(around(`\n${body}`))).diagnostics)).toEqual(["TF6080"]));

  test.each(SAMPLES.map((s) => s.name))("bring none wherever a literal of the sample %s stands", (name) => {
    const text = sampleText(name, "tf").replace(/#.*$/gm, "");
    for (let seed = 0; seed < 12; seed++) {
      const random = randomBy(seedOf(seed, name));
      const [share, alike] = [random.pick([0.1, 0.3, 1]), random.chance(0.5)];
      let holes = 0;
      const hole = (word: string): string => (random.chance(share) ? `\${u.${alike ? `v${word.replace(/\W/g, "_")}` : `h${holes++}`}}` : word);
      const made = text.replace(/(?<![\w."]|e-)(\d+(\.\d+)?|"f32"|"i32"|pl\.FP32|"wasm"|"cpu"|True|False)(?![\w"])/g, hole);
      const { diagnostics } = checkFile(file(`${IMPORT}import { u } from "./u.ts";\nexport const p = tf\`${made}\`;\n`));
      expect(said(diagnostics).filter((code) => code !== "TF6080"), made).toEqual([]);
    }
  });

  test("leave the other mistakes to be found", () => {
    const body = '\n@prim_func\ndef f(x: Tensor[(${rows}, ${cols}), "f32"], y: Out[Tensor[(${rows},), "f32"]]):\n    for i in T.range(${rows}):\n        pl.write(y, (i,), pl.raed(x, (i, 0)))\n        pl.write(y, (i,), nope)\n    pl.write(y, (0, 0), 1.0)\n    return\n    pl.write(y, (0,))\n';
    expect(said(checkFile(file(around(body))).diagnostics)).toEqual(expect.arrayContaining(["TF3208", "TF2001", "TF6080"]));
  });

  test("are noted once a file, by name", () => {
    const { diagnostics } = checkFile(file(around('\n@func\ndef f(x: Tensor[(${rows}, ${cols}), "f32"]):\n    return x + x\n').repeat(2).replace(IMPORT, "").replace(/^/, "")));
    expect(diagnostics.map((d) => `${d.code} ${d.message}`)).toEqual(["TF6080 known only when the file runs: `${rows}`, `${cols}`"]);
  });

  test("are no program to print, build or run", () => {
    const path = file(around('\n@func\ndef f(x: Tensor[(${rows},), "f32"]):\n    return x + x\n'));
    expect(loadProgram(path)).toMatchObject({ program: undefined, diagnostics: [{ code: "TF6081" }] });
  });
});

describe("the program that is meant", () => {
  const two = file(`${IMPORT}export const first = tf\`${KERNEL}\`;\nexport const second = tf\`${KERNEL.replace("def f", "def g")}${KERNEL.replace("def f", "def h")}\`;\nexport const third = tf\`${KERNEL.replace("def f", "def h")}\`;\n`);
  const picked = (entry?: string): string => {
    const { program, entry: named, diagnostics } = loadProgram(two, entry);
    return program === undefined ? diagnostics.map((d) => `${d.code} ${d.help}`).join() : `${dataOf(program).module.functions.map((f) => f.name).join()} ${named ?? "its own"}`;
  };

  test("is named by its variable, by a function, or by both", () => {
    expect(picked("first")).toBe("f its own");
    expect(picked("f")).toBe("f f");
    expect(picked("g")).toBe("g,h g");
    expect(picked("second.h")).toBe("g,h h");
    expect(picked("third.h")).toBe("h h");
  });

  test("is named by what it is assigned to, too", () => {
    const path = file(`const t = require("tilefoundry");\nexports.first = t.tf\`${KERNEL}\`;\nlet second;\nsecond = (t.tf\`${KERNEL}\`);\nmodule.exports = { third: t.tf\`${KERNEL}\` };\n`, "cjs");
    expect(loadProgram(path).diagnostics[0]?.help).toContain(": first, second, third");
  });

  test("is asked for by name where there are several", () => {
    expect(picked()).toBe("TF6083 name one, or a function of one, with `--entry`: first, second.g, second.h, third");
    expect(picked("h")).toBe("TF6083 name one, or a function of one, with `--entry`: second.g, second.h, third");
    expect(picked("nope")).toBe("TF6085 its functions: first, second.g, second.h, third");
  });

  test("is there at all", () => {
    expect(said(loadProgram(file("export const n = 4;\n")).diagnostics)).toEqual(["TF6084"]);
    expect(checkFile(file("export const n = 4;\n"))).toEqual({ programs: [], diagnostics: [] });
  });
});

describe("the command", () => {
  beforeAll(() => {
    execFileSync(process.execPath, [join(ROOT, "scripts", "bootstrap.mjs"), "build"], { cwd: ROOT });
  });

  const run = (args: readonly string[], bundle = join(ROOT, "dist", "tf", "main.cjs")) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bundle, ...args], { cwd: FOLDER, encoding: "utf8" });
    return { status, out: stdout, err: stderr };
  };

  test("checks, prints, builds, runs and compares templates", () => {
    const sample = join(ROOT, "samples", "mlp", "mlp");
    expect(run(["check", `${sample}.ts`])).toEqual({ status: 0, out: "", err: "" });
    expect(run(["print", `${sample}.ts`, "--stage", "ssa"]).out).toContain("add = tf.add(matmul, bias)");
    expect(run(["build", `${sample}.ts`, "--target", "cpu"]).out).toContain("int forward(");
    expect(run(["run", `${sample}.ts`, "--dim", "N=3", "--json"])).toMatchObject({ status: 0, err: "" });
    expect(run(["diff", `${sample}.ts`, `${sample}.tf`])).toMatchObject({ status: 0, out: "the programs are equal\n" });
  });

  test("lists the functions of all templates as JSON, each mistake in its place", () => {
    const path = file(`${IMPORT}export const a = tf\`${KERNEL}\`, b = tf\`${WRONG}\`, c = tf\`${KERNEL.replace("def f", "def h")}\`;\n`);
    const { status, out } = run(["check", path, "--json"]);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ files: [{ file: path, functions: [{ name: "f" }, { name: "h" }], diagnostics: [{ code: "TF3208", file: path, line: 9, column: 12, fixes: [] }] }] });
  });

  test("without TypeScript says what to install, and goes without it for .tf files; 3", () => {
    const alone = join(FOLDER, "alone.cjs");
    copyFileSync(join(ROOT, "dist", "tf", "main.cjs"), alone);
    expect(run(["check", file(IMPORT)], alone)).toMatchObject({ status: 3, err: expect.stringMatching(/TF6082[^]*npm i typescript/) as string });
    expect(run(["check", join(ROOT, "samples", "mlp", "mlp.tf")], alone).status).toBe(0);
  });
});
