// The tables that must hold a row for every node kind or primitive: a new one must make each of these files refuse to compile.
// Paths from the root of the workspace. A file that derives its work from FIELDS (equal, hash, …) needs no entry.

/** Files with a table total over expression kinds. */
export const EXPR_TABLES: readonly string[] = ["packages/ir/src/fields.ts", "packages/ir/src/children.ts", "packages/ir/src/json/rows.ts", "packages/ir/src/json/measures.ts", "packages/ir/src/verify-check.ts", "packages/interp/src/expressions.ts", "packages/frontend/src/to-surface/expressions.ts"];

/** Files with a table total over statement kinds. */
export const STMT_TABLES: readonly string[] = [
  "packages/ir/src/fields.ts",
  "packages/ir/src/children.ts",
  "packages/ir/src/json/rows.ts",
  "packages/ir/src/json/measures.ts",
  "packages/ir/src/verify-check.ts",
  "packages/ir/src/verify-control.ts",
  "packages/ir/src/verify-types.ts",
  "packages/interp/src/statements.ts",
  "packages/frontend/src/to-surface/statements.ts",
];

/** Files with a table total over the primitives. */
export const PRIM_TABLES: readonly string[] = ["packages/ir/src/prims.ts", "packages/interp/src/primitives.ts", "packages/targets/src/wasm/prims.ts", "packages/targets/src/cpu/prims.ts"];
