// IR to IR, one pass a file, one list of orders.
export { eachFunction, type Pass, type PassContext } from "./pass.ts";
export { inOrder, PASSES, passesUpTo, problemsOf, runPasses, type OnPass, type PassName } from "./pipeline.ts";
