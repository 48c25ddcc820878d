// What the verifier of the IR cannot say, since it knows no op by name: whether each catalog call of a module names an op, holds the
// attributes and inputs of its record, and has a type. For modules that no frontend made.

import { allFunctions, dialectOf, eachChild, graphOrder, NO_FACTS, type AttrValue, type Call, type Expr, type FunctionNode, type ModuleNode, type Node } from "@tilefoundry/ir";
import { Reporter, type Diagnostic } from "@tilefoundry/text";
import { isAttr, type Static } from "./attributes.ts";
import { isRequired, makeCall, type Given } from "./bind.ts";
import type { OpRecord } from "./define.ts";
import type { Ops } from "./ops.ts";
import { parametersOf } from "./parameters.ts";

/** Empty if every call of the tree fits its record. */
export function verifyCalls(module: ModuleNode, ops: Ops): readonly Diagnostic[] {
  const reporter = new Reporter();
  for (const { fn } of allFunctions(module)) eachCall(fn, (call) => checkCall(call, fn, ops, reporter));
  return reporter.diagnostics;
}

function eachCall(fn: FunctionNode, visit: (call: Call) => void): void {
  if (fn.body.kind === "Graph") {
    for (const value of graphOrder(fn.body.result)) if (value.kind === "Call") visit(value);
  } else eachCallIn(fn.body, visit);
}

function eachCallIn(node: Node, visit: (call: Call) => void): void {
  if (node.kind === "Call") visit(node);
  eachChild(node, (child, role) => {
    if (child.kind !== "Var" && (child.kind !== "IterArg" || role === "binds")) eachCallIn(child, visit);
  });
}

function checkCall(call: Call, fn: FunctionNode, ops: Ops, reporter: Reporter): void {
  const { name, attrs } = call.callee;
  const { span } = call.meta;
  const record = ops.byName(name);
  if (record === undefined) return reporter.report("TF3010", span, { name });
  const { inputs, attributes } = parametersOf(record);
  const params = [...inputs, ...attributes].map((p) => p.name).join(", ");
  const required = inputs.filter(({ spec }) => isRequired(spec)).length;
  if (call.args.length < required || call.args.length > inputs.length) {
    return reporter.report("TF3001", span, { op: name, expected: `${inputs.length} input${inputs.length === 1 ? "" : "s"}`, given: call.args.length, params });
  }
  const stranger = Object.keys(attrs).find((attr) => !attributes.some((a) => a.name === attr));
  if (stranger !== undefined) return reporter.report("TF3002", span, { op: name, name: stranger, params });
  const lacking = attributes.find((a) => !Object.hasOwn(attrs, a.name));
  if (lacking !== undefined && isAttr(lacking.spec)) return reporter.report("TF3004", span, { op: name, name: lacking.name, doc: lacking.spec.doc });
  const dialect = dialectOf(fn);
  makeCall(record, givenOf(record, call), { reporter, span, spelled: name, dialect, namespace: dialect, facts: NO_FACTS, spanOf: () => undefined, outside: () => undefined });
}

/** The arguments of a call as if it were yet to be made. */
function givenOf(record: OpRecord, call: Call): Given {
  const { all } = parametersOf(record);
  let next = 0;
  const inputs = all.map(({ spec }): Expr | readonly Expr[] | undefined => {
    const value = isAttr(spec) ? undefined : call.args[next++];
    return !isAttr(spec) && spec.input === "indices" && value?.kind === "Tuple" ? value.elements : value;
  });
  const attributes = all.map(({ name }) => {
    const value = call.callee.attrs[name];
    return value === undefined ? undefined : staticOf(value);
  });
  return { inputs, attributes };
}

function staticOf(value: AttrValue): Static {
  if (typeof value !== "object" || value === null || !("dims" in value)) return value;
  return value.dims.map((dim) => ({ dim }));
}
