// The words that the language knows by name, for editors: a separate entry point.
export { TYPE_WORDS } from "./annotation.ts";
export { DTYPE_SPELLINGS, SPACE_WORDS } from "./dtype-names.ts";
export { NAMESPACES } from "./members.ts";
export { PRIM_NAMES } from "./prim-call.ts";
export { LOOP_WORDS } from "./to-surface/spelling.ts";
