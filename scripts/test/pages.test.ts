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

test("every rule of the railroad page is drawn, and led to where it is used", () => {
  const page = readFileSync(`${ROOT}/grammar/railroad.html`, "utf8");
  const drawn = [...page.matchAll(/<h2 id="(\w+)">/g)].map((m) => m[1]);
  const used = new Set([...page.matchAll(/<a href="#(\w+)"><rect/g)].map((m) => m[1]));
  expect([...used].filter((name) => !drawn.includes(name))).toEqual([]);
  expect(drawn.filter((name) => !used.has(name))).toEqual(["text"]);
});
