// What bounds one text. Depth is counted here and in the fold of operators, so that no later stage meets a tree too deep to walk.

/** Brackets around one place: with these the parser has used about half of Node's usual stack at worst, a third as a rule. */
export const BRACKET_LIMIT = 110;

/** Blocks plus brackets around one place, and `elif`s of one `if`. A hundred brackets inside a hundred blocks stand. */
export const NESTING_LIMIT = 220;

/** Height of the tree of one expression, as of `a + b + c + …`: it is walked recursively later. */
export const HEIGHT_LIMIT = 500;

/** Syntax errors shown of one text. */
export const ERROR_LIMIT = 50;
