// tf print: the program's canonical text after a stage or a pass.

import { PASSES } from "@tilefoundry/passes";
import { STAGES } from "@tilefoundry/ir";
import { dataOf, lower, moduleJson, moduleText, resolveTarget } from "tilefoundry";
import { hasErrors } from "@tilefoundry/text";
import { EXIT, exitOf, type Exit } from "../exit.ts";
import { loadProgram } from "../load.ts";
import { openReading, type ReadingFlags } from "../reading.ts";
import { diagnosticJson, printDiagnostics, printJson } from "../report.ts";
import { orNearest, usage } from "../usage.ts";

export interface PrintFlags extends ReadingFlags {
  readonly stage?: string;
  readonly entry?: string;
  readonly target?: string;
  readonly json?: boolean;
}

export function printFile(file: string, flags: PrintFlags): Exit {
  if (flags.stage === "list") return listStages(flags.json ?? false);
  const names: readonly string[] = [...STAGES, ...PASSES.map((p) => p.name)];
  const stage = flags.stage ?? "parsed";
  if (!names.includes(stage)) return usage(`no stage or pass is called ${stage}${orNearest(stage, names)}; tf print --stage list shows them`);
  const { program, diagnostics } = loadProgram(file, flags.entry, openReading(flags));
  if (program === undefined) return fail(diagnostics, flags.json ?? false);
  const { module } = dataOf(program);
  const target = resolveTarget(flags.target ?? module.functions.find((f) => f.target !== undefined)?.target);
  if (target.value === undefined) return fail(target.diagnostics, flags.json ?? false);
  const lowered = lower(module, stage as Parameters<typeof lower>[1], target.value.device); // checked above
  if (hasErrors(lowered.diagnostics)) return fail(lowered.diagnostics, flags.json ?? false);
  const text = moduleText(lowered.value);
  if (flags.json) printJson({ file, stage, text, diagnostics: diagnostics.map(diagnosticJson) }, { module: moduleJson(lowered.value) });
  else {
    printDiagnostics(diagnostics);
    process.stdout.write(text);
  }
  return EXIT.fine;
}

function fail(diagnostics: Parameters<typeof printDiagnostics>[0], json: boolean): Exit {
  if (json) printJson({ diagnostics: diagnostics.map(diagnosticJson) });
  else printDiagnostics(diagnostics);
  return exitOf(diagnostics);
}

function listStages(json: boolean): Exit {
  const rows = PASSES.map((p) => ({ pass: p.name, from: p.from, to: p.to, doc: p.doc }));
  if (json) printJson({ stages: STAGES, passes: rows });
  else {
    process.stdout.write(`stages: ${STAGES.join("  ")}\n\n`);
    for (const { pass, from, to, doc } of rows) process.stdout.write(`${pass.padEnd(22)}${`${from} -> ${to}`.padEnd(22)}${doc}\n`);
  }
  return EXIT.fine;
}
