// The tree is the architecture: no import goes round, no package reaches into another's insides, no Node module below the edges, and none of
// the escape hatches that the project does without.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGES = ["grammar", ...readdirSync(join(ROOT, "packages")).map((p) => join("packages", p))];

function sources(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? sources(path) : name.endsWith(".ts") ? [path] : [];
  });
}

const FILES = PACKAGES.flatMap((p) => sources(join(ROOT, p, "src")));
const TEXTS = new Map(FILES.map((f) => [f, readFileSync(f, "utf8")]));

/** Paths that a file imports, types included. */
function imports(file: string): readonly string[] {
  return [...(TEXTS.get(file) ?? "").matchAll(/^(?:import|export)[^;]*?from "([^"]+)";/gm)].map((m) => m[1] ?? "");
}

/** A chain of imports that comes back to where it began. */
function cycle(): readonly string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): readonly string[] | undefined => {
    const at = path.indexOf(file);
    if (at >= 0) return [...path.slice(at), file].map((f) => relative(ROOT, f));
    if (done.has(file)) return undefined;
    path.push(file);
    for (const target of imports(file)) {
      const found = target.startsWith(".") ? visit(resolve(dirname(file), target)) : undefined;
      if (found !== undefined) return found;
    }
    path.pop();
    done.add(file);
    return undefined;
  };
  for (const file of FILES) {
    const found = visit(file);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Files whose text has what a pattern finds. */
const having = (pattern: RegExp, files = FILES): readonly string[] => files.filter((f) => pattern.test(withoutComments(TEXTS.get(f) ?? ""))).map((f) => relative(ROOT, f));

const withoutComments = (text: string): string => text.replace(/\/\/.*$/gm, "").replace(/\/\*[^]*?\*\//g, "");

test("no import goes round, types included", () => {
  expect(cycle()).toBeUndefined();
});

test("a relative import stays in its package", () => {
  const leaving = FILES.filter((f) => imports(f).some((i) => i.startsWith(".") && relative(packageOf(f), resolve(dirname(f), i)).startsWith("..")));
  expect(leaving.map((f) => relative(ROOT, f))).toEqual([]);
});

function packageOf(file: string): string {
  return PACKAGES.map((p) => join(ROOT, p)).find((p) => file.startsWith(`${p}/`)) ?? ROOT;
}

test("Node's modules are imported by the command line only", () => {
  const below = FILES.filter((f) => !f.includes("/packages/cli/"));
  expect(having(/^import (?!type)[^;]*from "node:/m, below)).toEqual([]);
});

test("there is no `any`, no `export *`, no default export and no enum", () => {
  expect(having(/:\s*any\b|<any>|\bas any\b/)).toEqual([]);
  expect(having(/^export \*/m).filter((f) => f !== "grammar/src/tokens.ts")).toEqual([]);
  expect(having(/^export default/m)).toEqual([]);
  expect(having(/^(export )?(const )?enum \w/m)).toEqual([]);
});

test("no file is called utils, helpers, common or misc", () => {
  expect(FILES.filter((f) => /\/(utils|helpers|common|misc)\.ts$/.test(f)).map((f) => relative(ROOT, f))).toEqual([]);
});
