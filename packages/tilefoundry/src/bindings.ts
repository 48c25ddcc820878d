// Texts of bindings: `NAME=VALUE` with a Python literal, and JSON documents.

import type { Binding } from "@tilefoundry/frontend";
import { parse } from "@tilefoundry/grammar";
import { diagnostic, makeSource, parseJson, span, type Outcome } from "@tilefoundry/text";

/** The binding that `NAME=VALUE` says; `title` is what messages call the text. */
export function bindingOf(text: string, title: string): Outcome<Binding | undefined> {
  const source = makeSource(title, text);
  const { value: tree, diagnostics } = parse(source);
  const [only, second] = tree.body.stmts;
  if (diagnostics.length > 0) return { value: undefined, diagnostics };
  const target = only?.kind === "AssignStmt" && only.targets.length === 1 && second === undefined ? only.targets[0] : undefined;
  if (only?.kind !== "AssignStmt" || target?.kind !== "Name") return { value: undefined, diagnostics: [diagnostic("TF2121", span(source, 0, text.length), { expected: "`NAME=VALUE`" })] };
  return { value: { name: target.name, span: target.span, value: { kind: "literal", expr: only.value } }, diagnostics: [] };
}

/** The members of a JSON object. */
export function bindingsOf(text: string, title: string): Outcome<readonly Binding[]> {
  const source = makeSource(title, text);
  const { value: json, diagnostics } = parseJson(source);
  if (json === undefined) return { value: [], diagnostics };
  if (json.kind !== "object") return { value: [], diagnostics: [diagnostic("TF2121", span(source, json.start, json.end), { expected: "an object" })] };
  return { value: [...json.members].map(([name, value]) => ({ name, span: span(source, value.start, value.end), value: { kind: "json", json: value } })), diagnostics };
}
