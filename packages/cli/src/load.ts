// A file of the command line as a checked program.

import { check, checkJson, type CheckResult } from "tilefoundry";
import { diagnostic, type Diagnostic } from "@tilefoundry/text";
import { readSource } from "./files.ts";

/** Endings that this version reads. */
const ENDINGS = [".tf", ".json"];

export function loadProgram(file: string): CheckResult {
  const wrongKind = file === "-" || ENDINGS.some((e) => file.endsWith(e)) ? undefined : notRead(file);
  if (wrongKind !== undefined) return { program: undefined, diagnostics: [wrongKind] };
  const { value: text, diagnostics } = readSource(file);
  if (text === undefined) return { program: undefined, diagnostics };
  const name = file === "-" ? "<stdin>" : file;
  return isJson(file, text) ? checkJson(text, name) : check(text, name);
}

/** From standard input comes what begins like a JSON document. */
const isJson = (file: string, text: string): boolean => (file === "-" ? text.trimStart().startsWith("{") : file.endsWith(".json"));

function notRead(file: string): Diagnostic {
  return diagnostic("TF6022", undefined, { file, reason: "this version reads .tf and .json files" }, { help: "save the kernels in a .tf file" });
}
