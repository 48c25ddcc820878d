// What bounds one text. Depth is counted here and in the fold of operators, so that no later stage meets a tree too deep to walk.

/** Blocks plus open brackets. A hundred brackets inside a hundred blocks stand. */
export const NESTING_LIMIT = 220;

/** Height of the tree of one expression, and `elif`s of one `if`: chains as long as this are walked recursively later. */
export const HEIGHT_LIMIT = 500;

/** Syntax errors shown of one text. */
export const ERROR_LIMIT = 50;
