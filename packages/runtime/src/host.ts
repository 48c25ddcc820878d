// Node's own modules, asked for when they are needed and never imported: the package also loads in browsers, where there are none.

interface Builtins {
  readonly "node:child_process": typeof import("node:child_process");
  readonly "node:crypto": typeof import("node:crypto");
  readonly "node:fs": typeof import("node:fs");
  readonly "node:module": typeof import("node:module");
  readonly "node:os": typeof import("node:os");
  readonly "node:path": typeof import("node:path");
}

/** A module of Node, or undefined in a browser. */
export function builtin<K extends keyof Builtins>(name: K): Builtins[K] | undefined {
  const host = globalThis.process as { getBuiltinModule?: (name: string) => unknown } | undefined; // absent in browsers
  return host?.getBuiltinModule?.(name) as Builtins[K] | undefined; // the name fixes the module
}

/** Text of a file, or undefined where it cannot be read. */
export function readTextFile(path: string): string | undefined {
  try {
    return builtin("node:fs")?.readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
