// Literals are folded, what is proved of conditions, ranges and trip counts is used, and what nothing needs goes. No value changes
// its bits. Done again, it changes nothing: the passes that come later end with it, so that it also leaves their output alone.

import { bodyOf, calleeNames, namesOf, type FunctionNode } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { eachFunction, type Pass, type PassContext } from "./pass.ts";
import { closeScopes, holdsScope, openScopes } from "./scopes.ts";
import { dropDead } from "./simplify/dead.ts";
import { extentVariables } from "./simplify/extents.ts";
import { makeKnown } from "./simplify/known.ts";
import { simplifyBlock } from "./simplify/statements.ts";

export const simplify = {
  name: "simplify",
  from: "ssa",
  to: "ssa",
  doc: "Folds literals, proves conditions and bounds, and drops what nothing needs.",
  run: eachFunction((fn, context) => simplifyFunction(fn, context)),
} as const satisfies Pass;

/** Each round makes the function smaller or its operations cheaper; one round is the rule. */
const MOST_ROUNDS = 100;

export function simplifyFunction(fn: FunctionNode, { ops, fold }: Pick<PassContext, "ops" | "fold">): FunctionNode {
  const body = bodyOf(fn);
  if (body === undefined) return fn;
  const { body: open, marks } = holdsScope(body) ? openScopes(body) : { body, marks: undefined };
  let simple = open;
  for (let round = 0, again = true; again; round++) {
    invariant(round < MOST_ROUNDS, () => "simplification does not end");
    const before = simple;
    const pinned = extentVariables(fn, before);
    const known = makeKnown(fn, fold, pinned);
    const swept = dropDead(simplifyBlock(before, known), ops, pinned);
    simple = swept.body;
    // a walk leaves nothing that it could have done itself, but for what it noted; and fewer types may name variables now
    again = simple !== before && (known.again || swept.emptied || pinned.size > 0);
  }
  if (simple === open) return fn;
  const made = { ...fn, body: simple };
  return marks === undefined ? made : { ...fn, body: closeScopes(simple, marks, namesOf(made, calleeNames)) };
}
