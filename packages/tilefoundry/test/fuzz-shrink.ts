// Makes a failing program small: takes lines and blocks away, puts the body in place of a branch or loop, and a part of an expression
// in place of the whole, as long as the program fails in the same way.

import { parse } from "@tilefoundry/grammar";
import { makeSource } from "@tilefoundry/text";
import { failureOf, type Failure, type Law } from "./fuzz-laws.ts";
import { plain } from "./generate-style.ts";

export interface ShrinkOptions {
  /** Milliseconds after which what is there by then is the answer. */
  readonly patience?: number;
}

/** The smallest program found that breaks the same law with the same message, numbers and names aside. */
export function shrink(text: string, seed: number, laws: readonly Law[], failure: Failure, { patience = 60_000 }: ShrinkOptions = {}): string {
  const end = Date.now() + patience;
  const broken = laws.filter((l) => l.name === failure.law);
  const wanted = kindOf(failure);
  const fails = (candidate: string): boolean => {
    const found = failureOf(candidate, seed, broken);
    return found !== undefined && kindOf(found) === wanted;
  };
  let smallest = text;
  for (let shorter: string | undefined = text; shorter !== undefined && Date.now() < end; ) {
    shorter = undefined;
    for (const candidate of candidates(smallest)) {
      if (Date.now() >= end) break;
      if (!fails(candidate)) continue;
      shorter = candidate;
      smallest = candidate;
      break;
    }
  }
  return smallest;
}

const kindOf = ({ law, message }: Failure): string => `${law}: ${(message.split("\n")[0] ?? "").replace(/`[^`]*`|\d+(\.\d+)?(e[+-]?\d+)?|NaN|-?Infinity|-(?=\s|$)/g, "…")}`;

/** Smaller texts, the ones that lose most first. */
function* candidates(text: string): Generator<string> {
  if (plain(text) !== text) yield plain(text);
  yield* withoutLines(text);
  yield* withoutParts(text);
}

const depthOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0;

/** Lines after the first that belong to it: its block, and the branches of an `if`. */
function blockAfter(lines: readonly string[], at: number): number {
  const depth = depthOf(lines[at] ?? "");
  let end = at + 1;
  while (end < lines.length && (depthOf(lines[end] ?? "") > depth || (/^\s*(else|elif)\b/.test(lines[end] ?? "") && depthOf(lines[end] ?? "") === depth))) end++;
  return end;
}

function* withoutLines(text: string): Generator<string> {
  const lines = text.split("\n").filter((l) => l.trim() !== "");
  const join = (list: readonly string[]): string => `${list.join("\n")}\n`;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const isHeader = /:\s*(#.*)?$/.test(line) && !/^\s*(def|@)/.test(line);
    const end = isHeader ? blockAfter(lines, at) : at + 1;
    if (!/^\s*(def|@)/.test(line)) yield join([...lines.slice(0, at), ...lines.slice(end)]);
    if (!isHeader) continue;
    // the first block in place of the statement, and without the other branches
    const own = lines.slice(at + 1).findIndex((l) => depthOf(l) <= depthOf(line));
    const stop = own < 0 ? lines.length : at + 1 + own;
    yield join([...lines.slice(0, at), ...lines.slice(at + 1, stop).map((l) => l.slice(4)), ...lines.slice(end)]);
    if (stop < end) yield join([...lines.slice(0, stop), ...lines.slice(end)]);
  }
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly children: readonly Part[];
}

/** One expression replaced by a part of it, or a parameter left out. A line that counts the turns of a loop stays. */
function* withoutParts(text: string): Generator<string> {
  const tree = parse(makeSource("shrink.tf", text)).value;
  const parts: Part[] = [];
  collect(tree, parts);
  const seen = new Set<string>();
  for (const whole of parts) {
    if (/\bturn/.test(lineAt(text, whole.start))) continue;
    for (const { start, end } of descendants(whole)) {
      const candidate = text.slice(0, whole.start) + text.slice(start, end) + text.slice(whole.end);
      if (candidate.length >= text.length || seen.has(candidate)) continue;
      seen.add(candidate);
      yield candidate;
    }
  }
  for (const parameter of text.matchAll(/(?<=\(|, )\w+: [^:]*?(, (?=\w+:)|(?=\):\n))/g)) {
    const candidate = (text.slice(0, parameter.index) + text.slice(parameter.index + parameter[0].length)).replace(", ):", "):");
    yield candidate;
  }
}

const lineAt = (text: string, at: number): string => text.slice(text.lastIndexOf("\n", at) + 1, (text.indexOf("\n", at) + 1 || text.length + 1) - 1);

const NO_EXPRESSION = /Stmt$|^(Pass|FunctionDef|AnnAssign|Module)$/;

/** Expressions of a tree, each with those directly inside it. */
function collect(node: unknown, into: Part[]): void {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) collect(item, into);
    return;
  }
  const children: Part[] = [];
  for (const [key, value] of Object.entries(node)) if (!/span$/i.test(key)) collect(value, children);
  if ("kind" in node && "span" in node && typeof node.kind === "string" && !NO_EXPRESSION.test(node.kind)) {
    const { start, end } = node.span as { start: number; end: number }; // every node with a kind has a span
    into.push({ start, end, children });
  } else into.push(...children);
}

function* descendants(part: Part): Generator<Part> {
  for (const child of part.children) {
    yield child;
    yield* descendants(child);
  }
}
