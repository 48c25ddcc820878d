// The templates of a script in their one layout; all else stays as it is, byte for byte.

import { parse } from "@tilefoundry/grammar";
import { formatTemplate } from "@tilefoundry/syntax";
import { hasErrors, makeSource, type Outcome } from "@tilefoundry/text";
import type { Script, Template } from "./script.ts";

/** The text of the file; as it was if anything in it cannot be read. */
export function formatScript({ source, templates, diagnostics }: Script): Outcome<string> {
  const all = [...diagnostics, ...templates.flatMap(({ text }) => parse(text.source, text.holes).diagnostics)];
  return { value: hasErrors(all) ? source.text : formatted(source.text, 0, source.text.length, templates), diagnostics: all };
}

/** A range of the file with the templates in it formatted, those in holes of others first. */
function formatted(text: string, start: number, end: number, templates: readonly Template[]): string {
  let made = "";
  let at = start;
  for (const template of templates) {
    const [first] = template.strings;
    const last = template.strings.at(-1);
    if (first === undefined || last === undefined || first.start < at || last.end > end) continue; // elsewhere, or in a hole
    made += text.slice(at, first.start) + formattedTemplate(text, template, templates);
    at = last.end;
  }
  return made + text.slice(at, end);
}

function formattedTemplate(text: string, { strings, text: { source } }: Template, templates: readonly Template[]): string {
  const holes: { readonly start: number; readonly end: number }[] = [];
  let raw = "";
  for (const [i, { start, end }] of strings.entries()) {
    const before = strings[i - 1];
    if (before !== undefined) {
      const begin = raw.length;
      raw += formatted(text, before.end, start, templates);
      holes.push({ start: begin, end: raw.length });
    }
    raw += text.slice(start, end);
  }
  return formatTemplate(makeSource(source.name, raw), holes).value;
}
