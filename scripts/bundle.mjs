// Where bundles lie, whether one is up to date, and how one is run with its code cache. Apart from bootstrap.mjs, so that a command
// that has nothing to build loads little.

import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Beside a bundle: when it was begun, and from what it was made. */
export const INPUTS = "inputs.json";

const fileOf = (name, file) => join(ROOT, "dist", name, file);
export const bundleOf = (name) => fileOf(name, name === "tf" ? "main.cjs" : "main.mjs");

/** Whether a bundle was begun after the last change of every file that it was made from. */
export function isCurrent(name) {
  try {
    const { begun, files } = JSON.parse(readFileSync(fileOf(name, INPUTS), "utf8"));
    return files.every((file) => statSync(ROOT + file).mtimeMs < begun);
  } catch {
    return false; // there is no bundle, or a file is gone
  }
}

/** Runs the command's bundle in this process. What V8 compiled for a subcommand is kept beside the bundle for the next time. */
export function runTf([subcommand = ""]) {
  // Reading makes nodes that live as long as the program; V8 would conclude that all nodes do, and what the passes make would be no young garbage.
  setFlagsFromString("--no-allocation-site-pretenuring");
  const file = bundleOf("tf");
  const cache = /^[a-z]+$/.test(subcommand) ? fileOf("tf", `${subcommand}.cache`) : undefined;
  const cachedData = cache && readIfThere(cache);
  const source = readFileSync(file, "latin1"); // esbuild writes ASCII
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, { filename: file, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  if (cache === undefined || (cachedData !== undefined && !script.cachedDataRejected)) return;
  process.once("exit", (status) => {
    if (status < 2) writeIfPossible(cache, script.createCachedData()); // 2 is a wrong usage
  });
}

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Whole or not at all: several processes may write. */
function writeIfPossible(file, data) {
  try {
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, data);
    renameSync(temporary, file);
  } catch {
    return; // a checkout that is only read goes without
  }
}
