// tf fmt: canonical form of .tf files, comments and blank lines kept. Prints, or with --write rewrites, or with --check compares.

import { format } from "@tilefoundry/syntax";
import { hasErrors, makeSource, type Diagnostic } from "@tilefoundry/text";
import { EXIT, type Exit } from "../exit.ts";
import { readSource, writeAll } from "../files.ts";
import { diagnosticJson, printDiagnostics, printJson } from "../report.ts";
import { usage } from "../usage.ts";

export interface FmtFlags {
  readonly check?: boolean;
  readonly write?: boolean;
  readonly json?: boolean;
}

interface Formatted {
  readonly file: string;
  readonly changed: boolean;
  readonly text: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function formatFiles(files: readonly string[], flags: FmtFlags): Exit {
  if (flags.check && flags.write) return usage("--check and --write exclude each other");
  const wrong = files.find((f) => f !== "-" && !f.endsWith(".tf"));
  if (wrong !== undefined) return usage(`${wrong} is not a .tf file`);
  const results = files.map((file) => formatOne(file, flags));
  const diagnostics = results.flatMap((r) => r.diagnostics);
  if (flags.json) {
    printJson({ files: results.map((r) => ({ file: r.file, changed: r.changed, ...(flags.check || flags.write ? {} : { text: r.text }), diagnostics: r.diagnostics.map(diagnosticJson) })) });
  } else {
    printDiagnostics(diagnostics);
    for (const r of results) {
      if (flags.check && r.changed) process.stdout.write(`${r.file} is not formatted\n`);
      else if (!flags.check && !flags.write && r.text !== undefined) process.stdout.write(r.text);
    }
  }
  return hasErrors(diagnostics) || (flags.check && results.some((r) => r.changed)) ? EXIT.wrong : EXIT.fine;
}

function formatOne(file: string, flags: FmtFlags): Formatted {
  const read = readSource(file);
  if (read.value === undefined) return { file, changed: false, text: undefined, diagnostics: read.diagnostics };
  const { value: text, diagnostics } = format(makeSource(file, read.value));
  if (hasErrors(diagnostics)) return { file, changed: false, text: undefined, diagnostics };
  const changed = text !== read.value;
  const failures = flags.write && changed && file !== "-" ? writeAll([{ path: file, contents: text }]) : [];
  return { file, changed, text, diagnostics: [...diagnostics, ...failures] };
}
