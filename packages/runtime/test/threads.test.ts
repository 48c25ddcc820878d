// How many threads a kernel may use.

import { afterEach, expect, test } from "vitest";
import { quotaOf, threadCount } from "../src/threads.ts";

const before = process.env["TILEFOUNDRY_THREADS"];
afterEach(() => {
  if (before === undefined) delete process.env["TILEFOUNDRY_THREADS"];
  else process.env["TILEFOUNDRY_THREADS"] = before;
});

test("TILEFOUNDRY_THREADS says how many; what is no whole number from 1 on is ignored", () => {
  delete process.env["TILEFOUNDRY_THREADS"];
  const own = threadCount();
  expect(own).toBeGreaterThanOrEqual(1);
  for (const [text, count] of [["1", 1], ["3", 3], ["0", own], ["-2", own], ["1.5", own], ["many", own], ["", own]] as const) {
    process.env["TILEFOUNDRY_THREADS"] = text;
    expect(threadCount(), text).toBe(count);
  }
});

test("a control group's quota is rounded up to whole processors", () => {
  const quotas = [["max 100000\n", Infinity], ["150000 100000\n", 2], ["200000 100000", 2], ["5000 100000", 1], ["", Infinity]] as const;
  for (const [text, count] of quotas) expect(quotaOf(text), text).toBe(count);
});
