// Lowered to mapped, for one device: nests are fused and brought into order, then become loops, vectors and register blocks. Code
// without nests is left as it is, but for the level of its outermost parallel loops.

import { bodyOf, eachStmt, type Device, type FunctionNode, type Seq } from "@tilefoundry/ir";
import { dropDead } from "./map/dead.ts";
import { forwardStores } from "./map/forward.ts";
import { fuseNests, isLarge } from "./map/fuse.ts";
import { inlineProducers } from "./map/inline.ts";
import { mapBlock } from "./map/loops.ts";
import { allocated, makeMapping, type Mapping } from "./map/mapping.ts";
import { shrinkBuffers } from "./map/shrink.ts";
import { splitBlock } from "./map/split.ts";
import { tidyNames } from "./map/tidy.ts";
import { eachFunction, type Pass } from "./pass.ts";

export const map = {
  name: "map",
  from: "lowered",
  to: "mapped",
  doc: "Binds nests to loops, vectors and registers of one machine.",
  run: eachFunction((f, { device }) => mapFunction(f, device)),
} as const satisfies Pass;

function mapFunction(f: FunctionNode, device: Device): FunctionNode {
  const body = bodyOf(f);
  if (body === undefined) return f;
  const m = makeMapping(f, body, device);
  const fused = m.hasNests ? fuse(m, splitBlock(body)) : body;
  const loops = mapBlock(m, fused, { parallel: false, inLoop: false });
  const mapped = m.hasNests ? tidyNames(loops, f, m.authored) : loops;
  return mapped === body ? f : { ...f, body: mapped };
}

/** Two buffers of two symbolic extents find no place: then rows are finished one by one, which leaves room for a row of each. */
function fuse(m: Mapping, body: Seq): Seq {
  const settled = settle(m, body);
  if (largeBuffers(settled) < 2) return settled;
  m.sparing = true;
  return settle(m, settled);
}

function largeBuffers(body: Seq): number {
  let count = 0;
  eachStmt(body, (stmt) => {
    const buffer = allocated(stmt);
    if (buffer !== undefined && isLarge(buffer)) count++;
  });
  return count;
}

/** How often fusion is tried again: what one step joins opens the way for the next. */
const ROUNDS = 8;

function settle(m: Mapping, body: Seq): Seq {
  let current = body;
  let mayHoldDead = true; // joining nests and shrinking buffers leave nothing dead
  for (let round = 0; round < ROUNDS; round++) {
    const forwarded = forwardStores(m, current);
    const inlined = inlineProducers(m, forwarded);
    const sweeps = inlined !== forwarded || round === 0;
    mayHoldDead = !sweeps && (mayHoldDead || forwarded !== current);
    current = shrinkBuffers(m, fuseNests(m, sweeps ? dropDead(inlined, m.local) : inlined));
    if (inlined === forwarded && current === forwarded) break;
  }
  return mayHoldDead ? dropDead(current, m.local) : current;
}
