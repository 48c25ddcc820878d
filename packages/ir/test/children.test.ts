// What is spelt out by kind says the same as the field table, for a node of every kind.

import {
  add, assign, blocksOf, boundBy, breakLoop, call, continueLoop, definedBy, eachChild, eachOperand, evaluate, FIELDS, fieldsOf, fieldValue,
  forLoop, functionCall, ifThen, indexConst, INDEX, iterArg, mapChildren, op, reduceNest, returnValues, scopeRegion, seq, tuple, tupleGet, UNIT, variable, whileLoop,
  yieldValues, boolConst, isVarLike,
  type Expr, type Node, type Role, type Seq, type Stmt, type VarLike,
} from "@tilefoundry/ir";
import { describe, expect, test } from "vitest";

const v = (hint: string) => variable(hint, INDEX);
const block = (value: Expr): Seq => seq([yieldValues([value])]);
const carry = () => iterArg("c", INDEX, v("init"));

const NODES = [
  v("x"), carry(), indexConst(1), add(v("a"), v("b")), tuple([v("a"), v("b")]), tupleGet(tuple([v("a"), v("b")]), 1), call(op("pl.add"), [v("a"), v("b")], INDEX),
  functionCall("f", [v("a"), v("b")], INDEX),
  assign(v("t"), v("a")), evaluate(call(op("f"), [], UNIT)), ifThen(boolConst(true), block(v("a")), block(v("b")), [v("r")]), ifThen(boolConst(true), block(v("a"))),
  forLoop({ loopVar: v("i"), start: v("a"), stop: v("b"), step: v("s"), carries: [carry()], body: block(v("c")), results: [v("r")] }),
  whileLoop(boolConst(true), block(v("c")), [carry()], [v("r")]),
  reduceNest([v("i"), v("j")], [v("m"), v("n")], [carry(), carry()], block(v("c")), [v("r"), v("q")]),
  scopeRegion({ type: "cluster", name: undefined }, block(v("c")), [v("r")]),
  returnValues([v("a"), v("b")]), yieldValues([v("a"), v("b")]), breakLoop(), continueLoop(), seq([breakLoop(), continueLoop()]),
] as const satisfies readonly Node[];

interface Child {
  readonly child: Node;
  readonly role: Role;
}

/** The children by the table. */
const listed = (node: Node): readonly Child[] =>
  fieldsOf(node.kind).flatMap(([field, role]) => {
    const value = fieldValue(node, field);
    if (role === "type" || role === "attr" || role === "hint" || value === undefined) return [];
    return (Array.isArray(value) ? value : [value]).map((child: Node) => ({ child, role }));
  });

const isStmt = (node: Node): node is Stmt => !isVarLike(node as Expr) && !("type" in node); // only the kind is looked at

describe("children", () => {
  test("there is an example of every kind", () => {
    expect(new Set(NODES.map((n) => n.kind))).toEqual(new Set(Object.keys(FIELDS)));
  });

  test.each(NODES.map((node) => [node.kind, node] as const))("of %s are visited in the order of the table", (_kind, node) => {
    const seen: Child[] = [];
    eachChild(node, (child, role) => seen.push({ child, role }));
    expect(seen).toEqual(listed(node));
    for (const [i, { child }] of listed(node).entries()) expect(seen[i]?.child).toBe(child);
  });

  test.each(NODES.map((node) => [node.kind, node] as const))("of %s are replaced one by one, in place", (_kind, node) => {
    const children = listed(node);
    expect(mapChildren(node, (child) => child)).toBe(node);
    for (const [at, { child: old }] of children.entries()) {
      const made: Node = { ...old };
      const order: Node[] = [];
      const changed = mapChildren<Node>(node, (child) => (order.push(child), child === old ? made : child));
      expect(order).toEqual(children.map((c) => c.child));
      expect(Object.keys(changed)).toEqual(Object.keys(node));
      expect(changed.meta).toBe(node.meta);
      for (const [i, { child }] of listed(changed).entries()) expect(child).toBe(i === at ? made : children[i]?.child);
    }
  });

  test("by role are those of the table", () => {
    for (const node of NODES.filter(isStmt)) {
      const by = (...roles: readonly Role[]) => listed(node).filter((c) => roles.includes(c.role)).map((c) => c.child);
      const operands: Expr[] = [];
      eachOperand(node, (e) => operands.push(e));
      const inits = listed(node).flatMap(({ child }) => (child.kind === "IterArg" ? [child.init] : []));
      expect(new Set(operands)).toEqual(new Set([...by("use", "uses", "inner"), ...inits]));
      expect(blocksOf(node)).toEqual(by("body"));
      expect(definedBy(node)).toEqual(by("def", "defs"));
      expect(new Set<VarLike | Node>(boundBy(node))).toEqual(new Set(by("bind", "binds")));
    }
  });
});
