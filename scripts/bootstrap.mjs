// Runs a script of the workspace from a checkout that has nothing but Node and npm: installs the packages of the lock file
// into the checkout, bundles with esbuild, then runs. Plain JavaScript, because it runs before anything is installed.
// Usage: node scripts/bootstrap.mjs demo|test|bench|fuzz|pages|build [arguments]

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleOf, INPUTS, isCurrent, ROOT } from "./bundle.mjs";

const PNPM = "pnpm@12.4.2";
const INSTALLED = join(ROOT, "node_modules", ".installed-lock");

/** Entries of the bundles, by the folder in dist; the command has two more for the process in which `tf check --exec` runs a module. */
const ENTRIES = {
  tf: { main: "packages/cli/src/main.ts", "run-module": "packages/cli/src/typescript/run-module.ts", hooks: "packages/cli/src/typescript/hooks.ts" },
  demo: { main: "scripts/demo.ts" },
  bench: { main: "scripts/bench/main.ts" },
  fuzz: { main: "scripts/fuzz.ts" },
  pages: { main: "scripts/pages.ts" },
};

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", ...options });
  if (error) throw error;
  return status ?? 1;
}

/** Installs what the lock file names, unless this very lock file is already installed. */
export function install() {
  const lock = readFileSync(join(ROOT, "pnpm-lock.yaml"), "utf8");
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, "utf8") === lock) return;
  process.stderr.write(`installing packages into ${join(ROOT, "node_modules")}\n`);
  const status = run("npx", ["--yes", PNPM, "install", "--frozen-lockfile", "--reporter=append-only"], { stdio: ["ignore", 2, 2] });
  if (status !== 0) {
    process.stderr.write("the packages could not be installed: is the npm registry reachable?\n");
    process.exit(3);
  }
  writeFileSync(INSTALLED, lock);
}

/** `tf` is one script, which can be run with a code cache; its modules are loaded on demand. The others are modules of their own. */
const SHAPES = {
  script: {
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    define: { "import.meta.url": "__url" },
    banner: { js: 'const __url = require("node:url").pathToFileURL(__filename).href;' },
  },
  modules: {
    format: "esm",
    splitting: true,
    outExtension: { ".js": ".mjs" },
    banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
  },
};

/** Bundles entries into a folder, each self-contained but for what must stay native. */
async function bundle(entries, outdir, shape) {
  const { build: esbuild } = await import("esbuild");
  return esbuild({
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir,
    bundle: true,
    platform: "node",
    target: "node20",
    nodePaths: [join(ROOT, "node_modules")], // for files outside of the checkout
    external: ["koffi", "esbuild", "vitest", "wabt", "binaryen", "typescript", "@jax-js/jax"],
    metafile: true,
    sourcemap: true,
    logLevel: "warning",
    ...shape,
  });
}

/** Bundles one entry into dist/NAME/. The folder is replaced when all is there. */
export async function build(name) {
  const outdir = join(ROOT, "dist", `${name}.${process.pid}`);
  const begun = Date.now();
  const { metafile } = await bundle(ENTRIES[name], outdir, SHAPES[name === "tf" ? "script" : "modules"]);
  // packages that are installed change with the lock file only
  const sources = Object.keys(metafile.inputs).filter((file) => !file.includes("node_modules/"));
  const files = [...sources, ...manifests(), "pnpm-lock.yaml", "scripts/bootstrap.mjs", "scripts/bundle.mjs"];
  writeFileSync(join(outdir, INPUTS), JSON.stringify({ begun, files }));
  const folder = join(ROOT, "dist", name);
  rmSync(folder, { recursive: true, force: true });
  renameSync(outdir, folder);
}

/** Runs a TypeScript or JavaScript file that may import `tilefoundry`, from where the user stands. */
export async function runFile(file, args) {
  const outdir = join(ROOT, "dist", `run.${process.pid}`);
  try {
    await bundle({ main: resolve(file) }, outdir, SHAPES.modules);
    return run(process.execPath, ["--enable-source-maps", join(outdir, "main.mjs"), ...args], { cwd: process.cwd() });
  } catch (error) {
    if (!Array.isArray(error?.errors)) throw error; // esbuild has said what is wrong with the file
    return 1;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

const manifests = () => ["grammar", ...readdirSync(join(ROOT, "packages")).map((p) => `packages/${p}`)].map((p) => `${p}/package.json`).filter((file) => existsSync(ROOT + file));

async function main([command, ...args]) {
  install();
  switch (command) {
    case "build":
      await build("tf");
      return 0;
    case "test":
      return run(process.execPath, [join(ROOT, "scripts", "test.mjs"), ...args.filter((a) => a !== "--")]);
    case "demo":
    case "bench":
    case "fuzz":
    case "pages":
      if (!isCurrent(command)) await build(command);
      return run(process.execPath, ["--enable-source-maps", bundleOf(command), ...args]);
    default:
      process.stderr.write("usage: node scripts/bootstrap.mjs demo|test|bench|fuzz|pages|build\n");
      return 2;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await main(process.argv.slice(2)));
