// The only place where variables split: from here to the end every variable has one definition and a name of its own. Values that
// meet at an `if` are its results, what goes around a loop is carried, and each write gives its handle a new name. Jumps are gone.

import { bodyOf, namesOf, variablesOf, type FunctionNode, type Names, type Seq, type VarLike } from "@tilefoundry/ir";
import { Reporter } from "@tilefoundry/text";
import { eachFunction, type Pass, type PassContext } from "./pass.ts";
import { checkDefinite } from "./to-ssa/definite.ts";
import { checkExits } from "./to-ssa/check-exits.ts";
import { convert } from "./to-ssa/convert.ts";
import { exitTable, type ExitTable } from "./to-ssa/exits.ts";
import { analyseFlow } from "./to-ssa/flow.ts";
import { checkNamesakes } from "./to-ssa/namesakes.ts";
import { findOrigins } from "./to-ssa/origins.ts";
import { checkStale } from "./to-ssa/stale.ts";
import { structure } from "./to-ssa/structure.ts";
import { scanVariables } from "./to-ssa/variables.ts";

export const toSsa = {
  name: "to-ssa",
  from: "parsed",
  to: "ssa",
  doc: "Gives every variable one definition; threads carries, joins and handles.",
  run: eachFunction(functionToSsa),
} as const satisfies Pass;

function functionToSsa(fn: FunctionNode, { ops }: PassContext, reporter: Reporter): FunctionNode {
  const body = bodyOf(fn);
  if (body === undefined) return fn;
  const own = new Reporter();
  const exits = exitTable();
  checkAuthored(fn, body, exits, { ops, reporter: own });
  const converted = own.hasErrors ? body : split(fn, body, exits, { ops, reporter: own });
  reporter.diagnostics.push(...own.diagnostics);
  return converted === body ? fn : { ...fn, body: converted };
}

interface Context {
  readonly ops: PassContext["ops"];
  readonly reporter: Reporter;
}

/** What must hold of the statements as written. */
function checkAuthored(fn: FunctionNode, body: Seq, exits: ExitTable, { ops, reporter }: Context): void {
  checkExits(fn, body, exits, reporter);
  checkNamesakes(body, reporter);
  if (reporter.hasErrors) return;
  const variables = scanVariables(fn, body, ops);
  if (variables.unsure.size > 0) checkDefinite(fn, body, variables, findOrigins(body, variables.split, ops), reporter);
}

function split(fn: FunctionNode, body: Seq, exits: ExitTable, { ops, reporter }: Context): Seq {
  const names = namesOf(fn);
  const structured = structure(fn, body, exits, names);
  const { split: variables } = scanVariables(fn, structured.body, ops);
  if (structured.body === body && variables.size === 0 && namesDiffer(fn)) {
    checkStale(body, fn.params.map((p) => p.var), ops, (v) => v.hint, reporter);
    return body;
  }
  const converted = convertBody(fn, structured, variables, names, { ops, reporter });
  checkStale(converted.body, fn.params.map((p) => p.var), ops, (v) => converted.versions.authored(v).hint, reporter);
  return converted.body;
}

function convertBody(fn: FunctionNode, structured: ReturnType<typeof structure>, variables: ReadonlySet<VarLike>, names: Names, { ops, reporter }: Context): ReturnType<typeof convert> {
  const flows = analyseFlow(structured.body, variables, ops);
  const origins = findOrigins(structured.body, variables, ops);
  return convert(fn, structured.body, names, { ops, split: variables, flows, origins, lead: structured.lead, reporter });
}

/** Whether every variable has a name of its own. */
function namesDiffer(fn: FunctionNode): boolean {
  const all = variablesOf(fn);
  return new Set([...all].map((v) => v.hint)).size === all.size;
}
