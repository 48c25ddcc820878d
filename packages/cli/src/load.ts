// A file of the command line as checked programs: one, or in a TypeScript file one a template.

import { check, checkJson, type AnyProgram, type CheckResult } from "tilefoundry";
import { diagnostic, type Diagnostic } from "@tilefoundry/text";
import { existsSync, statSync } from "node:fs";
import { readSource } from "./files.ts";
import { openReading, type Reading } from "./reading.ts";
import { checkScript, pickProgram } from "./typescript/load.ts";
import { isScript } from "./typescript/package.ts";

/** Endings of files that are one program. */
const ENDINGS = [".tf", ".py", ".json"];

export interface Loaded extends CheckResult {
  /** The function of the program that `--entry` names. */
  readonly entry: string | undefined;
}

/** The only program of a file, or the one that `entry` names. */
export function loadProgram(file: string, entry?: string, reading = openReading({})): Loaded {
  return isScript(file) ? pickProgram(file, entry) : { ...soleProgram(file, reading), entry };
}

export interface CheckedFile {
  /** Those without errors. */
  readonly programs: readonly AnyProgram[];
  readonly diagnostics: readonly Diagnostic[];
}

/** All programs of a file. A TypeScript file is run with `exec`. */
export function checkFile(file: string, exec = false, reading = openReading({})): CheckedFile {
  if (isScript(file)) return checkScript(file, exec);
  const { program, diagnostics } = soleProgram(file, reading);
  return { programs: program === undefined ? [] : [program], diagnostics };
}

function soleProgram(file: string, { library, bindings, diagnostics: wrong }: Reading): CheckResult {
  if (wrong.length > 0) return { program: undefined, diagnostics: wrong };
  const wrongKind = file === "-" || ENDINGS.some((e) => file.endsWith(e)) ? undefined : notRead(file);
  if (wrongKind !== undefined) return { program: undefined, diagnostics: [wrongKind] };
  const { value: text, diagnostics } = readSource(file);
  if (text === undefined) return { program: undefined, diagnostics };
  const name = file === "-" ? "<stdin>" : file;
  return isJson(file, text) ? checkJson(text, name) : check(text, name, { library, bindings });
}

/** From standard input comes what begins like a JSON document. */
const isJson = (file: string, text: string): boolean => (file === "-" ? text.trimStart().startsWith("{") : file.endsWith(".json"));

function notRead(file: string): Diagnostic {
  if (existsSync(file) && statSync(file).isDirectory()) return diagnostic("TF6022", undefined, { file, reason: "it is a folder" }, { help: `name the files in it, as in ${file.replace(/\/$/, "")}/*.tf` });
  return diagnostic("TF6022", undefined, { file, reason: "this version reads .tf, .py, .ts and .json files" }, { help: "save the kernels in a .tf file" });
}
