// Adds a node kind, then a primitive, to the sources in memory, and compiles: every total table must report that it lacks a row.

import ts from "typescript";
import { describe, expect, test } from "vitest";
import { EXPR_TABLES, PRIM_TABLES, STMT_TABLES } from "./total-tables.ts";

const workspace = ts.findConfigFile(ts.sys.getCurrentDirectory(), ts.sys.fileExists, "pnpm-workspace.yaml") ?? "";
const root = workspace.slice(0, workspace.lastIndexOf("/"));

const NODES = "packages/ir/src/nodes.ts";
const PRIM_NAMES = "packages/ir/src/prim-names.ts";

const EXTRA = `export interface Extra extends Base { readonly kind: "Extra"; readonly type: Type; readonly operand: Expr }\n`;

interface Change {
  readonly file: string;
  readonly edit: (text: string) => string;
}

const newExpr: Change = { file: NODES, edit: (text) => text.replace("export type Expr = Var", `${EXTRA}export type Expr = Extra | Var`) };
const newStmt: Change = { file: NODES, edit: (text) => text.replace("export type Stmt = Assign", `${EXTRA}export type Stmt = Extra | Assign`) };
const newPrim: Change = { file: PRIM_NAMES, edit: (text) => text.replace("export const PRIM_OPS = [", `export const PRIM_OPS = ["extra",`) };

const parsed = new Map<string, ts.SourceFile | undefined>();

/** Files among `files` that do not compile with the change. */
function refusing(files: readonly string[], change: Change | undefined): readonly string[] {
  const read = ts.readConfigFile(`${root}/tsconfig.base.json`, (path) => ts.sys.readFile(path));
  const base: unknown = read.config;
  const { options } = ts.parseJsonConfigFileContent(base, ts.sys, root);
  const settings = { ...options, composite: false, incremental: false, noEmit: true, emitDeclarationOnly: false, declaration: false };
  const host = ts.createCompilerHost(settings, true);
  const plain = host.getSourceFile;
  host.getSourceFile = (path, ...rest) => {
    if (change !== undefined && path === `${root}/${change.file}`) return edited(path, change, rest[0]);
    if (!parsed.has(path)) parsed.set(path, plain(path, ...rest));
    return parsed.get(path);
  };
  const program = ts.createProgram(files.map((f) => `${root}/${f}`), settings, host);
  return files.filter((f) => program.getSemanticDiagnostics(program.getSourceFile(`${root}/${f}`)).length > 0);
}

function edited(path: string, { edit }: Change, options: Parameters<ts.CompilerHost["getSourceFile"]>[1]): ts.SourceFile {
  const before = ts.sys.readFile(path) ?? "";
  const after = edit(before);
  if (after === before) throw new Error(`the change does not apply to ${path}`);
  return ts.createSourceFile(path, after, options, true);
}

describe("every table", () => {
  const all = [...new Set([...EXPR_TABLES, ...STMT_TABLES, ...PRIM_TABLES])];

  test("compiles as it is", () => {
    expect(refusing(all, undefined)).toEqual([]);
  });

  test("over expressions refuses a new kind of expression", () => {
    expect(refusing(EXPR_TABLES, newExpr)).toEqual(EXPR_TABLES);
  });

  test("over statements refuses a new kind of statement", () => {
    expect(refusing(STMT_TABLES, newStmt)).toEqual(STMT_TABLES);
  });

  test("over primitives refuses a new primitive", () => {
    expect(refusing(PRIM_TABLES, newPrim)).toEqual(PRIM_TABLES);
  });
});
