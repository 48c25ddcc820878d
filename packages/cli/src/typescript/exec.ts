// `tf check --exec`: runs a module in a process of its own, and checks its templates with the values that their holes had.

import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkJson, type AnyProgram } from "tilefoundry";
import { diagnostic, makeSource, span, type Diagnostic, type Source, type Span } from "@tilefoundry/text";
import { decode, type Message, type Place } from "./messages.ts";
import { typescriptPath } from "./package.ts";
import { checked, programsOf, unknownHole, type ScriptProgram } from "./programs.ts";
import { readScript, type Script, type Template } from "./script.ts";

/** A module may run for so long. */
const SECONDS = 30;

interface Ran {
  /** What the holes of a template held, each time that it was different. */
  valuesOf(path: string, template: Template): readonly (readonly unknown[])[];
  /** Other files in which templates with errors stand. */
  readonly wrongFiles: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface Executed {
  readonly programs: readonly ScriptProgram[];
  /** How running the module failed, if it did. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The programs of a script as they are when it runs; a template that it does not come to is checked as it stands. */
export function execute(script: Script): Executed {
  const path = realpathSync(script.source.name);
  const ran = runModule(path, script.source);
  const atRest = new Map(programsOf(script).map((made) => [made.template, made]));
  const programs = script.templates.flatMap((template) => evaluated(template, ran.valuesOf(path, template)) ?? atRest.get(template) ?? []);
  const others = ran.wrongFiles.filter((file) => file !== path).flatMap((file) => wrongIn(file, script, ran));
  return { programs: [...programs, ...others], diagnostics: ran.diagnostics };
}

/** A template with all values that its holes had, as one; what is wrong with several of them is said once. */
function evaluated(template: Template, values: readonly (readonly unknown[])[]): ScriptProgram | undefined {
  const made = values.map((each) => checked(template, each));
  const last = made.at(-1);
  if (last === undefined) return undefined;
  const said = new Map(made.flatMap((m) => m.diagnostics).map((d) => [`${d.code} ${d.span?.start} ${d.message}`, d]));
  return { template, program: made.every((m) => m.program !== undefined) ? last.program : undefined, open: made.flatMap((m) => m.open), diagnostics: [...said.values()] };
}

/** Templates of a file that the module imports. */
function wrongIn(file: string, { ts }: Script, ran: Ran): readonly ScriptProgram[] {
  const script = readScript(ts, makeSource(file, readFileSync(file, "utf8")));
  return script.templates.flatMap((template) => evaluated(template, ran.valuesOf(file, template)) ?? []);
}

// — the process —

function runModule(path: string, source: Source): Ran {
  const seconds = Number(process.env["TILEFOUNDRY_EXEC_SECONDS"] ?? SECONDS) || SECONDS;
  const child = fileURLToPath(new URL("./run-module.cjs", import.meta.url));
  const { output, error } = spawnSync(process.execPath, ["--enable-source-maps", child, path, typescriptPath() ?? ""], {
    // what the module prints is no part of this command's output
    stdio: ["ignore", 2, 2, "pipe"],
    timeout: seconds * 1000,
    killSignal: "SIGKILL",
    maxBuffer: 1 << 30,
  });
  // undefined where no process can be started
  const messages = String(output?.[3] ?? "").split("\n").flatMap((line) => messageOf(line) ?? []);
  const file = source.name;
  const stopped = error !== undefined && "code" in error && error.code === "ETIMEDOUT" ? [diagnostic("TF6087", undefined, { file, seconds })] : undefined;
  return { ...gathered(messages), diagnostics: stopped ?? failure(messages.at(-1), source, path) };
}

/** Undefined for a line that was cut when the process was stopped. */
function messageOf(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message; // of our own process
  } catch {
    return undefined;
  }
}

function gathered(messages: readonly Message[]): Omit<Ran, "diagnostics"> {
  const programs = new Map<number, AnyProgram>();
  const bySite = new Map<string, Extract<Message, { readonly kind: "template" }>[]>();
  for (const message of messages) {
    const program = message.kind === "program" ? checkJson(message.json).program : undefined;
    if (message.kind === "program" && program !== undefined) programs.set(message.id, program);
    if (message.kind !== "template") continue;
    const site = `${message.file}:${message.at}`;
    bySite.set(site, [...(bySite.get(site) ?? []), message]);
  }
  const valuesOf: Ran["valuesOf"] = (path, template) => {
    const found = bySite.get(`${path}:${template.node.getStart()}`) ?? [];
    return found.map(({ values }) => values.map((value, i) => decode(value, programs, unknownHole(template, i))));
  };
  const wrongFiles = new Set([...bySite.values()].flat().flatMap((t) => (t.wrong ? [t.file] : [])));
  return { valuesOf, wrongFiles: [...wrongFiles] };
}

// — how it ended —

function failure(last: Message | undefined, source: Source, path: string): readonly Diagnostic[] {
  if (last?.kind === "end" || (last?.kind === "threw" && last.ours)) return [];
  const place = last?.kind === "threw" ? last.place : undefined;
  return [diagnostic("TF6086", place && spanOf(place, source, path), { file: source.name, message: howItEnded(last) })];
}

function howItEnded(last: Message | undefined): string {
  if (last?.kind === "threw") return last.message;
  if (last?.kind === "waits") return "it waits for a promise that nothing fulfils";
  return last?.kind === "exit" ? `it ended the process with status ${last.status}` : "it ended without a word";
}

/** The rest of the line at a place of a stack trace. */
function spanOf(place: Place, main: Source, path: string): Span | undefined {
  const source = place.file === path ? main : readable(place.file);
  const start = source?.lineStarts[place.line - 1];
  if (source === undefined || start === undefined) return undefined;
  const at = Math.min(start + place.column - 1, source.text.length);
  return span(source, at, at + (/^[\w$.]*/.exec(source.text.slice(at, at + 80))?.[0].length || 1));
}

function readable(file: string): Source | undefined {
  try {
    return makeSource(file, readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
