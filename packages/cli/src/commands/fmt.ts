// tf fmt: canonical form of .tf files, of the templates in .ts files and, if asked for, of the kernels in .py files; comments and blank lines
// kept. Prints, or with --write rewrites, or with --check compares.

import { format, formatKernels } from "@tilefoundry/syntax";
import { hasErrors, makeSource, type Diagnostic, type Outcome } from "@tilefoundry/text";
import { EXIT, exitOf, type Exit } from "../exit.ts";
import { readSource, writeAll } from "../files.ts";
import { diagnosticJson, printDiagnostics, printJson } from "../report.ts";
import { formatScript } from "../typescript/format.ts";
import { loadScript } from "../typescript/load.ts";
import { isScript } from "../typescript/package.ts";
import { usage } from "../usage.ts";

export interface FmtFlags {
  /** Python files too: they may have a formatter of their own. */
  readonly py?: boolean;
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
  const wrong = files.find((f) => f !== "-" && !f.endsWith(".tf") && !isScript(f) && !(flags.py && isPython(f)));
  if (wrong !== undefined) return usage(isPython(wrong) ? `${wrong} is a Python file: with --py its kernels are formatted` : `${wrong} is neither a .tf nor a .ts file`);
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
  if (hasErrors(diagnostics)) return exitOf(diagnostics);
  return flags.check && results.some((r) => r.changed) ? EXIT.wrong : EXIT.fine;
}

function formatOne(file: string, flags: FmtFlags): Formatted {
  const { value, diagnostics } = isScript(file) ? scriptTexts(file) : textTexts(file);
  if (value === undefined || hasErrors(diagnostics)) return { file, changed: false, text: undefined, diagnostics };
  const changed = value.after !== value.before;
  const failures = flags.write && changed && file !== "-" ? writeAll([{ path: file, contents: value.after }]) : [];
  return { file, changed, text: value.after, diagnostics: [...diagnostics, ...failures] };
}

const isPython = (file: string): boolean => file.endsWith(".py");

interface Texts {
  readonly before: string;
  readonly after: string;
}

function textTexts(file: string): Outcome<Texts | undefined> {
  const { value: before, diagnostics: unread } = readSource(file);
  if (before === undefined) return { value: undefined, diagnostics: unread };
  const source = makeSource(file, before);
  const { value: after, diagnostics } = isPython(file) ? formatKernels(source) : format(source);
  return { value: { before, after }, diagnostics };
}

function scriptTexts(file: string): Outcome<Texts | undefined> {
  const { value: script, diagnostics: unread } = loadScript(file);
  if (script === undefined) return { value: undefined, diagnostics: unread };
  const { value: after, diagnostics } = formatScript(script);
  return { value: { before: script.source.text, after }, diagnostics };
}
