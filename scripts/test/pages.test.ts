// The pages that are checked in are those that the code makes.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PAGES } from "../pages/all.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

test.each(Object.entries(PAGES))("%s is current (else: npm run pages)", (path, make) => {
  expect(readFileSync(`${ROOT}/${path}`, "utf8")).toBe(make());
});

test("the railroad page needs nothing from elsewhere", () => {
  const page = readFileSync(`${ROOT}/grammar/railroad.html`, "utf8");
  expect(page.match(/(?:src|href)="(?!#|GRAMMAR\.md)[^"]*"|@import|url\(|<script/g)).toBeNull();
});
