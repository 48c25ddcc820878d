// The language as written: text → surface tree.
import * as make from "./make.ts";

export type * from "./ast.ts";
export { type HoleRange } from "./scanner.ts";
export { BRACKET_LIMIT, ERROR_LIMIT, HEIGHT_LIMIT, NESTING_LIMIT } from "./limits.ts";
export { parse } from "./parse.ts";
export { templateIn, templateSource, type TemplateText } from "./template.ts";
/** Makers of surface nodes that come from no text. */
export { make };
