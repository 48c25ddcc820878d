// A file of the command line as a checked program.

import { check, type CheckResult } from "tilefoundry";
import { diagnostic, type Diagnostic } from "@tilefoundry/text";
import { readSource } from "./files.ts";

/** Endings that this version reads. */
const ENDINGS = [".tf"];

export function loadProgram(file: string): CheckResult {
  const wrongKind = file === "-" || ENDINGS.some((e) => file.endsWith(e)) ? undefined : notRead(file);
  if (wrongKind !== undefined) return { program: undefined, diagnostics: [wrongKind] };
  const { value: text, diagnostics } = readSource(file);
  return text === undefined ? { program: undefined, diagnostics } : check(text, file === "-" ? "<stdin>" : file);
}

function notRead(file: string): Diagnostic {
  return diagnostic("TF6022", undefined, { file, reason: "this version reads .tf files" }, { help: "save the kernels in a .tf file" });
}
