export { parse } from "@tilefoundry/grammar";
export { makeSource, renderDiagnostics } from "@tilefoundry/text";
export { toIR } from "@tilefoundry/frontend";
export { builtinOps } from "@tilefoundry/ops";
