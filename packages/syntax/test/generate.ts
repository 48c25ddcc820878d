// Random surface trees by seed, of every kind that stands in a kernel file: what the laws of printing run over.

import { make, type BinaryOp, type Block, type CompareOp, type SExpr, type SStmt } from "@tilefoundry/grammar";


export interface Random {
  /** An integer in `[0, n)`. */
  below(n: number): number;
  pick<T>(list: readonly T[]): T;
}

/** A generator of 32-bit numbers (mulberry32), the same on every machine. */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return { below, pick: (list) => list[below(list.length)] as (typeof list)[number] }; // lists are never empty
}

const NAMES = ["a", "b", "value", "some_longer_name", "x", "M"];
const BINARY: readonly BinaryOp[] = ["+", "-", "*", "/", "//", "%", "@", "**", "<<", ">>", "&", "|", "^"];
const COMPARE: readonly CompareOp[] = ["==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"];

type Make = (r: Random, depth: number) => SExpr;

const many = (r: Random, depth: number, most = 4): SExpr[] => Array.from({ length: r.below(most + 1) }, () => expr(r, depth));

const LEAVES: readonly Make[] = [
  (r) => make.name(r.pick(NAMES)),
  (r) => make.integer(r.below(100)),
  (r) => make.float(r.pick(["1.0", "0.5", "1e-6"])),
  (r) => make.text(r.pick(["f32", "a \"quoted\" word", ""])),
  (r) => make.word(r.pick(["True", "False", "None", "..."] as const)),
];

const NODES: readonly Make[] = [
  (r, d) => make.binary(r.pick(BINARY), expr(r, d), expr(r, d)),
  (r, d) => make.binary(r.pick(BINARY), expr(r, d), expr(r, d)),
  (r, d) => make.unary(r.pick(["-", "+", "~", "not"] as const), expr(r, d)),
  (r, d) => make.boolOp(r.pick(["and", "or"] as const), expr(r, d), expr(r, d)),
  (r, d) => {
    const ops = Array.from({ length: 1 + r.below(2) }, () => r.pick(COMPARE));
    return { kind: "Compare", ops, operands: Array.from({ length: ops.length + 1 }, () => expr(r, d)), span: make.MADE };
  },
  (r, d) => ({ kind: "Ternary", cond: expr(r, d), then: expr(r, d), else: expr(r, d), span: make.MADE }),
  (r, d) => make.call(expr(r, d), many(r, d), r.below(2) === 0 ? [] : [make.keyword("key", expr(r, d)), { name: undefined, star: "**", value: expr(r, d) }]),
  (r, d) => make.attribute(expr(r, d), r.pick(NAMES)),
  (r, d) => make.subscript(expr(r, d), [expr(r, d), ...many(r, d, 2)]),
  (r, d) => make.subscript(expr(r, d), [slice(r, d), ...many(r, d, 1)]),
  (r, d) => make.tupleOf(many(r, d)),
  (r, d) => make.listOf([...many(r, d), ...(r.below(4) === 0 ? [{ kind: "Starred", value: expr(r, d), span: make.MADE } as const] : [])]),
  (r, d) => ({ kind: "DictDisplay", entries: many(r, d).map((value) => ({ key: r.below(4) === 0 ? undefined : expr(r, d), value })), span: make.MADE }),
  (r, d) => ({ kind: "SetDisplay", items: [expr(r, d), ...many(r, d)], span: make.MADE }),
  (r, d) => ({ kind: "Lambda", params: [make.param("p", undefined), { ...make.param("q", undefined), default: expr(r, d) }], body: expr(r, d), span: make.MADE }),
  (r, d) => {
    const form = r.pick(["list", "set", "dict", "generator"] as const);
    const clauses = [{ async: false, target: make.name("i"), iterable: expr(r, d), conditions: many(r, d, 2) }];
    return { kind: "Comprehension", form, key: form === "dict" ? expr(r, d) : undefined, element: expr(r, d), clauses, span: make.MADE };
  },
];

function slice(r: Random, d: number): SExpr {
  const bound = (): SExpr | undefined => (r.below(3) === 0 ? undefined : expr(r, d));
  return { kind: "Slice", lower: bound(), upper: bound(), step: bound(), span: make.MADE };
}

export function expr(r: Random, depth: number): SExpr {
  return r.pick(depth <= 0 || r.below(5) === 0 ? LEAVES : NODES)(r, depth - 1);
}

// — statements —

type MakeStmt = (r: Random, depth: number) => SStmt;

const target = (r: Random): SExpr => (r.below(3) === 0 ? make.tupleOf([make.name("a"), make.name("b")], false) : make.name(r.pick(NAMES)));

const above = (r: Random) => ({ comments: r.below(5) === 0 ? ["what this does", "", "and why"] : [], blankLines: r.below(4) });

const SIMPLE: readonly MakeStmt[] = [
  (r, d) => make.assignStmt(target(r), expr(r, d), above(r)),
  (r, d) => make.annAssign(make.name("x"), expr(r, 1), expr(r, d), above(r)),
  (r, d) => ({ ...make.exprStmt(make.name("x")), kind: "AugAssign", target: make.name("x"), op: r.pick(["+=", "//=", "@="]), value: expr(r, d) }),
  (r, d) => make.exprStmt(expr(r, d), above(r)),
  (r, d) => make.returnStmt(r.below(3) === 0 ? make.tupleOf([expr(r, d), expr(r, d)], false) : expr(r, d), above(r)),
  (r, d) => ({ ...make.pass(), kind: "Assert", test: expr(r, d), message: r.below(2) === 0 ? undefined : expr(r, d) }),
  () => make.pass(),
  () => make.breakStmt(),
];

const COMPOUND: readonly MakeStmt[] = [
  (r, d) => make.forStmt(target(r), expr(r, 2), block(r, d), above(r)),
  (r, d) => make.whileStmt(expr(r, 2), block(r, d), above(r)),
  (r, d) => make.ifStmt(expr(r, 2), block(r, d), r.below(2) === 0 ? undefined : block(r, d), above(r)),
  (r, d) => make.ifStmt(expr(r, 2), block(r, d), make.block([make.ifStmt(expr(r, 2), block(r, d), block(r, d), {}, true)])),
  (r, d) => make.functionDef({ decorators: [expr(r, 2)], name: "f", params: many(r, 1).map((t, i) => make.param(`p${i}`, t)), returns: expr(r, 1), body: block(r, d) }, above(r)),
];

export function stmt(r: Random, depth: number): SStmt {
  return depth > 0 && r.below(4) === 0 ? r.pick(COMPOUND)(r, depth - 1) : r.pick(SIMPLE)(r, 1 + r.below(4));
}

export function block(r: Random, depth: number): Block {
  return make.block(Array.from({ length: 1 + r.below(3) }, () => stmt(r, depth)), r.below(6) === 0 ? ["at the end"] : []);
}
