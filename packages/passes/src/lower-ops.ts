// Outlined to lowered: catalog calls become nests over logical buffers, handles of tensors and tiles vanish into the buffers they
// stand for, and what a function returns goes into Out parameters.

import {
  bodyOf, eachOperand, eachStmt, makeFunction, makeNames, seq, tensorType, variable, variablesOf, walk,
  type Expr, type FunctionNode, type Param, type Stmt, type TensorType, type Type, type Var,
} from "@tilefoundry/ir";
import { Reporter, type Diagnostic } from "@tilefoundry/text";
import { noDemands, type Demands } from "./lower-ops/demands.ts";
import { claimYields } from "./lower-ops/destinations.ts";
import { arrayVar, resolveHandles } from "./lower-ops/handles.ts";
import { openBlock, type ChangingExtents, type Lowering } from "./lower-ops/state.ts";
import { noDefinitions } from "./lower-ops/definitions.ts";
import { lowerReturn, lowerStatements, valuesOf } from "./lower-ops/statements.ts";
import { makeUses } from "./lower-ops/uses.ts";
import { makeKeys } from "./index-math.ts";
import { knownFacts } from "./known-facts.ts";
import { eachFunction, type Pass, type PassContext } from "./pass.ts";

export const lowerOps = {
  name: "lower-ops",
  from: "outlined",
  to: "lowered",
  doc: "Turns catalog ops into nests over buffers.",
  run: eachFunction((f, context, reporter) => (needsLowering(f) ? lowerFunction(f, context, reporter) : f)),
} as const satisfies Pass;

/** Whether anything is left that `lowered` does not admit: calls, arrays that are carried, copied or returned, returned values. */
function needsLowering(f: FunctionNode): boolean {
  const body = bodyOf(f);
  if (body === undefined) return false;
  let found = f.returns.length > 0;
  eachStmt(body, (stmt) => {
    found ||= bindsArray(stmt);
    if (!found) eachOperand(stmt, (e) => walk(e, (node) => (found ||= node.kind === "Call")));
  });
  return found;
}

function bindsArray(stmt: Stmt): boolean {
  const isArray = (v: { readonly type: Type }): boolean => v.type.kind === "Tensor";
  switch (stmt.kind) {
    case "Assign": return (isArray(stmt.target) || stmt.value.kind === "Call") && !(stmt.value.kind === "Prim" && stmt.value.op === "alloc_tensor");
    case "If": return stmt.results.some(isArray);
    case "For":
    case "While":
    case "Nest": return stmt.carries.some(isArray);
    case "Return": return stmt.values.length > 0;
    default: return false;
  }
}

/**
 * Lowers again while an extent turns out to change in a loop that was thought fixed; each round learns of at least one. Then once more
 * with every array cut to what is read of it, which mostly leaves no such extent. What is read is only known for sure when the extents are.
 */
function lowerFunction(f: FunctionNode, context: PassContext, reporter: Reporter): FunctionNode {
  const whole = lowerUntilFixed(f, context, undefined);
  const { lowered, diagnostics } = whole.rounds === 1 ? whole : lowerUntilFixed(f, context, whole.demands);
  reporter.diagnostics.push(...diagnostics);
  return lowered;
}

interface Settled extends Round {
  readonly rounds: number;
  readonly diagnostics: readonly Diagnostic[];
}

function lowerUntilFixed(f: FunctionNode, context: PassContext, known: Demands | undefined): Settled {
  const changing: ChangingExtents = new Map();
  for (let rounds = 1; ; rounds++) {
    const reporter = new Reporter();
    const round = lowerOnce(f, context, reporter, changing, known);
    if (!round.again) return { ...round, rounds, diagnostics: reporter.diagnostics };
  }
}

interface Round {
  readonly lowered: FunctionNode;
  readonly again: boolean;
  readonly demands: Demands;
}

function lowerOnce(f: FunctionNode, context: PassContext, reporter: Reporter, changing: ChangingExtents, known: Demands | undefined): Round {
  const body = bodyOf(f) ?? seq([]);
  const handles = resolveHandles(f, context.ops);
  const l: Lowering = {
    f, ops: context.ops, reporter, handles, changing, known,
    demands: noDemands(),
    names: makeNames([...variablesOf(f)].map((v) => v.hint)),
    lower: lowerStatements,
    uses: makeUses(handles),
    values: new Map(),
    scalars: new Map(),
    destinations: new Map(),
    facts: knownFacts(f),
    definitions: noDefinitions(),
    keys: makeKeys(),
    again: false,
    block: openBlock(undefined, body),
    meta: body.meta,
    inCondition: false,
  };
  enterParams(l, f);
  const returned = valuesOf(body);
  const outs = outParams(l, returned);
  claimYields(l, body, returned.map(arrayVar), outs.map((out) => out && { buffer: out, old: undefined }));
  lowerStatements(l, body);
  lowerReturn(l, returned, outs);
  const added = outs.flatMap((out): Param[] => (out === undefined ? [] : [{ var: out, direction: "out" }]));
  const lowered = makeFunction({ ...f, params: [...f.params, ...added], returns: [], body: seq(l.block.stmts, body.meta) }, f.meta);
  return { lowered, again: l.again, demands: l.demands };
}

function enterParams(l: Lowering, f: FunctionNode): void {
  for (const s of f.symbols) l.block.defined.add(s.var);
  for (const { var: param } of f.params) {
    l.block.defined.add(param);
    if (param.type.kind === "Tensor") l.values.set(param, { buffer: param, extents: param.type.shape });
  }
}

/** A parameter for each returned value that is not the handle of one: `out`, or `out0`, `out1`, … */
function outParams(l: Lowering, returned: readonly Expr[]): readonly (Var | undefined)[] {
  const kept = returned.map((value) => outType(l, value));
  const count = kept.filter((type) => type !== undefined).length;
  let next = 0;
  return kept.map((type) => {
    if (type === undefined) return undefined;
    const out = variable(l.names.fresh(count === 1 ? "out" : `out${next++}`), type);
    l.block.defined.add(out);
    return out;
  });
}

function outType(l: Lowering, value: Expr): TensorType | undefined {
  const array = arrayVar(value);
  if (array !== undefined && l.f.params.some((p) => p.var === l.handles.root(array))) return undefined;
  if (value.type.kind === "Tensor") return tensorType(value.type.shape, value.type.dtype);
  return value.type.kind === "Scalar" ? tensorType([], value.type.dtype) : undefined;
}
