// Reading sources and writing results. What is written is written whole or not at all.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { diagnostic, type Diagnostic, type Outcome } from "@tilefoundry/text";

const STDIN = "-";

/** Text of a file, or of standard input for `-`; UTF-8 only. */
export function readSource(file: string): Outcome<string | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file === STDIN ? 0 : file);
  } catch (error) {
    return { value: undefined, diagnostics: [diagnostic("TF6022", undefined, { file, reason: reasonOf(error) })] };
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.trim() === "") return { value: undefined, diagnostics: [diagnostic("TF6024", undefined, { file })] };
    return { value: text, diagnostics: [] };
  } catch {
    return { value: undefined, diagnostics: [diagnostic("TF1001", undefined, { file, offset: firstBadByte(bytes) })] };
  }
}

/** Offset of the first byte that is not UTF-8, by bisection over decodable prefixes. */
function firstBadByte(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, middle), { stream: true });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return good;
}

export interface Written {
  readonly path: string;
  readonly contents: string | Uint8Array;
}

/** Writes all files or none: each to a temporary file beside its place first, so that a failure leaves the old files as they were. */
export function writeAll(files: readonly Written[]): readonly Diagnostic[] {
  const staged: { readonly path: string; readonly temporary: string }[] = [];
  for (const [i, { path, contents }] of files.entries()) {
    const temporary = join(dirname(path), `.${process.pid}.${Date.now()}.${i}.tmp`);
    staged.push({ path, temporary });
    try {
      makeFolder(dirname(path));
      writeFileSync(temporary, contents);
    } catch (error) {
      for (const made of staged) remove(made.temporary);
      return [diagnostic("TF6023", undefined, { file: path, reason: reasonOf(error) })];
    }
  }
  return staged.flatMap(({ path, temporary }) => moved(temporary, path) ?? []);
}

/** A folder with those around it. Node's own `recursive` never ends below a folder that lets nobody make one, as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

function moved(temporary: string, path: string): Diagnostic | undefined {
  try {
    renameSync(temporary, path);
    return undefined;
  } catch (error) {
    remove(temporary);
    return diagnostic("TF6023", undefined, { file: path, reason: reasonOf(error) });
  }
}

/** Even `force` throws where a part of the path is a file: then there is nothing to remove. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is not a folder",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left",
  EEXIST: "a file of that name is in the way",
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}
