// Calls of catalog ops, by the parameters of their records: required ones by position, attributes with a default by keyword
// and only where they differ from it.

import { make, type Arg, type SExpr } from "@tilefoundry/grammar";
import { STORAGES, type AttrValue, type Call, type Dialect, type Expr } from "@tilefoundry/ir";
import { defaultOf, isAttr, isRequired, parametersOf, sameAttr, spellingOf, type AttrSpec, type InputSpec, type OpRecord } from "@tilefoundry/ops";
import { invariant } from "@tilefoundry/text";
import { floatExpr } from "./constants.ts";
import { dtypeExpr, listExpr, storageExpr, type Printing } from "./spelling.ts";
import { dimExpr } from "./types.ts";

export function callExpr(e: Call, p: Printing): SExpr {
  const record = p.ops.byName(e.callee.name);
  invariant(record !== undefined, () => `no op is called ${e.callee.name}`);
  const { namespace, name } = spellingOf(record, p.dialect);
  const { positional, keywords } = arrange(argumentsOf(e, record, namespace, p));
  return make.call(make.dotted(`${namespace}.${name}`), positional, keywords);
}

interface Argument {
  readonly name: string;
  readonly required: boolean;
  /** Undefined if it is left out. */
  readonly value: SExpr | undefined;
}

function argumentsOf(e: Call, record: OpRecord, namespace: Dialect, p: Printing): readonly Argument[] {
  let inputs = 0;
  return parametersOf(record).all.map(({ name, spec }) => {
    const required = isRequired(spec);
    if (isAttr(spec)) return { name, required, value: attributeExpr(e.callee.attrs[name], spec, namespace, p) };
    const value = e.args[inputs++];
    return { name, required: required || value !== undefined, value: value && inputExpr(value, spec, p) };
  });
}

/** By position as long as nothing before it was left out; the rest by keyword. */
function arrange(args: readonly Argument[]): { readonly positional: readonly SExpr[]; readonly keywords: readonly Arg[] } {
  const positional: SExpr[] = [];
  const keywords: Arg[] = [];
  for (const [i, { name, required, value }] of args.entries()) {
    if (value === undefined) continue;
    if (required && positional.length === i) positional.push(value);
    else keywords.push(make.keyword(name, value));
  }
  return { positional, keywords };
}

function inputExpr(value: Expr, spec: InputSpec, p: Printing): SExpr {
  if (spec.input === "indices" && value.kind === "Tuple") return listExpr(value.elements.map(p.expr), p.dialect);
  return p.expr(value);
}

// — attributes —

function attributeExpr(value: AttrValue | undefined, spec: AttrSpec, namespace: Dialect, p: Printing): SExpr | undefined {
  const fallback = defaultOf(spec, namespace);
  if (value === undefined || (fallback !== undefined && sameAttr(value, fallback))) return undefined;
  return attrValueExpr(value, spec, p);
}

function attrValueExpr(value: AttrValue, spec: AttrSpec, p: Printing): SExpr {
  if (value === null) return make.word("None");
  switch (typeof value) {
    case "boolean":
      return make.truth(value);
    case "bigint":
      return make.integer(value);
    case "number":
      return spec.attr === "int" ? make.integer(value) : floatExpr(value);
    case "string":
      return wordExpr(value, spec, p);
    default:
      return objectExpr(value, p);
  }
}

/** A memory space in the tradition's spelling, any other word as a string. */
function wordExpr(value: string, spec: AttrSpec, { dialect }: Printing): SExpr {
  const storage = spec.attr === "storage" ? STORAGES.find((s) => s === value) : undefined;
  return storage === undefined ? make.text(value) : storageExpr(storage, dialect);
}

function objectExpr(value: Extract<AttrValue, object>, p: Printing): SExpr {
  if ("dtype" in value) return dtypeExpr(value.dtype, p.dialect);
  const dims = "dims" in value ? value.dims : value;
  return listExpr(dims.map((d) => dimExpr(d, p)), p.dialect);
}
