// `while`. (`pl.while_` with carries is a form of `for`: loops.ts.)

import type { WhileStmt } from "@tilefoundry/grammar";
import { whileLoop, type Stmt } from "@tilefoundry/ir";
import { condition } from "./condition.ts";
import { openEnv } from "./env.ts";
import { leaveLoop } from "./loop-flow.ts";
import type { LoopFrame, LowerBlock, Place } from "./place.ts";
import { keywordSpan, refuseOrElse } from "./refuse.ts";
import { within } from "./scope.ts";

export function whileStatement(s: WhileStmt, place: Place, lower: LowerBlock): readonly Stmt[] {
  if (s.orelse !== undefined) refuseOrElse("while", s.orelse.span, place.reporter);
  const body = openEnv(place.env, true);
  const frame: LoopFrame = { word: "while", span: keywordSpan(s), fixed: undefined, body, breaks: [], continues: [] };
  const inside = within(place, body, place.facts, frame);
  const cond = condition(s.cond, inside);
  const block = lower(s.body, inside);
  const endless = cond.kind === "Const" && cond.value === true;
  leaveLoop({ frame, certain: endless, endless, isParallel: false }, place);
  return cond.type.kind === "Unknown" ? [] : [whileLoop(cond, block, [], [], { span: s.span })];
}
