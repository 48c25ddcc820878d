// tf fmt of templates: the same program in one layout, at its own margin, and nothing else of the file is touched.

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { equal } from "@tilefoundry/ir";
import { hasErrors } from "@tilefoundry/text";
import { toModule } from "tilefoundry";
import { describe, expect, test } from "vitest";
import { SAMPLES } from "../../../samples/index.ts";
import { randomBy, seedOf, type Random } from "../../tilefoundry/test/generate-random.ts";
import { damaged } from "../../tilefoundry/test/mutate.ts";
import { formatFiles } from "../src/commands/fmt.ts";
import { checkFile } from "../src/load.ts";
import { formatScript } from "../src/typescript/format.ts";
import { loadScript } from "../src/typescript/load.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const FOLDER = mkdtempSync(join(tmpdir(), "tf-fmt-test-"));
const sampleText = (name: string): string => readFileSync(join(ROOT, "samples", name, `${name}.ts`), "utf8");

const IMPORT = 'import { tf } from "tilefoundry";\nconst n = 4;\n';

let files = 0;
function file(text: string): string {
  const path = join(FOLDER, `file${files++}.ts`);
  writeFileSync(path, text);
  return path;
}

/** The formatted text; undefined where the file has errors. */
function formatted(path: string): string | undefined {
  const { value: script } = loadScript(path);
  const { value, diagnostics } = formatScript(script ?? never());
  return hasErrors(diagnostics) ? undefined : value;
}

/** What stands outside of the templates. */
function around(path: string): readonly string[] {
  const { source, templates } = loadScript(path).value ?? never();
  const ends = templates.map(({ strings }) => [strings[0]?.start ?? 0, strings.at(-1)?.end ?? 0] as const);
  return [...ends.map(([start], i) => source.text.slice(ends[i - 1]?.[1] ?? 0, start)), source.text.slice(ends.at(-1)?.[1] ?? 0)];
}

const never = (): never => {
  throw new Error("the file cannot be read");
};

/** What breaks the laws of formatting, or nothing. */
function breach(text: string): string | undefined {
  const before = file(text);
  const once = formatted(before);
  if (once === undefined) return undefined;
  const after = file(once);
  if (formatted(after) !== once) return `is not idempotent:\n${once}\n---\n${formatted(after)}`;
  if (around(before).join("¦") !== around(after).join("¦")) return `changes what is no template:\n${once}`;
  const [was, is] = [checkFile(before), checkFile(after)];
  const codes = (found: typeof was): string => found.diagnostics.map((d) => d.code).join();
  if (codes(was) !== codes(is)) return `says ${codes(is)}, not ${codes(was)}:\n${once}`;
  const differs = was.programs.some((p, i) => {
    const twin = is.programs[i];
    return twin === undefined || equal(toModule(p), toModule(twin)) !== undefined;
  });
  return differs ? `is another program:\n${once}` : undefined;
}

/** The same program written by someone in a hurry. */
function untidy(text: string, r: Random): string {
  const margin = r.pick(["", "  ", "\t", "      "]);
  const begin = text.indexOf("tf<");
  const [start, end] = [text.indexOf("`", begin) + 1, text.indexOf("\n`", begin)];
  const body = text.slice(start, end).split("\n").map((l) => (l === "" ? l : margin + (r.chance(0.2) ? spaced(l, r) : l) + (r.chance(0.1) ? "   # é \\` \\${x}" : "")));
  const made = `${text.slice(0, start)}${r.chance(0.3) ? "\n" : ""}${body.join(r.chance(0.2) ? "\n\n" : "\n")}\n${r.pick(["", margin])}${text.slice(end + 1)}`;
  return r.chance(0.3) ? made.replaceAll("\n", "\r\n") : made;
}

const spaced = (line: string, r: Random): string => line.replace(/(?<=\S)[,=(] ?(?=[\w$])/g, (op) => (r.chance(0.3) && !line.includes('"') ? `${op}  ` : op));

describe.each(SAMPLES.map((s) => s.name))("the sample %s", (name) => {
  test("is formatted already", () => expect(formatted(join(ROOT, "samples", name, `${name}.ts`))).toBe(sampleText(name)));

  test("written in any way is the same program in one layout", () => {
    const random = randomBy(seedOf(5, name));
    for (let i = 0; i < 8; i++) {
      const text = untidy(sampleText(name), random);
      expect(breach(text), text).toBeUndefined();
      expect(formatted(file(text)), text).toBeDefined();
    }
  });

  test("damaged in any way is left alone, or keeps its meaning", () => {
    for (const text of damaged(sampleText(name), seedOf(6, name), 15)) if (text.trim() !== "") expect(breach(text), text).toBeUndefined();
  });
});

describe("a template", () => {
  const becomes = (before: string, after: string): void => {
    expect(formatted(file(IMPORT + before))).toBe(IMPORT + after);
    expect(breach(IMPORT + before)).toBeUndefined();
  };

  test("stays at the margin of its first statement", () => {
    becomes(
      "function g() {\n\treturn tf`\n\t  # above\n\t@func\n\tdef  f( x:Tensor[(${n},${ n + 1 }),'f32'] ):\n\t  y=x+x #end\n\n\n\t  return (y)\n\t    # last\n\t`;\n}\n",
      "function g() {\n\treturn tf`\n\t# above\n\t@func\n\tdef f(x: Tensor[(${n}, ${ n + 1 }), 'f32']):\n\t    y = x + x  # end\n\n    return y\n\t    # last\n\t`;\n}\n".replace("\n\n    return", "\n\n\t    return"),
    );
  });

  test("may begin behind its backtick and end before it", () => {
    becomes('const p = tf`@func\ndef f(x:Tensor[(4,),"f32"]):\n  return x+x`;\n', 'const p = tf`@func\ndef f(x: Tensor[(4,), "f32"]):\n    return x + x`;\n');
  });

  test("keeps the lines of a string, and of a hole, as they are", () => {
    const doc = '"""Doc \\${n} \\`\n two\n      """';
    becomes(`const p = tf\`\n  @func\n  def f(x:Tensor[(4,),"f32"]):\n    ${doc}\n    return x+\${\n 1.5}\n\`;\n`, `const p = tf\`\n  @func\n  def f(x: Tensor[(4,), "f32"]):\n      ${doc}\n      return (\n          x\n          + \${\n 1.5}\n      )\n\`;\n`);
  });

  test("has lines of the same length as any text, margin included", () => {
    const call = (op: string): string => `tf.${op}(x, tf.add(x, x), tf.sub(x, x), tf.mul(x, x), tf.add(x, x), tf.add(x, x), tf.add(x, x))`;
    const line = (margin: string): string => `const p = tf\`\n${margin}@func\n${margin}def f(x: Tensor[(4,), "f32"]):\n${margin}    return ${call("maximum")}\n\`;\n`;
    expect(formatted(file(IMPORT + line("")))).toBe(IMPORT + line(""));
    expect(formatted(file(IMPORT + line(" ".repeat(24))))).not.toBe(IMPORT + line(" ".repeat(24)));
  });

  test("in a hole of another one is formatted too", () => {
    becomes(
      'const p = tf`\n@func\ndef f(x:Tensor[(4,),"f32"]):\n  return ${tf`\n  @func\n  def h(x:Tensor[(4,),"f32"]):\n   return x+x\n  `}(x)\n`;\n',
      'const p = tf`\n@func\ndef f(x: Tensor[(4,), "f32"]):\n    return ${tf`\n  @func\n  def h(x: Tensor[(4,), "f32"]):\n      return x + x\n  `}(x)\n`;\n',
    );
  });

  test.each(["", " \n", "\n# only a comment\n"])("without a statement stays: %j", (body) => becomes(`const p = tf\`${body}\`;\n`, `const p = tf\`${body}\`;\n`));

  test("is rewritten with --write, after which --check has nothing to say", () => {
    const path = file(`${IMPORT}const p = tf\`\n@func\ndef  f( x:Tensor[(4,),"f32"] ):\n  return x+x\n\`;\n`);
    const wanted = formatted(path);
    expect(formatFiles([path], { check: true, json: true })).toBe(1);
    expect(formatFiles([path], { write: true, json: true })).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(wanted);
    expect(formatFiles([path], { check: true, json: true })).toBe(0);
  });

  test("with a mistake in its syntax leaves the file as it is", () => {
    const path = file(`${IMPORT}const p = tf\`\n@func\ndef  f(:\n\`;\nconst q = tf\`\n@func\ndef  f(x):\n    return  x\n\`;\n`);
    const before = readFileSync(path, "utf8");
    expect(formatted(path)).toBeUndefined();
    expect(formatFiles([path], { write: true, json: true })).toBe(1);
    expect(readFileSync(path, "utf8")).toBe(before);
  });
});
