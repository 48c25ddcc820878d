// Where a template stands: the frame that called the tag, and the template's own text in that file if the file can be read.

import type { Position } from "@tilefoundry/text";

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

/**
 * Position of the first character after the opening backtick, counted from the tag: found in the file's text, which need not be
 * the text that runs (a compiled file has its own).
 */
export function templateStart(fileText: string, at: Position, raw: string): Position | undefined {
  const lines = fileText.split(/\r?\n/);
  const first = raw.split(/\r?\n/)[0] ?? "";
  for (let line = at.line; line < at.line + 3; line++) {
    const text = lines[line - 1] ?? "";
    const from = line === at.line ? at.column - 1 : 0;
    const tick = text.indexOf("`", from);
    if (tick >= 0 && text.slice(tick + 1).startsWith(first)) return { line, column: [...text.slice(0, tick)].length + 2 };
  }
  return undefined;
}
