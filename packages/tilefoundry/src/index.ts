// TileFoundry: kernels written as Python-like text, compiled and run from TypeScript.
export { tf, parseProgram } from "./tag.ts";
export { compile, compileNow, emit, entryOf, kernelOf, lower, withDims, type CompileOptions, type LowerOptions } from "./compile.ts";
export { diagnosticsOf, format, functionSelectors, lookup, moduleText, print, select, source, targetOf, toModule, weightsOf, type PrintOptions } from "./inspect.ts";
export { check, checkTemplate, type CheckResult } from "./check.ts";
export { checkJson, fromJson, moduleJson, toJson } from "./json.ts";
export { TileFoundryError } from "./error.ts";
export { dataOf, type AnyProgram, type Program, type ProgramData, type Runner } from "./program.ts";
export type { CallArguments, CallOptions, CallResult, Kernel } from "./kernel.ts";
export { resolveTarget, targetNames, type TargetSpec } from "./targets.ts";
export { array, fromNpy } from "./arrays.ts";
export { NdArray, toNpy, type ArgumentValue, type ArrayOptions } from "@tilefoundry/runtime";
export { dtype, DimVar } from "./values.ts";
export { makeLibrary, type OpenLibrary } from "./library.ts";
export { bindingOf, bindingsOf } from "./bindings.ts";
export type { FileOptions, TemplateValue } from "./tag.ts";
export type { Binding, HoleValue } from "@tilefoundry/frontend";
export { renderDiagnostic, renderDiagnostics, type Diagnostic, type Fix, type Span } from "@tilefoundry/text";
export type { DType, FunctionNode, ModuleNode, Stage } from "@tilefoundry/ir";
