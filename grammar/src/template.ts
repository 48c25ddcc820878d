// The text of a template: its raw strings with their holes between them, from the strings themselves or from the file that they stand in.

import { makeSource, type Source, type SourceOptions } from "@tilefoundry/text";
import type { HoleRange } from "./scanner.ts";

const PLACEHOLDER = "${…}";

/** What stands for a backtick, and for a `${` that opens no hole: the backslash is dropped. */
const ESCAPE = /\\(?=`|\$\{)/g;

/** A template as it is written: its text, and where in it the holes are. */
export interface TemplateText {
  readonly source: Source;
  readonly holes: readonly HoleRange[];
}

/** From raw strings, with `${…}` for each hole. */
export function templateSource(raw: readonly string[], name: string, options: SourceOptions = {}): TemplateText {
  const holes: HoleRange[] = [];
  let text = "";
  raw.forEach((part, i) => {
    if (i > 0) {
      holes.push({ start: text.length, end: text.length + PLACEHOLDER.length });
      text += PLACEHOLDER;
    }
    text += part.replace(ESCAPE, "");
  });
  return { source: makeSource(name, text, options), holes };
}

/** A range of offsets into a file. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** From a file that holds its raw strings at these places; the text has the holes as they are written, and its places are shown in the file. */
export function templateIn(file: Source, strings: readonly Range[]): TemplateText {
  const holes: HoleRange[] = [];
  /** Offsets into the text before which a backslash was dropped. */
  const dropped: number[] = [];
  let text = "";
  for (const [i, { start, end }] of strings.entries()) {
    const before = strings[i - 1];
    if (before !== undefined) {
      const hole = file.text.slice(before.end, start);
      holes.push({ start: text.length, end: text.length + hole.length });
      text += hole;
    }
    const pieces = file.text.slice(start, end).split(ESCAPE);
    for (const [j, piece] of pieces.entries()) {
      if (j > 0) dropped.push(text.length);
      text += piece;
    }
  }
  const first = strings[0]?.start ?? 0;
  const offsetOf = (offset: number): number => first + offset + dropped.filter((at) => at < offset).length;
  return { source: makeSource(file.name, text, { within: { file, offsetOf } }), holes };
}
