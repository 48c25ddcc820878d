// The language as written.
export type * from "./ast.ts";
