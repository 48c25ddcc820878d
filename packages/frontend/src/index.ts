// Surface tree → IR, and any stage of the IR → surface tree.
export { toIR, type ToIROptions } from "./to-ir.ts";
export type { HoleValue } from "./holes.ts";
export { isUnknownHole } from "./unknown-holes.ts";
export { toSurface } from "./to-surface/to-surface.ts";
export type { Binding } from "./bindings.ts";
export type { ImportPath, Library, LibraryText } from "./library.ts";
