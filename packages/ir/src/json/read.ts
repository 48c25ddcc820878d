// JSON back to a module. The text is not trusted: whatever it says, a module or located faults come out. What is read has the shape
// of a module; whether it makes sense at a stage is the verifier's to say.

import { hasErrors, parseJson, Reporter, span, type Json, type JsonObject, type Outcome, type Source } from "@tilefoundry/text";
import type { ModuleNode } from "../nodes.ts";
import { below, FAULT, placeText, type Entry, type Fault, type Kind, type Place, type Reader } from "./codec.ts";
import { codecOf, entryOf, isKind } from "./rows.ts";
import { Measures, tooLarge, type Excess } from "./measures.ts";
import { FORMAT, VERSION } from "./write.ts";

/** Faults shown of one file. */
const FAULT_LIMIT = 20;

/** The module that a text written by `writeJson` is, alone or as the member `module` of another document. */
export function readJson(source: Source): Outcome<ModuleNode | undefined> {
  const { value: json, diagnostics } = parseJson(source);
  if (json === undefined) return { value: undefined, diagnostics };
  const reporter = new Reporter();
  const value = readDocument(json, source, reporter);
  const shown = reporter.diagnostics.slice(0, FAULT_LIMIT);
  if (shown.length < reporter.diagnostics.length) {
    const rest = new Reporter();
    rest.report("TF5057", undefined, { limit: FAULT_LIMIT });
    return { value: undefined, diagnostics: [...shown, ...rest.diagnostics] };
  }
  return { value: value === FAULT || hasErrors(shown) ? undefined : value, diagnostics: shown };
}

const DOCUMENT = ["format", "version", "nodes", "root"];

function readDocument(outer: Json, source: Source, reporter: Reporter): ModuleNode | Fault {
  const wrapped = outer.kind === "object" && !outer.members.has("format") ? outer.members.get("module") : undefined;
  const json = wrapped ?? outer;
  const at: Place = { parent: undefined, segment: wrapped === undefined ? "" : "module" };
  const reading: Reading = { source, reporter, entries: [], measures: new Measures() };
  const reader = readerOf(reading);
  const document = json.kind === "object" ? json : reader.expected(`an object with ${DOCUMENT.map((field) => `\`${field}\``).join(", ")}`, json, at);
  if (document === FAULT || !isOurs(document, at, reader)) return FAULT;
  const nodes = document.members.get("nodes");
  const root = document.members.get("root");
  for (const [name, member] of document.members) {
    if (!DOCUMENT.includes(name)) reader.fault("TF5053", member, { path: placeText(at), name, known: DOCUMENT.join(", ") });
  }
  if (nodes === undefined || root === undefined) return reader.fault("TF5052", json, { path: placeText(at), name: nodes === undefined ? "nodes" : "root", known: DOCUMENT.join(", ") });
  if (nodes.kind !== "array") return reader.expected("a list", nodes, below(at, ".nodes"));
  for (const [i, line] of nodes.items.entries()) {
    if (reporter.diagnostics.length > FAULT_LIMIT) return FAULT;
    reading.entries.push(readEntry(line, below(at, `.nodes[${i}]`), reading, reader));
  }
  const id = root.kind === "number" ? root.value : reader.expected("the number of a module", root, below(at, ".root"));
  const module = id === FAULT ? FAULT : reader.entry(id, ["Module"], "a module", root, below(at, ".root"));
  if (module === FAULT || module.kind !== "Module") return FAULT;
  const excess = tooLarge(reading.measures.sizeOf(module), nodes.items.length);
  return excess === undefined ? module : tooMuch(excess, root, below(at, ".root"), reader);
}

function isOurs({ members, ...json }: JsonObject, at: Place, reader: Reader): boolean {
  const format = members.get("format");
  const version = members.get("version");
  const here: Json = { members, ...json };
  if (format?.kind !== "string" || format.value !== FORMAT) {
    reader.expected(`\`"${FORMAT}"\``, format ?? here, below(at, ".format"), format === undefined ? "nothing" : undefined);
    return false;
  }
  if (version?.kind === "number" && version.value === VERSION) return true;
  if (version?.kind === "number") reader.fault("TF5051", version, { found: version.text, expected: VERSION });
  else reader.expected("the number of a version", version ?? here, below(at, ".version"), version === undefined ? "nothing" : undefined);
  return false;
}

interface Reading {
  readonly source: Source;
  readonly reporter: Reporter;
  readonly entries: (Entry | Fault)[];
  readonly measures: Measures;
}

function readEntry(json: Json, at: Place, { source, measures }: Reading, reader: Reader): Entry | Fault {
  if (json.kind !== "object") return reader.expected("an object", json, at);
  const kind = json.members.get("kind");
  if (kind === undefined) return reader.fault("TF5052", json, { path: placeText(at), name: "kind", known: "`kind`, and those of the kind" });
  if (kind.kind !== "string" || !isKind(kind.value)) return reader.expected("a kind of node, type or dim", kind, below(at, ".kind"));
  const fields = codecOf(kind.value).read(json, at, reader);
  if (fields === FAULT) return FAULT;
  const entry = entryOf(kind.value, "meta" in fields ? { ...fields, meta: { span: span(source, json.start, json.end), ...fields.meta } } : fields);
  if (typeof entry === "string") return reader.expected(entry, json, at, `other ${kind.value} fields`);
  const excess = measures.add(entry);
  return excess === undefined ? entry : tooMuch(excess, json, at, reader);
}

function tooMuch({ code, size, limit }: Excess, json: Json, at: Place, reader: Reader): Fault {
  return reader.fault(code, json, { path: placeText(at), size: Number.isFinite(size) ? size : "countless", limit });
}

function readerOf({ source, reporter, entries }: Reading): Reader {
  const fault: Reader["fault"] = (code, json, params) => {
    reporter.report(code, span(source, json.start, json.end), params);
    return FAULT;
  };
  return {
    fault,
    expected: (expected, json, at, found = foundText(json)) => fault("TF5050", json, { path: placeText(at), expected, found }),
    entry: (id, kinds, what, json, at) => {
      const why = (reason: string): Fault => fault("TF5054", json, { path: placeText(at), id, why: reason, expected: what });
      if (!Number.isInteger(id) || id < 0) return why("is no number of a node");
      const entry = entries[id];
      if (entry === undefined) return why("does not stand above");
      if (entry === FAULT) return FAULT;
      return kinds.includes(entry.kind) ? entry : why(`is ${kindText(entry.kind)}, not ${what}`);
    },
  };
}

const kindText = (kind: Kind): string => `of kind ${kind}`;

const TEXT_LIMIT = 40;

function foundText(json: Json): string {
  switch (json.kind) {
    case "object": return "an object";
    case "array": return "a list";
    case "string": return JSON.stringify(json.value.length > TEXT_LIMIT ? `${json.value.slice(0, TEXT_LIMIT)}…` : json.value);
    case "number": return json.text.length > TEXT_LIMIT ? `${json.text.slice(0, TEXT_LIMIT)}…` : json.text;
    case "literal": return String(json.value);
  }
}
