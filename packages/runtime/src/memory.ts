// The one WebAssembly memory of the library: all kernel modules import it, arrays live in it, and blocks are handed out from it.

import { Allocator } from "./allocator.ts";

const PAGE = 65536;
const INITIAL_PAGES = 256;
/** What 32-bit addresses reach. */
const MOST_PAGES = 65536;

export interface SharedMemory {
  readonly memory: WebAssembly.Memory;
  /** Address of a free block of at least so many bytes, aligned to a cache line; undefined if there is no room. */
  allocate(bytes: number): number | undefined;
  free(address: number): void;
  /** Bytes handed out and not freed. */
  readonly used: number;
}

let shared: SharedMemory | undefined;

export function sharedMemory(): SharedMemory {
  return (shared ??= makeMemory());
}

function makeMemory(): SharedMemory {
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES });
  const allocator = new Allocator(INITIAL_PAGES * PAGE);
  return {
    memory,
    allocate(bytes) {
      const found = allocator.allocate(bytes);
      if (found !== undefined || !grow(memory, allocator, bytes)) return found;
      return allocator.allocate(bytes);
    },
    free: (address) => allocator.free(address),
    get used() {
      return allocator.used;
    },
  };
}

/** At least doubles, so that views are seldom renewed; takes less if the engine refuses. */
function grow(memory: WebAssembly.Memory, allocator: Allocator, bytes: number): boolean {
  const pages = memory.buffer.byteLength / PAGE;
  const needed = Math.ceil(bytes / PAGE) + 1;
  const room = MOST_PAGES - pages;
  if (needed > room) return false;
  for (const more of [Math.min(room, Math.max(pages, needed)), needed]) {
    try {
      memory.grow(more);
      allocator.extend((pages + more) * PAGE);
      return true;
    } catch {
      // the engine has no such room
    }
  }
  return false;
}
