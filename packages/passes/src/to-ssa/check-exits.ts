// Where `break`, `continue` and `return` may not stand, and functions that do not return a value on every way.

import type { FunctionNode, Seq, Stmt } from "@tilefoundry/ir";
import type { Reporter } from "@tilefoundry/text";
import type { ExitTable } from "./exits.ts";

export function checkExits(fn: FunctionNode, body: Seq, exits: ExitTable, reporter: Reporter): void {
  checkBlock(body, { loop: "none", inLoop: false }, reporter);
  if (fn.returns.length > 0 && exits.ofBlock(body).falls) reporter.report("TF4117", fn.meta.span, { name: fn.name });
}

interface Place {
  /** What the innermost loop is to a `break`. */
  readonly loop: "none" | "left" | "kept";
  readonly inLoop: boolean;
}

function checkBlock(block: Seq, place: Place, reporter: Reporter): void {
  for (const stmt of block.stmts) checkStmt(stmt, place, reporter);
}

function checkStmt(stmt: Stmt, place: Place, reporter: Reporter): void {
  switch (stmt.kind) {
    case "Break":
    case "Continue":
      if (place.loop !== "left") reportJump(stmt.kind === "Break" ? "break" : "continue", stmt, place, reporter);
      return;
    case "Return":
      if (place.inLoop) reporter.report("TF4106", stmt.meta.span, {});
      return;
    case "If":
      checkBlock(stmt.then, place, reporter);
      if (stmt.else !== undefined) checkBlock(stmt.else, place, reporter);
      return;
    case "For":
    case "While":
    case "Nest": {
      const left = stmt.kind === "While" || (stmt.kind === "For" && stmt.mode === "sequential");
      return checkBlock(stmt.body, { loop: left ? "left" : "kept", inLoop: true }, reporter);
    }
  }
}

function reportJump(word: string, stmt: Stmt, { loop }: Place, reporter: Reporter): void {
  const instead = loop === "none" ? "it belongs in a `for` or a `while`" : "only sequential loops and `while` are left early: loop with `pl.range`";
  reporter.report("TF4105", stmt.meta.span, { word, instead });
}
