// C files → a shared object in the cache, by the system's compiler → a function to call. Objects are cached by content.

import type { Artifact } from "@tilefoundry/targets";
import { diagnostic, type Diagnostic, type Outcome } from "@tilefoundry/text";
import { builtin } from "./host.ts";
import { POOL_SOURCE } from "./pool-source.ts";
import { threadCount, wakeFromNs } from "./threads.ts";

/** Strict C with the rounding of the language; errno and traps are not observed, so calls of math functions may become instructions. */
export const C_FLAGS = ["-std=c11", "-O3", "-Wall", "-Wextra", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"] as const;

export interface Library {
  /** Calls the entry with the argument struct; 0 is success. */
  readonly launch: (args: BigInt64Array) => number;
  /** Address of a typed array's elements. */
  readonly address: (array: ArrayBufferView) => bigint;
}

/** The C compiler of this machine: `CC`, else gcc, cc or clang. */
export function findCompiler(): string | undefined {
  if (compiler === null) {
    const candidates = [globalThis.process?.env["CC"], "gcc", "cc", "clang"].filter((c) => c !== undefined && c !== "");
    compiler = candidates.find((c) => builtin("node:child_process")?.spawnSync(c ?? "", ["--version"]).status === 0);
  }
  return compiler;
}
let compiler: string | undefined | null = null;

/** The loaded object of an artifact, or why there is none. */
export function loadLibrary(artifact: Artifact): Outcome<Library | undefined> {
  const cc = findCompiler();
  if (cc === undefined) return missing(diagnostic("TF6030", undefined, {}));
  const koffi = loadKoffi();
  if (koffi === undefined) return missing(diagnostic("TF6031", undefined, {}));
  const object = compileObject(artifact.files, cc, ["-lm"]);
  if (object.value === undefined) return { value: undefined, diagnostics: object.diagnostics };
  const library = koffi.load(object.value);
  const { value: pool, diagnostics } = (thePool ??= loadPool(cc, koffi));
  const serial = library.func(`int ${artifact.entry}(void *args, void *pool)`);
  const entry = library.symbol(artifact.entry);
  const launch = pool === undefined ? (args: BigInt64Array) => serial(args, null) : (args: BigInt64Array) => pool(entry, args, threadCount(), wakeFromNs());
  return { value: { launch, address: (array) => BigInt(koffi.address(array)) }, diagnostics };
}

/** Runs a launcher, given by its address, on so many threads, which loops of so much work wake. */
type Pool = (entry: bigint, args: BigInt64Array, threads: number, wakeFromNs: number) => number;

/** The process's pool; without one, kernels run on the calling thread, which a note says. */
let thePool: Outcome<Pool | undefined> | undefined;

function loadPool(cc: string, koffi: Koffi): Outcome<Pool | undefined> {
  const object = compileObject([{ name: "pool.c", contents: POOL_SOURCE }], cc, ["-pthread", "-ldl"]);
  if (object.value === undefined) return withoutPool(object.diagnostics[0]?.message ?? "");
  try {
    const launch = koffi.load(object.value).func("int tf_pool_launch(void *launch, void *args, int threads, int64_t wake_from)");
    return { value: launch, diagnostics: [] };
  } catch (error) {
    return withoutPool(error instanceof Error ? error.message : String(error));
  }
}

const withoutPool = (reason: string): Outcome<undefined> => missing(diagnostic("TF6038", undefined, { reason }));

const missing = (d: Diagnostic): Outcome<undefined> => ({ value: undefined, diagnostics: [d] });

/** Path of the compiled object; compiles unless the cache holds it. */
function compileObject(files: Artifact["files"], cc: string, libraries: readonly string[]): Outcome<string | undefined> {
  const [fs, path, crypto, child] = [builtin("node:fs"), builtin("node:path"), builtin("node:crypto"), builtin("node:child_process")];
  if (fs === undefined || path === undefined || crypto === undefined || child === undefined) return missing(diagnostic("TF6030", undefined, {}));
  const texts = files.map((f) => `${f.name}\n${String(f.contents)}`);
  const hash = crypto.createHash("sha256").update([cc, ...C_FLAGS, ...libraries, ...texts].join("\0")).digest("hex").slice(0, 24);
  try {
    const cache = cacheFolder();
    const object = path.join(cache, `${hash}.so`);
    if (fs.existsSync(object)) return { value: object, diagnostics: [] };
    const folder = fs.mkdtempSync(path.join(cache, "build-"));
    for (const f of files) fs.writeFileSync(path.join(folder, f.name), f.contents);
    const sources = files.filter((f) => f.name.endsWith(".c")).map((f) => f.name);
    const result = child.spawnSync(cc, [...C_FLAGS, "-shared", "-fPIC", "-o", "kernel.so", ...sources, ...libraries], { cwd: folder, encoding: "utf8" });
    if (result.status !== 0) return missing(diagnostic("TF6032", undefined, { compiler: cc, message: firstLines(result.stderr) }));
    // renamed into place, so that a second process never loads half an object
    fs.renameSync(path.join(folder, "kernel.so"), object);
    fs.rmSync(folder, { recursive: true, force: true });
    return { value: object, diagnostics: [] };
  } catch (error) {
    return missing(diagnostic("TF6033", undefined, { reason: error instanceof Error ? error.message : String(error) }));
  }
}

/** Its first errors; warnings may come before them. */
const firstLines = (text: string): string => text.slice(Math.max(0, text.search(/^.*error:/m))).split("\n").slice(0, 5).join("\n");

/** `TILEFOUNDRY_CACHE`, else a folder of this user in the system's folder for temporary files. */
function cacheFolder(): string {
  const [fs, os, path] = [builtin("node:fs"), builtin("node:os"), builtin("node:path")];
  if (fs === undefined || os === undefined || path === undefined) return "";
  const folder = process.env["TILEFOUNDRY_CACHE"] ?? path.join(os.tmpdir(), `tilefoundry-${os.userInfo().uid}`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

interface Koffi {
  load(path: string): { func(prototype: string): (...args: readonly unknown[]) => number; symbol(name: string): bigint };
  address(array: ArrayBufferView): bigint | number;
}

/** koffi is an optional peer: `npm i tilefoundry` brings no native code. */
function loadKoffi(): Koffi | undefined {
  try {
    return builtin("node:module")?.createRequire(import.meta.url)("koffi") as Koffi; // its own types are for the whole package
  } catch {
    return undefined;
  }
}
