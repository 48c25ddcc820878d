// `T.reduce`: lanes i and i + n/2 are combined until one is left.

import type { Prim, ReduceKind } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { applyRow } from "./arithmetic.ts";
import { hold, partsOf, type Emit, type Parts } from "./context.ts";
import { highHalf, laneOf } from "./lanes.ts";
import { vectorLanes, type Kind, type Lanes } from "./registers.ts";
import { SCALARS } from "./scalars.ts";
import { sequence, type Tree } from "./tree.ts";
import { operandAt, type Row, type Uniform } from "./uniform.ts";
import { VECTORS } from "./vectors.ts";

/** What combines two lanes. On integers `and` and `or` work on the bits. */
function combinerOf(kind: ReduceKind, of: Kind): Uniform {
  if (kind === "and" || kind === "or") return of === "bool" ? kind : `bit${kind}`;
  return kind;
}

export function reduce(p: Prim, c: Emit): Parts {
  const [v] = p.args;
  const { kind } = p.attrs;
  invariant(v !== undefined && kind !== undefined, () => "reduce without a vector or a kind");
  const lanes = vectorLanes(v.type);
  const name = combinerOf(kind, lanes.kind);
  return [withinPart(joinParts(c.value(v), lanes, name, p, c), lanes, name, p, c)];
}

/** Part k is combined with part k + n/2 while there are several. */
function joinParts(parts: Parts, lanes: Lanes, name: Uniform, p: Prim, c: Emit): Tree {
  const half = parts.length / 2;
  if (half < 1) return operandAt(parts, 0);
  const row = partRow(lanes, name);
  const joined = partsOf(half, (i) => applyRow(row, [operandAt(parts, i), operandAt(parts, i + half)], [], p, c));
  return joinParts(joined, lanes, name, p, c);
}

/** Lanes of one part: the high half onto the low one, then lane 1 onto lane 0. */
function withinPart(part: Tree, lanes: Lanes, name: Uniform, p: Prim, c: Emit): Tree {
  const count = Math.min(lanes.perPart, lanes.count);
  const { before, read } = hold(part, c);
  if (count === 2) return sequence(before, pairOf(read, lanes, name, p, c));
  const high = highHalf(() => read);
  const halves = hold(applyRow(partRow(lanes, name), [read, high], [], p, c), c);
  return sequence([...before, ...halves.before], pairOf(halves.read, lanes, name, p, c));
}

function partRow(lanes: Lanes, name: Uniform): Row {
  const row = VECTORS[lanes.kind][name];
  invariant(row !== "lanewise" && !(typeof row === "object" && "shift" in row), () => `${name} lane by lane in a reduction`);
  return row;
}

function pairOf(read: Tree, lanes: Lanes, name: Uniform, p: Prim, c: Emit): Tree {
  return applyRow(SCALARS[lanes.kind][name], [laneOf(() => read, lanes, 0), laneOf(() => read, lanes, 1)], [], p, c);
}
