// Runs a script of the workspace from a checkout that has nothing but Node and npm: installs the packages of the lock file
// into the checkout, bundles with esbuild, then runs. Plain JavaScript, because it runs before anything is installed.
// Usage: node scripts/bootstrap.mjs demo|test|bench|fuzz|build [arguments]

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PNPM = "pnpm@12.4.2";
const INSTALLED = join(ROOT, "node_modules", ".installed-lock");

/** Bundles: folder in dist → entry. */
const BUNDLES = { tf: "packages/cli/src/main.ts", demo: "scripts/demo.ts", bench: "scripts/bench/main.ts", fuzz: "scripts/fuzz.ts" };
export const bundleOf = (name) => join(ROOT, "dist", name, "main.mjs");

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

/** Whether a source is newer than a bundle. */
export function stale(name) {
  if (!existsSync(bundleOf(name))) return true;
  const built = statSync(bundleOf(name)).mtimeMs;
  const newer = (path) => {
    const stat = statSync(path);
    if (!stat.isDirectory()) return stat.mtimeMs > built;
    return readdirSync(path).some((child) => !SKIPPED.has(child) && newer(join(path, child)));
  };
  return ["packages", "grammar", "samples", "scripts", "pnpm-lock.yaml"].some((path) => newer(join(ROOT, path)));
}

const SKIPPED = new Set(["node_modules", "dist", "test", "results.json"]);

/** Bundles one entry into dist/NAME/, self-contained but for what must stay native; what is loaded on demand stays in its own file. */
export async function build(name) {
  const { build: bundle } = await import("esbuild");
  const outdir = join(ROOT, "dist", name);
  rmSync(outdir, { recursive: true, force: true });
  await bundle({
    absWorkingDir: ROOT,
    entryPoints: [{ in: BUNDLES[name], out: "main" }],
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    external: ["koffi", "esbuild", "vitest", "wabt", "binaryen", "typescript", "@jax-js/jax"],
    banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
    sourcemap: true,
    logLevel: "warning",
  });
}

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
      if (stale(command)) await build(command);
      return run(process.execPath, ["--enable-source-maps", bundleOf(command), ...args]);
    default:
      process.stderr.write("usage: node scripts/bootstrap.mjs demo|test|bench|fuzz|build\n");
      return 2;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await main(process.argv.slice(2)));
