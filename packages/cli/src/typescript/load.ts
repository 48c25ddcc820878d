// A TypeScript file of the command line: all its programs, or the one that is meant.

import { dataOf, entryOf, type AnyProgram, type CheckResult } from "tilefoundry";
import { diagnostic, hasErrors, makeSource, span, type Diagnostic, type Outcome } from "@tilefoundry/text";
import { readSource } from "../files.ts";
import { execute } from "./exec.ts";
import { loadTypeScript } from "./package.ts";
import { firstOpen, listed, openNote, programsOf, type ScriptProgram } from "./programs.ts";
import { readScript, type Script } from "./script.ts";

/** The file as TypeScript reads it; undefined where it cannot be read, or TypeScript is not there. */
export function loadScript(file: string): Outcome<Script | undefined> {
  const { value: text, diagnostics } = readSource(file);
  if (text === undefined) return { value: undefined, diagnostics };
  const ts = loadTypeScript();
  if (ts === undefined) return { value: undefined, diagnostics: [diagnostic("TF6082", undefined, { file })] };
  const source = makeSource(file, text);
  try {
    const script = readScript(ts, source);
    return { value: script, diagnostics: script.diagnostics };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // TypeScript reads by recursion
    return { value: undefined, diagnostics: [diagnostic("TF1019", span(source, 0, 0), { message: "it is nested too deeply" })] };
  }
}

/** All programs of a file, and one note for what only running it tells; with `exec` it is run, unless TypeScript cannot read it. */
export function checkScript(file: string, exec: boolean): { readonly programs: readonly AnyProgram[]; readonly diagnostics: readonly Diagnostic[] } {
  const { value: script, diagnostics: unread } = loadScript(file);
  if (script === undefined) return { programs: [], diagnostics: unread };
  const { programs, diagnostics } = exec && unread.length === 0 ? execute(script) : { programs: programsOf(script), diagnostics: unread };
  return {
    programs: programs.flatMap((p) => p.program ?? []),
    diagnostics: [...diagnostics, ...programs.flatMap((p) => p.diagnostics), ...openNote(programs, file, exec)],
  };
}

// — the program that is meant —

interface Picked extends CheckResult {
  readonly entry: string | undefined;
}

/**
 * The only program of a file, or the one that `entry` names: by the variable that holds it, by a function of it, or by both (`mlp.forward`).
 * What is wrong with the others is no matter then.
 */
export function pickProgram(file: string, entry: string | undefined): Picked {
  const { value: script, diagnostics } = loadScript(file);
  if (script === undefined) return failed(diagnostics);
  const programs = programsOf(script);
  const [only, second] = programs;
  if (only === undefined) return failed(diagnostics.length > 0 ? diagnostics : [diagnostic("TF6084", undefined, { file })]);
  if (second === undefined) return ready(only, entry === undefined ? entry : (entryIn(only, entry)?.entry ?? entry), diagnostics);
  const all = [...diagnostics, ...programs.flatMap((p) => p.diagnostics)];
  if (entry === undefined) return failed(hasErrors(all) ? all : [...all, several(file, programs)]);
  const found = programs.flatMap((p) => entryIn(p, entry) ?? []);
  const named = found.filter((f) => f.byName);
  const [first, another] = named.length > 0 ? named : found;
  if (first === undefined) return failed(hasErrors(all) ? all : [diagnostic("TF6085", undefined, { file, name: entry, names: namesOf(programs) })]);
  return another === undefined ? ready(first.program, first.entry, diagnostics) : failed([several(file, [first, another].map((f) => f.program))]);
}

interface Entry {
  readonly program: ScriptProgram;
  /** The function; undefined where the program's own entry is meant. */
  readonly entry: string | undefined;
  /** Whether the variable was named. */
  readonly byName: boolean;
}

function entryIn(made: ScriptProgram, entry: string): Entry | undefined {
  const { program, template: { name } } = made;
  const has = (path: string): boolean => program !== undefined && entryOf(dataOf(program).module, path).value !== undefined;
  if (has(entry)) return { program: made, entry, byName: name === entry };
  if (name === entry) return { program: made, entry: undefined, byName: true };
  const rest = name !== undefined && entry.startsWith(`${name}.`) ? entry.slice(name.length + 1) : undefined;
  return rest !== undefined && has(rest) ? { program: made, entry: rest, byName: true } : undefined;
}

function ready(made: ScriptProgram, entry: string | undefined, syntax: readonly Diagnostic[]): Picked {
  const { open, diagnostics } = made;
  const unknown = open.length === 0 ? [] : [diagnostic("TF6081", firstOpen(made), { holes: listed(open) })];
  const all = [...syntax, ...diagnostics, ...(hasErrors(diagnostics) ? [] : unknown)];
  return { program: hasErrors(all) ? undefined : made.program, diagnostics: all, entry };
}

const failed = (diagnostics: readonly Diagnostic[]): Picked => ({ program: undefined, diagnostics, entry: undefined });

const several = (file: string, programs: readonly ScriptProgram[]): Diagnostic => diagnostic("TF6083", undefined, { file, names: namesOf(programs) });

/** What `--entry` may name. */
function namesOf(programs: readonly ScriptProgram[]): string {
  const names = programs.flatMap(({ template: { name }, program }) => {
    const functions = program === undefined ? [] : dataOf(program).module.functions.map((f) => f.name);
    return name === undefined ? functions : functions.length < 2 ? [name] : functions.map((f) => `${name}.${f}`);
  });
  return [...new Set(names)].join(", ");
}
