// `npm run pages`: writes the pages that are made from the code.

import { readFileSync, writeFileSync } from "node:fs";
import { PAGES } from "./pages/all.ts";

for (const [path, make] of Object.entries(PAGES)) {
  const text = make();
  if (current(path) === text) continue;
  writeFileSync(path, text);
  process.stdout.write(`wrote ${path}\n`);
}

function current(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // a new page
  }
}
