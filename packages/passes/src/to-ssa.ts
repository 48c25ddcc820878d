// The only place where variables split: from here to the end every variable has one definition and a name of its own. Values that
// meet at an `if` are its results, what goes around a loop is carried, and each write gives its handle a new name. Jumps are gone.

import { bodyOf, calleeNames, namesOf, variablesOf, type FunctionNode, type ModuleNode, type Seq, type VarLike } from "@tilefoundry/ir";
import { Reporter } from "@tilefoundry/text";
import { eachFunction, type Pass, type PassContext } from "./pass.ts";
import { closeScopes, holdsScope, openScopes, scopesAreClosed } from "./scopes.ts";
import { calls } from "./thread-calls.ts";
import { checkDefinite } from "./to-ssa/definite.ts";
import { convert } from "./to-ssa/convert.ts";
import { analyseFlow } from "./to-ssa/flow.ts";
import { findOrigins } from "./to-ssa/origins.ts";
import { checkStale } from "./to-ssa/stale.ts";
import { structure } from "./to-ssa/structure.ts";
import { scanVariables, type Variables } from "./to-ssa/variables.ts";
import { effectsOfCalls, type Effects } from "./writes.ts";

export const toSsa = {
  name: "to-ssa",
  from: "parsed",
  to: "ssa",
  doc: "Gives every variable one definition; threads carries, joins and handles.",
  run: eachFunction(functionToSsa),
} as const satisfies Pass;

function functionToSsa(fn: FunctionNode, { ops: known }: PassContext, reporter: Reporter, owner: ModuleNode): FunctionNode {
  const body = bodyOf(fn);
  if (body === undefined) return fn;
  const ops = owner.functions.length + owner.children.length < 2 ? known : effectsOfCalls(body, calls(owner, known)); // a lone function calls nothing
  const own = new Reporter();
  const { body: open, marks } = holdsScope(body) ? openScopes(body) : { body, marks: undefined };
  const variables = scanVariables(fn, open, ops);
  const running = runningLoops(fn, open, variables, ops, own);
  const converted = own.hasErrors ? open : split(fn, open, variables, running, { ops, reporter: own });
  reporter.diagnostics.push(...own.diagnostics);
  if (converted === open && (marks === undefined || scopesAreClosed(body))) return fn;
  const made = { ...fn, body: converted };
  return marks === undefined ? made : { ...fn, body: closeScopes(converted, marks, namesOf(made, calleeNames)) };
}

interface Context {
  readonly ops: Effects;
  readonly reporter: Reporter;
}

/** Loop variables of loops that surely run, where that matters; reports names that may be undefined. */
function runningLoops(fn: FunctionNode, body: Seq, variables: Variables, ops: Effects, reporter: Reporter): ReadonlySet<VarLike> {
  return variables.unsure.size === 0 ? NONE : checkDefinite(fn, body, variables, findOrigins(body, variables.split, ops), reporter);
}

const NONE: ReadonlySet<VarLike> = new Set();

function split(fn: FunctionNode, body: Seq, authored: Variables, running: ReadonlySet<VarLike>, { ops, reporter }: Context): Seq {
  const names = ops.calls === undefined ? namesOf(fn) : namesOf(fn, calleeNames);
  const structured = structure(fn, body, names);
  const { split: variables } = structured.body === body ? authored : scanVariables(fn, structured.body, ops);
  const params = fn.params.map((p) => p.var);
  if (structured.body === body && variables.size === 0 && namesDiffer(fn)) {
    checkStale(body, params, ops, (v) => v.hint, reporter);
    return body;
  }
  const flows = analyseFlow(structured.body, { split: variables, ops, running, jumps: structured.jumps });
  const origins = findOrigins(structured.body, variables, ops);
  const converted = convert(fn, structured.body, names, { ops, split: variables, flows, origins, lead: structured.lead, reporter });
  checkStale(converted.body, params, ops, (v) => converted.versions.authored(v).hint, reporter);
  return converted.body;
}

/** Whether every variable has a name of its own. */
function namesDiffer(fn: FunctionNode): boolean {
  const all = variablesOf(fn);
  return new Set([...all].map((v) => v.hint)).size === all.size;
}
