// Blocks of a linear memory: first fit over a list of free ranges, neighbours joined on freeing. Addresses are cache lines.

const LINE = 64;

interface Range {
  start: number;
  end: number;
}

export class Allocator {
  /** Free ranges by address, never adjacent. */
  readonly #free: Range[];
  readonly #sizes = new Map<number, number>();
  #end: number;
  #used = 0;

  /** The first lines stay unused, so that no block has address 0. */
  constructor(end: number, start = 1024) {
    this.#free = [{ start, end }];
    this.#end = end;
  }

  get used(): number {
    return this.#used;
  }

  allocate(bytes: number): number | undefined {
    const size = Math.max(LINE, Math.ceil(bytes / LINE) * LINE);
    const at = this.#free.findIndex((r) => r.end - r.start >= size);
    const range = this.#free[at];
    if (range === undefined) return undefined;
    const { start } = range;
    range.start += size;
    if (range.start === range.end) this.#free.splice(at, 1);
    this.#sizes.set(start, size);
    this.#used += size;
    return start;
  }

  /** Gives a block back; a second time does nothing. */
  free(address: number): void {
    const size = this.#sizes.get(address);
    if (size === undefined) return;
    this.#sizes.delete(address);
    this.#used -= size;
    this.#insert({ start: address, end: address + size });
  }

  /** The memory has grown. */
  extend(end: number): void {
    if (end > this.#end) this.#insert({ start: this.#end, end });
    this.#end = Math.max(this.#end, end);
  }

  #insert(range: Range): void {
    const after = this.#free.findIndex((r) => r.start > range.start);
    const at = after < 0 ? this.#free.length : after;
    const [before, next] = [this.#free[at - 1], this.#free[at]];
    const joined = { start: range.start, end: range.end };
    let [first, removed] = [at, 0];
    if (before?.end === joined.start) [joined.start, first, removed] = [before.start, at - 1, 1];
    if (next?.start === joined.end) [joined.end, removed] = [next.end, removed + 1];
    this.#free.splice(first, removed, joined);
  }
}
