// What Python can say and the kernel language cannot, each refused by its name, with what to write instead.

import type { SExpr, SStmt } from "@tilefoundry/grammar";
import type { Reporter, Span } from "@tilefoundry/text";
import { fix } from "./complaints.ts";
import { poison, type Value } from "./value.ts";

interface Refusal {
  readonly what: string;
  readonly instead: string;
}

const EXPRESSIONS: { readonly [K in SExpr["kind"]]?: Refusal } = {
  Num: { what: "an imaginary number", instead: "keep real and imaginary part in two names" },
  Str: { what: "a bytes literal or an f-string", instead: "write a plain string" },
  Keyword: { what: "`...`", instead: "write a value" },
  SetDisplay: { what: "a set", instead: "write a list or a tuple" },
  DictDisplay: { what: "a dictionary", instead: "give each value a name of its own" },
  Comprehension: { what: "a comprehension", instead: "write the elements out, or loop with `for`" },
  Lambda: { what: "`lambda`", instead: "write the expression where it is used" },
  Ternary: { what: "`… if … else …` on values that are known only when the kernel runs", instead: "write `T.select(cond, a, b)`, or an `if` statement" },
  Compare: { what: "a chain of comparisons", instead: "write `a < b and b < c`" },
  Slice: { what: "a slice", instead: "write `pl.load` with offsets and a shape, or one index for each axis" },
  TupleDisplay: { what: "several indices into a list", instead: "index one level after the other: `table[i][j]`" },
  Starred: { what: "`*` before a value", instead: "write the values out" },
  Await: { what: "`await`", instead: "a kernel runs to its end: remove it" },
  YieldExpr: { what: "`yield`", instead: "a loop or `if` with results ends in `pl.yield_(…)`" },
  Walrus: { what: "`:=`", instead: "assign on a line of its own" },
};

/** Refuses an expression; what uses it stays silent. */
export function refuseExpr(e: SExpr, reporter: Reporter): Value {
  const { what, instead } = EXPRESSIONS[e.kind] ?? { what: "this expression", instead: "write it in another way" };
  reporter.report("TF1012", e.span, { what, instead });
  return poison(e.span);
}

/** Statements that no body has. `FunctionDef` and `Import` stand for those inside functions. */
const STATEMENTS: { readonly [K in SStmt["kind"]]?: Refusal } = {
  FunctionDef: { what: "a function inside a function", instead: "define it at module level" },
  ClassDef: { what: "a class inside a function", instead: "define what it holds at module level" },
  Import: { what: "an import inside a function", instead: "import at module level" },
  ImportFrom: { what: "an import inside a function", instead: "import at module level" },
  Delete: { what: "`del`", instead: "a name that is no longer read costs nothing: remove it" },
  Assert: { what: "`assert`", instead: "declare ranges of extents with `DimVar`, or check in the caller" },
  Raise: { what: "`raise`", instead: "a kernel has no exceptions: write a value that says so" },
  Try: { what: "`try`", instead: "a kernel has no exceptions: test the condition with `if`" },
  Global: { what: "a name of an outer block", instead: "pass values as parameters" },
  Match: { what: "`match`", instead: "write `if` and `elif`" },
  TypeAlias: { what: "`type`", instead: "write the type where it is used" },
};

export function refuseStmt(s: SStmt, reporter: Reporter): void {
  if (s.kind === "AugAssign") return refuseAugmented(s, reporter);
  const { what, instead } = STATEMENTS[s.kind] ?? { what: "this statement", instead: "write it in another way" };
  reporter.report("TF1012", keywordSpan(s), { what: s.kind === "Global" ? `\`${s.word}\`` : what, instead });
}

/** What only a `@func` does not have. */
const NOT_IN_GRAPH: { readonly [K in SStmt["kind"]]?: string } = {
  ExprStmt: "an expression on its own", AnnAssign: "an annotation without a value", IfStmt: "`if`", WhileStmt: "`while`",
  WithStmt: "`with`", BreakStmt: "`break`", ContinueStmt: "`continue`",
};

/** Whether a `@func` with loops admits a statement: an annotated assignment is one of its assignments. */
export const standsInGraph = (s: SStmt): boolean => !Object.hasOwn(NOT_IN_GRAPH, s.kind) || s.kind === "AnnAssign";

/** Refuses a statement that a `@func` does not have. */
export function refuseInGraph(s: SStmt, reporter: Reporter): void {
  const what = NOT_IN_GRAPH[s.kind];
  if (what === undefined) return refuseStmt(s, reporter);
  reporter.report("TF4120", keywordSpan(s), { what });
}

/** Expressions that need parentheses as an operand. */
const LOOSE: ReadonlySet<SExpr["kind"]> = new Set<SExpr["kind"]>(["Binary", "BoolOp", "Compare", "Ternary"]);

/** `x += e` with the statement that says the same. */
function refuseAugmented(s: Extract<SStmt, { readonly kind: "AugAssign" }>, reporter: Reporter): void {
  const op = s.op.endsWith("=") ? s.op.slice(0, -1) : s.op;
  const [target, value] = [textOf(s.target.span), textOf(s.value.span)];
  const right = LOOSE.has(s.value.kind) ? `(${value})` : value;
  const text = `${target} = ${target} ${op} ${right}`;
  const span = { ...s.target.span, end: s.value.span.end };
  reporter.report("TF1012", s.span, { what: `\`${op}=\``, instead: `write \`${text}\`` }, { fixes: [fix(`write \`${text}\``, span, text)] });
}

const textOf = (span: Span): string => span.source.text.slice(span.start, span.end);

/** The first word of a statement: its body is not at fault. */
export function keywordSpan(s: SStmt): Span {
  const word = /^[@\w]+/.exec(textOf(s.span))?.[0].length ?? 0;
  return word === 0 ? s.span : { ...s.span, end: s.span.start + word };
}

/** Names the parts of a loop or `while` that Python has and the language has not. */
export function refuseOrElse(word: "for" | "while", span: Span, reporter: Reporter): void {
  reporter.report("TF1012", span, { what: `\`else\` after \`${word}\``, instead: "write the statements after the loop" });
}

export function refuseAsync(span: Span, reporter: Reporter): void {
  reporter.report("TF1012", span, { what: "`async`", instead: "a kernel runs to its end: remove it" });
}
