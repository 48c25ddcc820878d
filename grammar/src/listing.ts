// Lists that are being read, one inside the other. Each keeps its store for the next list at its depth, so that a list costs no more
// than the array of its items.

import type { Span } from "@tilefoundry/text";

/** A list that is being read. */
export class Listing<N> {
  private readonly slots: N[] = [];
  private count = 0;
  /** Of its highest item. */
  height = 0;
  /** A comma was read. */
  comma = false;
  /** An argument that is a generator without parentheses of its own. */
  generator: Span | undefined;

  open(): void {
    this.count = this.height = 0;
    this.comma = false;
    this.generator = undefined;
  }

  get size(): number {
    return this.count;
  }

  get first(): N | undefined {
    return this.count === 0 ? undefined : this.slots[0];
  }

  add(item: N, height: number): void {
    this.slots[this.count++] = item;
    if (height > this.height) this.height = height;
  }

  /** An array of no more than its length. */
  items(): readonly N[] {
    return this.slots.slice(0, this.count);
  }

  release(): void {
    this.slots.length = 0;
  }
}

/** The lists of one kind of items around a place. */
export class Listings<N> {
  private readonly all: Listing<N>[] = [];
  private depth = 0;

  open(): Listing<N> {
    const list = (this.all[this.depth++] ??= new Listing());
    list.open();
    return list;
  }

  /** The innermost list. */
  get top(): Listing<N> {
    return this.all[this.depth - 1] ?? this.open();
  }

  close(): void {
    this.depth--;
  }

  /** Ends all lists, as an error does. */
  reset(): void {
    this.depth = 0;
  }

  /** Lets go of what was read. */
  release(): void {
    for (const list of this.all) list.release();
  }
}
