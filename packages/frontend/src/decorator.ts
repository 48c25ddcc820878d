// Decorators: `@func`, `@prim_func(target=…, contract=…)`, `@pl.function(type=…)`. Those of the parents that come later are
// refused by name.

import type { FunctionDef, SExpr } from "@tilefoundry/grammar";
import type { FunctionKind } from "@tilefoundry/ir";
import { bindArguments, passedArguments, type Params } from "./arguments.ts";
import { misfit, notYet, refuse, suggestion } from "./complaints.ts";
import type { ExprContext } from "./context.ts";
import type { Declared } from "./declared.ts";
import { evaluate } from "./expr.ts";
import { dotted, spell } from "./members.ts";
import { knownOf, type Value } from "./value.ts";

const OPTIONS = { target: "keyword", contract: "keyword", entry: "keyword" } as const satisfies Params;

interface Row {
  readonly kind: FunctionKind;
  readonly params: Params;
  /** Keywords that this version does not have. */
  readonly later: readonly string[];
}

/** Decorators by their last names; `pl.function` is written with its namespace. */
const DECORATORS: Readonly<Record<string, Row>> = {
  func: { kind: "graph", params: OPTIONS, later: ["topologies", "mesh"] },
  prim_func: { kind: "prim", params: OPTIONS, later: ["topologies"] },
  function: {
    kind: "opaque",
    params: { type: "keyword", ...OPTIONS },
    later: ["level", "role", "auto_scope", "strict_ssa", "attrs", "external_source"],
  },
};

/** Decorators of the parents that this version does not have. */
const LATER: ReadonlySet<string> = new Set(["module", "program", "jit", "incore", "opaque", "host", "extern", "specialize", "converter"]);

/** Names of decorators, those of later versions too. */
export const DECORATOR_NAMES: readonly string[] = [...Object.keys(DECORATORS), "inline", ...LATER];

const KINDS: Readonly<Record<string, FunctionKind>> = { Opaque: "opaque", Orchestration: "orchestration", InCore: "incore", Inline: "inline", Group: "group", Spmd: "spmd" };

/** What the decorator says; undefined after a complaint, or if there is none. */
export function readDecorators(def: FunctionDef, c: ExprContext): Declared | undefined {
  const [first, second] = def.decorators;
  if (first === undefined) return undefined;
  if (second !== undefined) {
    return refuse("a second decorator", "keep the one that says what kind of kernel it is", second.value.span, c);
  }
  return readDecorator(first.value, c);
}

function readDecorator(e: SExpr, c: ExprContext): Declared | undefined {
  const callee = e.kind === "Call" ? e.callee : e;
  const chain = dotted(callee);
  if (chain === undefined) {
    c.reporter.report("TF2007", e.span, { name: "…" });
    return undefined;
  }
  const name = chain.path.at(-1) ?? chain.root;
  const row = Object.hasOwn(DECORATORS, name) ? DECORATORS[name] : undefined;
  if (row === undefined) return refuseDecorator(callee, spell(chain), chain.path[0] ?? name, c);
  if (e.kind !== "Call") return { kind: row.kind, target: undefined, contract: false, entry: false };
  const later = e.args.find((a) => a.name !== undefined && row.later.includes(a.name.text));
  if (later?.name !== undefined) {
    return notYet(`\`${later.name.text}\` of \`@${spell(chain)}\``, "leave it out", later.name.span, c);
  }
  const passed = passedArguments(e.args, c, evaluate);
  const bound = passed && bindArguments({ spelled: `@${spell(chain)}`, span: e.span, passed }, row.params, c);
  if (bound === undefined) return undefined;
  const kind = bound.has("type") ? functionType(bound.get("type"), c) : row.kind;
  const target = stringOf(bound.get("target"), c);
  if (kind === undefined || (bound.has("target") && target === undefined)) return undefined;
  return { kind, target, contract: flag(bound.get("contract"), c), entry: flag(bound.get("entry"), c) };
}

/** Whether a function is a template: `@pl.inline`. */
export function isTemplate(def: FunctionDef): boolean {
  const [only, second] = def.decorators;
  const callee = only?.value.kind === "Call" ? only.value.callee : only?.value;
  const chain = callee && dotted(callee);
  return second === undefined && chain !== undefined && (chain.path.at(-1) ?? chain.root) === "inline";
}

function refuseDecorator(callee: SExpr, spelled: string, first: string, c: ExprContext): undefined {
  if (LATER.has(first) || LATER.has(spelled.split(".").at(-1) ?? "")) {
    return notYet(`\`@${spelled}\``, "write functions at module level, with `@func`, `@prim_func` or `@pl.function`", callee.span, c);
  }
  c.reporter.report("TF2007", callee.span, { name: spelled }, suggestion(spelled, ["func", "prim_func", "pl.function"], callee.span));
  return undefined;
}

function functionType(value: Value | undefined, c: ExprContext): FunctionKind | undefined {
  const known = value && knownOf(value);
  const kind = known?.kind === "word" && known.family === "FunctionType" ? KINDS[known.word] : undefined;
  if (kind === undefined && value !== undefined) misfit("type", value, "write `pl.FunctionType.InCore`, `.Orchestration` or `.Opaque`", c);
  return kind;
}

function stringOf(value: Value | undefined, c: ExprContext): string | undefined {
  const known = value && knownOf(value);
  if (known?.kind === "string") return known.value;
  return value && misfit("target", value, "name it in quotes, as in `target=\"wasm\"`", c);
}

function flag(value: Value | undefined, c: ExprContext): boolean {
  const known = value && knownOf(value);
  if (known?.kind === "bool") return known.value;
  if (value !== undefined) misfit("a flag", value, "write True or False", c);
  return false;
}
