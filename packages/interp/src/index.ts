// The interpreter of every stage.
export { interpret, type Interpretation, type InterpretOptions } from "./interpret.ts";
