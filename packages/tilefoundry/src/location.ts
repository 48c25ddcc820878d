// Where a template stands: the frame that called the tag, and the template's own text in that file if the file can be read.

import type { Position, Source } from "@tilefoundry/text";

export interface CallSite {
  readonly file: string;
  readonly position: Position;
}

/** The caller of `tag`, from the stack; undefined where the engine gives no usable stack. */
export function callSiteOf(tag: (...args: never[]) => unknown): CallSite | undefined {
  const holder: { stack?: string } = {};
  const capture = (Error as { captureStackTrace?: (target: object, above: unknown) => void }).captureStackTrace; // V8 only
  if (capture === undefined) return undefined;
  capture(holder, tag);
  const frame = holder.stack?.split("\n").find((line) => /:\d+:\d+\)?$/.test(line));
  const match = frame === undefined ? null : /(?:\(|at (?:async )?)((?:file:\/\/)?[^()]+?):(\d+):(\d+)\)?$/.exec(frame);
  if (match === null) return undefined;
  const [, file = "", line = "1", column = "1"] = match;
  return { file: decodeURI(file.replace(/^file:\/\//, "")), position: { line: Number(line), column: Number(column) } };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A template begins on the line of its tag, or on one of the next. */
const LINES = 3;

/**
 * Where the raw strings of a template stand in a file, found from the place of its tag on. The file need not be the text that runs (a compiled
 * file has its own): undefined where it holds another template there.
 */
export function stringsIn({ text, lineStarts }: Source, { line, column }: Position, raw: readonly string[]): readonly Range[] | undefined {
  const begin = lineStarts[line - 1] ?? text.length;
  const end = lineStarts[line - 1 + LINES] ?? text.length;
  for (let tick = text.indexOf("`", begin + column - 1); tick >= 0 && tick < end; tick = text.indexOf("`", tick + 1)) {
    const found = stringsFrom(text, tick + 1, raw);
    if (found !== undefined) return found;
  }
  return undefined;
}

function stringsFrom(text: string, start: number, raw: readonly string[]): readonly Range[] | undefined {
  const strings: Range[] = [];
  let at = start;
  for (const [i, part] of raw.entries()) {
    const isLast = i === raw.length - 1;
    const end = endOf(part, text, at);
    if (end === undefined || !text.startsWith(isLast ? "`" : "${", end)) return undefined;
    strings.push({ start: at, end });
    at = isLast ? end : holeEnd(text, end + 2) + 1;
  }
  return strings;
}

/** End of a raw string that stands at an offset; its line breaks may be any in the file. */
function endOf(part: string, text: string, start: number): number | undefined {
  let at = start;
  for (const [i, line] of part.split("\n").entries()) {
    if (i > 0) {
      const lineBreak = /\r\n?|\n/y;
      lineBreak.lastIndex = at;
      if (!lineBreak.test(text)) return undefined;
      at = lineBreak.lastIndex;
    }
    if (!text.startsWith(line, at)) return undefined;
    at += line.length;
  }
  return at;
}

const COMMENT_OR_STRING = /\/\/.*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/y;

/** The `}` that ends a hole: braces, strings, templates and comments in it are passed over. */
function holeEnd(text: string, start: number): number {
  const open: ("{" | "`")[] = [];
  for (let at = start; at < text.length; at++) {
    const c = text[at];
    if (open.at(-1) === "`") {
      if (c === "\\") at++;
      else if (c === "`") open.pop();
      else if (c === "$" && text[at + 1] === "{") {
        open.push("{");
        at++;
      }
      continue;
    }
    COMMENT_OR_STRING.lastIndex = at;
    if (c === "}" && open.pop() === undefined) return at;
    if (c === "{" || c === "`") open.push(c);
    else if (COMMENT_OR_STRING.test(text)) at = COMMENT_OR_STRING.lastIndex - 1;
  }
  return text.length;
}
