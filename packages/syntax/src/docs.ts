// Shapes of documents that several constructs share, and the short cut for what fits on its line.

import { builders, printer } from "prettier/doc";

export type Doc = builders.Doc;

export const { group, indent, line, softline, hardline, literalline, ifBreak, join, fill, align, lineSuffix, breakParent } = builders;

/** Columns of a line of kernel text. */
export const WIDTH = 120;
/** Columns of one level of indentation. */
export const INDENT = 4;

export interface Bracketed {
  /** Whether a comma follows the last item when every item is on its own line. */
  readonly comma: boolean;
  /** Several items to a line, for plain numbers. */
  readonly filled?: boolean;
  /** Stands on its own line before the closing bracket. */
  readonly last?: Doc | undefined;
}

/** Items between brackets: on one line, or one a line. */
export function bracketed(open: string, items: readonly Doc[], close: string, { comma, filled = false, last }: Bracketed): Doc {
  if (items.length === 0 && last === undefined) return open + close;
  const separated = filled ? fill(separate(items)) : join([",", line], [...items]);
  const end = items.length === 0 || last === undefined ? (last ?? "") : [hardline, last];
  return group([open, indent([softline, separated, comma && items.length > 0 ? ifBreak(",") : "", end]), softline, close]);
}

function separate(items: readonly Doc[]): Doc[] {
  return items.flatMap((item, i) => (i === items.length - 1 ? [item] : [[item, ","], line]));
}

/** An expression that gets parentheses only where it does not fit on the line. */
export function parenthesizedIfBroken(content: Doc, comma = false): Doc {
  return group([ifBreak("("), indent([softline, content, comma ? ifBreak(",") : ""]), softline, ifBreak(")")]);
}

/** One thing between brackets, with nothing after it but what stands before the closing bracket. */
export function enclosed(open: string, content: Doc, close: string, last?: Doc): Doc {
  return group([open, indent([softline, content, last === undefined ? "" : [hardline, last]]), softline, close]);
}

export const parenthesized = (content: Doc): Doc => enclosed("(", content, ")");

/** Text that may hold line breaks of its own, which are kept as they are. */
export function verbatim(text: string): Doc {
  const lines = text.split(/\r\n?|\n/);
  return lines.length === 1 ? text : join(literalline, lines);
}

/** The text of a document on one line, or undefined if something in it must break. */
export function flatText(doc: Doc): string | undefined {
  if (typeof doc === "string") return doc;
  if (Array.isArray(doc)) return flatList(doc);
  switch (doc.type) {
    case "group":
      return doc.break ? undefined : flatText(doc.contents);
    case "indent":
    case "align":
      return flatText(doc.contents);
    case "fill":
      return flatList(doc.parts);
    case "line":
      return doc.hard ? undefined : doc.soft ? "" : " ";
    case "if-break":
      return flatText(doc.flatContents);
    default:
      return undefined;
  }
}

function flatList(docs: readonly Doc[]): string | undefined {
  let text = "";
  for (const doc of docs) {
    const part = flatText(doc);
    if (part === undefined) return undefined;
    text += part;
  }
  return text;
}

/**
 * The lines of a statement at a depth, behind the margin of the whole text. What fits is written as it is; only the rest goes through the layout algorithm, which
 * would give the same text but takes ten times as long. Wide characters are left to it, since it knows their columns.
 */
export function layOut(doc: Doc, depth: number, outer = ""): string {
  const margin = outer + " ".repeat(INDENT * depth);
  const flat = flatText(doc);
  if (flat !== undefined && margin.length + flat.length <= WIDTH && isAscii(flat)) return margin + flat;
  return layOutFully(doc, depth, outer);
}

export function layOutFully(doc: Doc, depth: number, outer = ""): string {
  const margin = " ".repeat(INDENT * depth);
  const inside = outer === "" ? align(margin.length, doc) : align(outer, align(margin.length, doc));
  return printer.printDocToString([outer + margin, inside], { printWidth: WIDTH, tabWidth: INDENT, useTabs: false }).formatted;
}

const isAscii = (text: string): boolean => !/[^\x20-\x7e]/.test(text);
