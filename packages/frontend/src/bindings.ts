// Values that stand for what host code would have made: `--bind NAME=VALUE`, written as Python literals, and members of a JSON document. A
// binding wins over whatever a file of the program says of the name.

import type { SExpr } from "@tilefoundry/grammar";
import type { Json, Span } from "@tilefoundry/text";
import { record, sequence } from "./collections.ts";
import { suggestion } from "./complaints.ts";
import type { Bindings, Constant, ModuleContext } from "./context.ts";
import { dtypeCalled } from "./dtype-names.ts";
import { evaluate } from "./expr.ts";
import { failed } from "./known-ops.ts";
import { modulePlace } from "./module-state.ts";
import { bool, float, int, knownOf, type Known } from "./value.ts";

export interface Binding {
  readonly name: string;
  /** Where the name is given. */
  readonly span: Span;
  readonly value: { readonly kind: "literal"; readonly expr: SExpr } | { readonly kind: "json"; readonly json: Json };
}

/** Evaluates the bindings of a program; what is wrong with them is said. */
export function bindValues(given: readonly Binding[], into: Bindings, module: ModuleContext): void {
  for (const { name, span, value } of given) {
    const known = value.kind === "json" ? ofJson(value.json) : ofLiteral(value.expr, module);
    into.values.set(name, known === undefined ? { kind: "poison", span } : { kind: "value", value: known, span });
  }
}

/** A bare word is a dtype or a text: shells take quotes away. */
function ofLiteral(e: SExpr, module: ModuleContext): Known | undefined {
  if (e.kind !== "Name") return knownOf(evaluate(e, modulePlace(module)));
  const dtype = dtypeCalled(e.name);
  return dtype === undefined ? { kind: "string", value: e.name } : { kind: "dtype", dtype };
}

function ofJson(json: Json): Known | undefined {
  switch (json.kind) {
    case "string": return { kind: "string", value: json.value };
    case "number": return /^-?\d+$/.test(json.text) ? int(BigInt(json.text)) : float(json.value);
    case "literal": return json.value === null ? { kind: "none" } : bool(json.value);
    case "array": {
      const items = json.items.map(ofJson);
      const made = sequence("list", items.flatMap((k) => k ?? []));
      return failed(made) || items.includes(undefined) ? undefined : made;
    }
    case "object": {
      const fields = [...json.members].flatMap(([name, member]) => { const k = ofJson(member); return k === undefined ? [] : [[name, k] as const]; });
      const made = record(undefined, new Map(fields));
      return failed(made) || fields.length < json.members.size ? undefined : made;
    }
  }
}

/** Says which bindings name nothing in the program. */
export function checkBindings(given: readonly Binding[], { met }: Bindings, module: ModuleContext): void {
  for (const { name, span } of given) {
    if (!met.has(name)) module.reporter.report("TF2120", span, { name }, suggestion(name, module.constants.values(), span));
  }
}

export const openBindings = (): Bindings => ({ values: new Map<string, Constant>(), met: new Set<string>() });
