// What formatting must not change: the tree without places, comments, blank lines and idle parentheses, and the comments' texts.

import type { SExpr, SModule } from "@tilefoundry/grammar";

const OUTSIDE: ReadonlySet<string> = new Set([
  "span", "nameSpan", "opSpan", "leading", "trailing", "comments", "trailingComments", "header", "aboveDef", "listTrailing", "blankLines", "parenthesized",
]);

export function skeleton(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return typeof node === "string" ? node.replace(/\r\n?/g, "\n") : node;
  if (Array.isArray(node)) return node.map(skeleton);
  if ("kind" in node && node.kind === "Paren" && "value" in node) return skeleton(node.value as SExpr); // of a Paren
  // The cases of a `match` are moved as text.
  if ("kind" in node && node.kind === "Match" && "text" in node) return { kind: "Match", text: String(node.text).split(/\s+/) };
  return Object.fromEntries(Object.entries(node).filter(([key, value]) => !OUTSIDE.has(key) && value !== undefined).map(([key, value]) => [key, skeleton(value)]));
}

/** Texts of all comments in a tree, sorted. */
export function commentTexts(module: SModule): readonly string[] {
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    const keys = Object.keys(node);
    if (keys.length === 2 && "text" in node && "span" in node) texts.push(String(node.text));
    for (const [key, value] of Object.entries(node)) if (key !== "span" && !key.endsWith("Span")) visit(value);
  };
  visit(module);
  return texts.sort();
}
