// The surface tree as nested lists without spans, comments and parentheses: the form in which trees are compared, also with
// those of Python's own parser (`python-dump.py`).

import type { Arg, Block, CompClause, ImportName, SExpr, SParam, SStmt } from "../src/ast.ts";

export type Dump = string | number | boolean | null | readonly Dump[];

type ExprOf<K> = Extract<SExpr, { readonly kind: K }>;
type StmtOf<K> = Extract<SStmt, { readonly kind: K }>;

const EXPRESSIONS: { readonly [K in SExpr["kind"]]: (e: ExprOf<K>) => Dump } = {
  Name: (e) => ["Name", e.name],
  Hole: (e) => ["Hole", e.index],
  Num: (e) => ["Num", e.form, e.form === "int" ? String(e.value) : e.value === Infinity ? "inf" : Number(e.value)],
  Str: (e) => ["Str", e.value ?? null],
  Keyword: (e) => ["Keyword", e.word],
  TupleDisplay: (e) => ["Tuple", ...e.items.map(expr)],
  ListDisplay: (e) => ["List", ...e.items.map(expr)],
  SetDisplay: (e) => ["Set", ...e.items.map(expr)],
  DictDisplay: (e) => ["Dict", ...e.entries.map(({ key, value }) => [maybe(key), expr(value)])],
  Comprehension: (e) => ["Comp", e.form, maybe(e.key), expr(e.element), e.clauses.map(clause)],
  Lambda: (e) => ["Lambda", e.params.map(param), expr(e.body)],
  Ternary: (e) => ["Ternary", expr(e.cond), expr(e.then), expr(e.else)],
  Unary: (e) => ["Unary", e.op, expr(e.operand)],
  Binary: (e) => ["Binary", e.op, expr(e.left), expr(e.right)],
  BoolOp: (e) => ["BoolOp", e.op, expr(e.left), expr(e.right)],
  Compare: (e) => ["Compare", [...e.ops], ...e.operands.map(expr)],
  Call: (e) => ["Call", expr(e.callee), ...e.args.map(arg)],
  Subscript: (e) => ["Subscript", expr(e.value), expr(e.index)],
  Slice: (e) => ["Slice", maybe(e.lower), maybe(e.upper), maybe(e.step)],
  Attribute: (e) => ["Attribute", expr(e.value), e.name],
  Starred: (e) => ["Starred", expr(e.value)],
  Await: (e) => ["Await", expr(e.value)],
  YieldExpr: (e) => ["Yield", e.from, maybe(e.value)],
  Walrus: (e) => ["Walrus", expr(e.target), expr(e.value)],
  Paren: (e) => expr(e.value),
  BadExpr: () => ["Bad"],
};

const STATEMENTS: { readonly [K in SStmt["kind"]]: (s: StmtOf<K>) => Dump } = {
  ExprStmt: (s) => ["ExprStmt", expr(s.value)],
  AssignStmt: (s) => ["AssignStmt", s.targets.map(expr), expr(s.value)],
  AugAssign: (s) => ["AugAssign", expr(s.target), s.op, expr(s.value)],
  AnnAssign: (s) => ["AnnAssign", expr(s.target), expr(s.annotation), maybe(s.value)],
  ReturnStmt: (s) => ["ReturnStmt", maybe(s.value)],
  Pass: (s) => [s.kind],
  BreakStmt: (s) => [s.kind],
  ContinueStmt: (s) => [s.kind],
  IfStmt: (s) => ["IfStmt", expr(s.cond), dump(s.body), maybeBlock(s.orelse)],
  ForStmt: (s) => ["ForStmt", s.async, expr(s.target), expr(s.iterable), dump(s.body), maybeBlock(s.orelse)],
  WhileStmt: (s) => ["WhileStmt", expr(s.cond), dump(s.body), maybeBlock(s.orelse)],
  WithStmt: (s) => ["WithStmt", s.async, s.items.map((i) => [expr(i.context), maybe(i.alias)]), dump(s.body)],
  FunctionDef: (s) => ["FunctionDef", s.async, s.decorators.map((d) => expr(d.value)), s.name, s.params.map(param), maybe(s.returns), dump(s.body)],
  ClassDef: (s) => ["ClassDef", s.decorators.map((d) => expr(d.value)), s.name, s.args.map(arg), dump(s.body)],
  Import: (s) => ["Import", imports(s.names)],
  ImportFrom: (s) => ["ImportFrom", s.level, s.module, s.names === "*" ? "*" : imports(s.names)],
  Delete: (s) => ["Delete", s.targets.map(expr)],
  Assert: (s) => ["Assert", expr(s.test), maybe(s.message)],
  Raise: (s) => ["Raise", maybe(s.value), maybe(s.cause)],
  Try: (s) => ["Try", dump(s.body), s.handlers.map((h) => [h.star, maybe(h.type), h.name ?? null, dump(h.body)]), maybeBlock(s.orelse), maybeBlock(s.finally)],
  Global: (s) => ["Global", s.word, [...s.names]],
  Match: (s) => ["Match", expr(s.subject)],
  TypeAlias: (s) => ["TypeAlias", s.name, expr(s.value)],
  BadStmt: (s) => ["BadStmt", s.text, maybeBlock(s.body)],
};

export function expr(e: SExpr): Dump {
  return (EXPRESSIONS[e.kind] as (e: SExpr) => Dump)(e); // the key fixes the kind
}

export function stmt(s: SStmt): Dump {
  return (STATEMENTS[s.kind] as (s: SStmt) => Dump)(s); // as above
}

export function dump(block: Block): Dump {
  return block.stmts.map(stmt);
}

const maybe = (e: SExpr | undefined): Dump => (e === undefined ? null : expr(e));
const maybeBlock = (b: Block | undefined): Dump => (b === undefined ? null : dump(b));
const arg = (a: Arg): Dump => ["Arg", a.name?.text ?? null, a.star, expr(a.value)];
const param = (p: SParam): Dump => [p.name, p.star, maybe(p.annotation), maybe(p.default)];
const clause = (c: CompClause): Dump => [c.async, expr(c.target), expr(c.iterable), c.conditions.map(expr)];
const imports = (names: readonly ImportName[]): Dump => names.map((n) => [n.path, n.alias ?? null]);
