// Running what was built: arrays, .npy files, WebAssembly in process, compiled C.
export { NdArray } from "./nd-array.ts";
export { makeArray, newArray, type ArrayOptions, type Nested } from "./array.ts";
export { type Element, type ElementData } from "./elements.ts";
export { fromNpy, toNpy } from "./npy.ts";
export { bindArguments, type ArgumentValue, type ArgumentValues, type BoundArgument, type BoundArguments, type CallResult } from "./arguments.ts";
export { callWith, type Runnable } from "./call.ts";
export { loadWasm } from "./wasm.ts";
export { loadCpu } from "./cpu.ts";
export { findCompiler } from "./cpu-library.ts";
export { availability, type Availability } from "./availability.ts";
export { readTextFile } from "./host.ts";
