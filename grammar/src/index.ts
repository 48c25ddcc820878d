// The language as written.
export type * from "./ast.ts";
import * as make from "./make.ts";

/** Makers of surface nodes that come from no text. */
export { make };
