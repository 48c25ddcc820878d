// What `T.alloc_tensor` makes in a space when its `tile=` does not say: reading and printing must agree on it.

import type { Storage } from "@tilefoundry/ir";

const TENSOR_SPACES: ReadonlySet<Storage> = new Set<Storage>(["gmem", "host"]);

export const isTileSpace = (space: Storage): boolean => !TENSOR_SPACES.has(space);
