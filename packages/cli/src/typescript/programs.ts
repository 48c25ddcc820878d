// The programs of a script: each template with the values that its holes have, or are known to have.

import { checkTemplate, type AnyProgram, type HoleValue, type TemplateValue } from "tilefoundry";
import { diagnostic, span, type Diagnostic, type Span } from "@tilefoundry/text";
import { evaluator } from "./evaluate.ts";
import type { Script, Template } from "./script.ts";

export interface ScriptProgram {
  readonly template: Template;
  /** Undefined if there is an error. */
  readonly program: AnyProgram | undefined;
  /** Holes whose values only running the file tells, as they are written. */
  readonly open: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Each template of a script as a program, without running it. */
export function programsOf(script: Script): readonly ScriptProgram[] {
  const made = new Map<Template, ScriptProgram | undefined>();
  const programOf = (template: Template): ScriptProgram | undefined => {
    if (!made.has(template)) {
      made.set(template, undefined); // a template in its own hole is not known
      made.set(template, checked(template, template.holes.map((hole, i) => (tell(hole) ?? { value: unknownHole(template, i) }).value)));
    }
    return made.get(template);
  };
  const tell = evaluator({ script, programOf: (template) => whole(programOf(template)) });
  return script.templates.flatMap((template) => programOf(template) ?? []);
}

/** A program of which everything is known. */
const whole = (made: ScriptProgram | undefined): AnyProgram | undefined => (made?.open.length === 0 ? made.program : undefined);

/** A template with values in its holes. */
export function checked(template: Template, values: readonly unknown[]): ScriptProgram {
  const { program, diagnostics } = checkTemplate(template.text, values as readonly TemplateValue[]); // anything else is an error at its hole
  const open = new Set(values.flatMap((value) => (isOpen(value) ? [value.name] : [])));
  return { template, program, open: [...open], diagnostics };
}

type Unknown = Extract<HoleValue, { readonly kind: "unknown" }>;

const isOpen = (value: unknown): value is Unknown => typeof value === "object" && value !== null && "kind" in value && value.kind === "unknown";

export function unknownHole({ text }: Template, index: number): Unknown {
  const { start, end } = text.holes[index] ?? { start: 0, end: 0 };
  return { kind: "unknown", name: text.source.text.slice(start, end).replace(/\s+/g, " ") };
}

/** How many holes a message names. */
const NAMED = 4;

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => `\`${name}\``).join(", ");
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown;
}

/** One note for all holes of a file that were typed by their use, whether it ran or not. */
export function openNote(programs: readonly ScriptProgram[], file: string, ran: boolean): readonly Diagnostic[] {
  const first = programs.find((p) => p.open.length > 0);
  const names = [...new Set(programs.flatMap((p) => p.open))];
  const help = ran ? { help: "typed by use: running the file did not come to them" } : {};
  return first === undefined ? [] : [diagnostic("TF6080", firstOpen(first), { holes: listed(names), file }, help)];
}

export function firstOpen({ template, open }: ScriptProgram): Span | undefined {
  const { source, holes } = template.text;
  const found = holes.find((_, i) => open.includes(unknownHole(template, i).name));
  return found && span(source, found.start, found.end);
}
