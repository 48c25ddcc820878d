// TypeScript's own parser: an optional peer, loaded when the first TypeScript file is read.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type TypeScript from "typescript";

/** Endings of the files in which templates are found. */
const ENDINGS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

export const isScript = (file: string): boolean => ENDINGS.some((e) => file.endsWith(e));

/** Where the command is installed, else where the user stands; undefined where the package is in neither place. */
export function typescriptPath(): string | undefined {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), "file")).href]) {
    try {
      return createRequire(from).resolve("typescript");
    } catch {
      continue;
    }
  }
  return undefined;
}

/** The package at that path. */
export const typescriptAt = (path: string): typeof TypeScript => createRequire(import.meta.url)(path) as typeof TypeScript; // the name fixes the module

/** Undefined where the package is not there, or is of a version that cannot be asked from JavaScript. */
export function loadTypeScript(): typeof TypeScript | undefined {
  const path = typescriptPath();
  const found = path === undefined ? undefined : typescriptAt(path);
  return typeof found?.createProgram === "function" ? found : undefined;
}
