// Which variables of a file may hold something else than what they begin with: those that are assigned again, or whose elements are.

import type TypeScript from "typescript";
import { nodesIn, type Script, type TS } from "./script.ts";

/** Methods that change the array they are called on. */
const CHANGING: ReadonlySet<string> = new Set(["push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "copyWithin"]);
/** Functions of `Object` and `Reflect` that change their first argument. */
const CHANGING_FIRST: ReadonlySet<string> = new Set(["assign", "defineProperty", "defineProperties", "set", "deleteProperty"]);

export function assignedIn({ ts, file, declarationOf }: Script): ReadonlySet<TypeScript.Declaration> {
  const found = new Set<TypeScript.Declaration>();
  for (const node of nodesIn(file, ts)) {
    for (const name of changedBy(node, ts).flatMap((target) => namesIn(target, ts))) {
      const declaration = declarationOf(name);
      if (declaration !== undefined) found.add(declaration);
    }
  }
  return found;
}

/** What a node assigns to, changes or deletes. */
function changedBy(node: TypeScript.Node, ts: TS): readonly TypeScript.Node[] {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment ? [node.left] : [];
  }
  if (ts.isPostfixUnaryExpression(node)) return [node.operand];
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken ? [node.operand] : [];
  if (ts.isDeleteExpression(node)) return [node.expression];
  if (ts.isForInStatement(node) || ts.isForOfStatement(node)) return [node.initializer];
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression: owner, name } = node.expression;
  const changesFirst = ts.isIdentifier(owner) && (owner.text === "Object" || owner.text === "Reflect") && CHANGING_FIRST.has(name.text);
  if (changesFirst) return node.arguments.slice(0, 1);
  return CHANGING.has(name.text) ? [owner] : [];
}

/** The variables that a target changes: the owner of a member, the parts of a pattern. */
function namesIn(target: TypeScript.Node, ts: TS): readonly TypeScript.Identifier[] {
  let owner = target;
  while (ts.isPropertyAccessExpression(owner) || ts.isElementAccessExpression(owner)) owner = owner.expression;
  return [...nodesIn(owner, ts)].filter((node) => ts.isIdentifier(node));
}
