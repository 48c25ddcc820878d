import { expect, test } from "vitest";
import { Allocator } from "../src/allocator.ts";

test("blocks are aligned, do not overlap, and are never at address 0", () => {
  const allocator = new Allocator(65536);
  const taken = [1, 64, 65, 1000, 0].map((bytes) => ({ bytes, at: allocator.allocate(bytes) ?? NaN }));
  for (const [i, a] of taken.entries()) {
    expect(a.at % 64).toBe(0);
    expect(a.at).toBeGreaterThan(0);
    for (const b of taken.slice(i + 1)) expect(a.at + a.bytes <= b.at || b.at + b.bytes <= a.at).toBe(true);
  }
});

test("freed neighbours join, whatever the order of freeing", () => {
  for (const order of [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]]) {
    const allocator = new Allocator(1024 + 3 * 64);
    const blocks = [0, 1, 2].map(() => allocator.allocate(64) ?? NaN);
    expect(allocator.allocate(1)).toBeUndefined();
    for (const i of order) allocator.free(blocks[i] ?? NaN);
    expect(allocator.used).toBe(0);
    expect(allocator.allocate(3 * 64)).toBe(1024);
  }
});

test("freeing twice changes nothing", () => {
  const allocator = new Allocator(65536);
  const [a, b] = [allocator.allocate(64) ?? NaN, allocator.allocate(64) ?? NaN];
  allocator.free(a);
  allocator.free(a);
  expect(allocator.used).toBe(64);
  expect(allocator.allocate(64)).toBe(a);
  expect(allocator.allocate(64)).not.toBe(b);
});

test("growth joins the free end", () => {
  const allocator = new Allocator(2048);
  expect(allocator.allocate(4096)).toBeUndefined();
  allocator.extend(8192);
  expect(allocator.allocate(4096)).toBe(1024);
});

test("random use keeps blocks apart", () => {
  const allocator = new Allocator(1 << 20);
  const live = new Map<number, number>();
  let [state, overlaps] = [7, 0];
  const next = (n: number): number => (state = (Math.imul(state, 1103515245) + 12345) >>> 1) % n;
  for (let i = 0; i < 3000; i++) {
    if (live.size > 0 && next(3) === 0) {
      const [at] = [...live.keys()].slice(next(live.size));
      if (at === undefined) continue;
      allocator.free(at);
      live.delete(at);
    } else {
      const bytes = next(5000);
      const at = allocator.allocate(bytes);
      if (at === undefined) continue;
      for (const [other, size] of live) if (at + bytes > other && other + size > at) overlaps++;
      live.set(at, bytes);
    }
  }
  expect(overlaps).toBe(0);
});
