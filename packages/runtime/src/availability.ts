// Whether this machine has what a target needs.

import type { TargetName } from "@tilefoundry/targets";
import { findCompiler } from "./cpu-library.ts";

/** What was found, or what is missing. */
export interface Availability {
  readonly found?: string;
  readonly missing?: string;
}

/** `v128.const` and an `i32x4` test: a module that only an engine with SIMD takes. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 10, 25, 1, 23, 0, 253, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 253, 163, 1, 11,
]);

export function availability(target: TargetName): Availability {
  switch (target) {
    case "wasm":
      if (typeof WebAssembly === "undefined") return { missing: "this engine has no WebAssembly" };
      return WebAssembly.validate(SIMD_PROBE) ? { found: "yes" } : { missing: "this engine has no WebAssembly SIMD" };
    case "cpu": {
      const compiler = findCompiler();
      return compiler === undefined ? { missing: "no C compiler; install gcc or clang" } : { found: compiler };
    }
  }
}
