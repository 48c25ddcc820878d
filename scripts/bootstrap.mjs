// Runs a script of the workspace from a checkout that has nothing but Node and npm: installs the packages of the lock file
// into the checkout, bundles with esbuild, then runs. Plain JavaScript, because it runs before anything is installed.
// Usage: node scripts/bootstrap.mjs demo|test|bench|fuzz|build [arguments]

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PNPM = "pnpm@12.4.2";
const INSTALLED = join(ROOT, "node_modules", ".installed-lock");
const BUILT = join(ROOT, "dist", ".built");

/** Bundles: name in dist → entry. */
const BUNDLES = { tf: "packages/cli/src/main.ts", demo: "scripts/demo.ts", bench: "scripts/bench/main.ts", fuzz: "scripts/fuzz.ts" };

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

/** Whether a source is newer than the bundles. */
export function stale() {
  if (!existsSync(BUILT)) return true;
  const built = statSync(BUILT).mtimeMs;
  const newer = (path) => {
    const stat = statSync(path);
    if (!stat.isDirectory()) return stat.mtimeMs > built;
    return readdirSync(path).some((name) => name !== "node_modules" && name !== "dist" && name !== "test" && newer(join(path, name)));
  };
  return ["packages", "grammar", "scripts", "pnpm-lock.yaml"].some((name) => newer(join(ROOT, name)));
}

/** Bundles every entry into dist/, each a self-contained ES module but for what must stay native. */
export async function build() {
  const { build: bundle } = await import("esbuild");
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  await bundle({
    absWorkingDir: ROOT,
    entryPoints: Object.entries(BUNDLES).flatMap(([out, entry]) => (existsSync(join(ROOT, entry)) ? [{ in: entry, out }] : [])),
    outdir: "dist",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    external: ["koffi", "esbuild", "vitest", "wabt", "binaryen", "typescript"],
    banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
    sourcemap: true,
    logLevel: "warning",
  });
  writeFileSync(BUILT, "");
}

async function main([command, ...args]) {
  install();
  if (command !== "test" && stale()) await build();
  switch (command) {
    case "build":
      return 0;
    case "test":
      return run(process.execPath, [join(ROOT, "scripts", "test.mjs"), ...args.filter((a) => a !== "--")]);
    case "demo":
    case "bench":
    case "fuzz":
      return run(process.execPath, ["--enable-source-maps", join(ROOT, "dist", `${command}.mjs`), ...args]);
    default:
      process.stderr.write("usage: node scripts/bootstrap.mjs demo|test|bench|fuzz|build\n");
      return 2;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await main(process.argv.slice(2)));
