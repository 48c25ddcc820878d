// Expressions as documents: one short function a kind. Authored parentheses are dropped and what precedence needs is written
// anew, so that a tree without `Paren` nodes prints right and a formatted text holds none that are idle.

import type { Arg, Comment, CompClause, DictEntry, SExpr, SParam } from "@tilefoundry/grammar";
import { closingComments, holdsComment, withComments } from "./comments.ts";
import { bracketed, enclosed, flatText, group, join, line, parenthesized, parenthesizedIfBroken, verbatim, type Doc } from "./docs.ts";
import { EXPRESSION, LEVEL, levelOf, NAMED, type Level } from "./precedence.ts";

type Of<K extends SExpr["kind"]> = Extract<SExpr, { readonly kind: K }>;

const PRINTERS: { readonly [K in SExpr["kind"]]: (e: Of<K>) => Doc } = {
  Name: (e) => e.name,
  Hole: (e) => written(e) ?? "${…}",
  Num: (e) => e.text,
  Str: (e) => group(join(line, e.parts.map((part) => verbatim(part.text)))),
  Keyword: (e) => e.word,
  TupleDisplay: tupleDisplay,
  ListDisplay: (e) => display("[", e.items, "]", e.trailing),
  SetDisplay: (e) => display("{", e.items, "}", e.trailing),
  DictDisplay: (e) => bracketed("{", e.entries.map(dictEntry), "}", { comma: true, last: closingComments(e.trailing) }),
  Comprehension: comprehension,
  Lambda: (e) => ["lambda", e.params.length > 0 ? " " : "", join(", ", e.params.map(parameter)), ": ", expression(e.body, EXPRESSION)],
  Ternary: ternary,
  Unary: (e) => [e.op === "not" ? "not " : e.op, expression(e.operand, e.op === "not" ? LEVEL.not : LEVEL.sign)],
  Binary: (e) => chain(e),
  BoolOp: (e) => chain(e),
  Compare: (e) => group(e.operands.map((o, i) => [i === 0 ? "" : [line, `${e.ops[i - 1] ?? ""} `], expression(o, LEVEL.bitor)])),
  Call: primary,
  Subscript: primary,
  Attribute: primary,
  Slice: slice,
  Starred: (e) => ["*", expression(e.value, LEVEL.bitor)],
  Await: (e) => ["await ", expression(e.value, LEVEL.primary)],
  YieldExpr: (e) => [e.from ? "yield from" : "yield", e.value === undefined ? "" : [" ", lineExpression(e.value)]],
  Walrus: (e) => [expression(e.target), " := ", expression(e.value)],
  Paren: (e) => enclosed("(", expression(e.value, LEVEL.yield), ")", closingComments(e.trailing)),
  BadExpr: (e) => written(e) ?? "",
};

/** Document of an expression where at least `level` is needed. */
export function expression(e: SExpr, level: Level = EXPRESSION): Doc {
  const bare = withoutIdleParens(e);
  const content = (PRINTERS[bare.kind] as (e: SExpr) => Doc)(bare); // the key fixes the kind
  return withComments(bare.comments, levelOf(bare) < level ? parenthesized(content) : content);
}

/** Authored parentheses are looked through; those with a comment inside stay. */
function withoutIdleParens(e: SExpr): SExpr {
  if (e.kind !== "Paren" || holdsComment(e)) return e;
  let inner: SExpr = e;
  while (inner.kind === "Paren") inner = inner.value;
  return inner;
}

/** An expression that ends a logical line: long operator chains get parentheses, and a bare tuple may stand. */
export function lineExpression(e: SExpr, level: Level = EXPRESSION): Doc {
  const bare = withoutIdleParens(e);
  if (bare.kind === "TupleDisplay" && !bare.parenthesized) return bareTuple(bare, true);
  const content = expression(bare, level);
  return breaksWithoutBrackets(bare) && levelOf(bare) >= level ? parenthesizedIfBroken(content) : content;
}

function breaksWithoutBrackets(e: SExpr): boolean {
  switch (e.kind) {
    case "Binary":
    case "BoolOp":
    case "Compare":
    case "Ternary":
    case "Lambda":
    case "Walrus":
      return true;
    case "Unary":
      return operandBreaks(e.operand, e.op === "not" ? LEVEL.not : LEVEL.sign);
    case "Await":
      return operandBreaks(e.value, LEVEL.primary);
    case "Str":
      return e.parts.length > 1;
    default:
      return false;
  }
}

function operandBreaks(operand: SExpr, level: Level): boolean {
  const bare = withoutIdleParens(operand);
  return levelOf(bare) >= level && breaksWithoutBrackets(bare);
}

/** `a, b` where the grammar takes it without parentheses. */
export function bareTuple(e: SExpr, mayBreak = false): Doc {
  if (e.kind !== "TupleDisplay" || e.parenthesized) return expression(e);
  const items = e.items.map((item) => expression(item));
  if (items.length === 1) return [items, ","];
  return mayBreak ? parenthesizedIfBroken(join([",", line], items), true) : join(", ", items);
}

/** The source text behind a node that is kept as it was. */
function written({ span }: SExpr): Doc | undefined {
  return span.end > span.start ? verbatim(span.source.text.slice(span.start, span.end)) : undefined;
}

// — brackets —

function display(open: string, items: readonly SExpr[], close: string, trailing: readonly Comment[] | undefined): Doc {
  const filled = items.length > 3 && items.every(isPlainNumber);
  return bracketed(open, items.map((item) => expression(item, NAMED)), close, { comma: true, filled, last: closingComments(trailing) });
}

function isPlainNumber(e: SExpr): boolean {
  return e.comments === undefined && (e.kind === "Num" || (e.kind === "Unary" && e.op === "-" && isPlainNumber(e.operand)));
}

function tupleDisplay(e: Of<"TupleDisplay">): Doc {
  const [only] = e.items;
  if (e.items.length !== 1 || only === undefined) return display("(", e.items, ")", e.trailing);
  return enclosed("(", [expression(only, NAMED), ","], ")", closingComments(e.trailing));
}

function dictEntry({ key, value, comments }: DictEntry): Doc {
  return withComments(comments, key === undefined ? ["**", expression(value, LEVEL.bitor)] : [expression(key), ": ", expression(value)]);
}

const COMPREHENSION_BRACKETS = { list: ["[", "]"], set: ["{", "}"], dict: ["{", "}"], generator: ["(", ")"] } as const;

function comprehension(e: Of<"Comprehension">): Doc {
  const [open, close] = COMPREHENSION_BRACKETS[e.form];
  return enclosed(open, comprehensionInside(e), close, closingComments(e.trailing));
}

function comprehensionInside(e: Of<"Comprehension">): Doc {
  const element = e.form === "dict" ? dictEntry({ key: e.key, value: e.element }) : expression(e.element, NAMED);
  return [element, e.clauses.map(clause)];
}

function clause({ async, target, iterable, conditions }: CompClause): Doc {
  const head = [line, async ? "async for " : "for ", bareTuple(target), " in ", expression(iterable, LEVEL.or)];
  return [head, conditions.map((c) => [line, "if ", expression(c, LEVEL.or)])];
}

// — operators —

function ternary(e: Of<"Ternary">): Doc {
  return group([expression(e.then, LEVEL.or), line, "if ", expression(e.cond, LEVEL.or), line, "else ", expression(e.else)]);
}

/** A chain of operators of one level is one group; it is collected in a loop, since it may be thousands of operands long. */
function chain(e: Of<"Binary"> | Of<"BoolOp">): Doc {
  const level = levelOf(e);
  if (level === LEVEL.power && e.kind === "Binary") return power(e);
  const next = tighter(level);
  const parts: Doc[] = [];
  let left: SExpr = e;
  while ((left.kind === "Binary" || left.kind === "BoolOp") && levelOf(left) === level && (left === e || left.comments === undefined)) {
    parts.push([line, `${left.op} `, expression(left.right, next)]);
    left = withoutIdleParens(left.left);
  }
  return group([expression(left, level), parts.reverse()]);
}

/** `**` binds to the right, and takes a sign on its right side. */
function power(e: Of<"Binary">): Doc {
  return [expression(e.left, LEVEL.await), " ** ", expression(e.right, LEVEL.sign)];
}

const LEVELS_UP: readonly Level[] = Object.values(LEVEL);

const tighter = (level: Level): Level => LEVELS_UP[level + 1] ?? LEVEL.primary;

// — primaries —

/** Attributes, calls and subscripts from the inside out; a loop, since such a chain has no limit. */
function primary(e: Of<"Attribute"> | Of<"Call"> | Of<"Subscript">): Doc {
  const suffixes: Doc[] = [];
  let value: SExpr = e;
  while (value === e || value.comments === undefined) {
    if (value.kind === "Attribute") {
      suffixes.push(`.${value.name}`);
      value = value.value;
    } else if (value.kind === "Call") {
      suffixes.push(callArguments(value));
      value = value.callee;
    } else if (value.kind === "Subscript") {
      suffixes.push(subscriptIndex(value));
      value = value.value;
    } else break;
    value = withoutIdleParens(value);
  }
  return [primaryBase(value), suffixes.reverse()];
}

function primaryBase(value: SExpr): Doc {
  // `5.x` would be read as a float, and joined strings may not go onto a second line here.
  if (value.kind === "Num") return parenthesized(value.text);
  const content = expression(value, LEVEL.primary);
  return value.kind === "Str" ? unbroken(content) : content;
}

function callArguments({ args, trailing }: Of<"Call">): Doc {
  const [only] = args;
  const generator = args.length === 1 && only?.name === undefined && only?.star === "" && only.value.kind === "Comprehension" && only.value.form === "generator" ? only.value : undefined;
  // A generator that is the only argument needs no parentheses of its own, and takes no comma.
  if (only === undefined || generator === undefined || generator.trailing !== undefined) return argumentList(args, trailing);
  return enclosed("(", withComments(only.comments, withComments(generator.comments, comprehensionInside(generator))), ")", closingComments(trailing));
}

export function argumentList(args: readonly Arg[], trailing: readonly Comment[] | undefined): Doc {
  return bracketed("(", args.map(argument), ")", { comma: true, last: closingComments(trailing) });
}

function argument({ name, star, value, comments }: Arg): Doc {
  const bare = name === undefined && star === "";
  return withComments(comments, bare ? expression(value, NAMED) : [name === undefined ? star : `${name.text}=`, expression(value)]);
}

function subscriptIndex({ index, trailing }: Of<"Subscript">): Doc {
  const [only] = index.kind === "TupleDisplay" && !index.parenthesized ? index.items : [];
  if (index.kind !== "TupleDisplay" || only === undefined) return enclosed("[", expression(index, NAMED), "]", closingComments(trailing));
  if (index.items.length === 1) return enclosed("[", [expression(only, NAMED), ","], "]", closingComments(trailing));
  return display("[", index.items, "]", trailing);
}

function slice(e: Of<"Slice">): Doc {
  const bounds = [e.lower, e.upper, e.step];
  const spaced = bounds.some((b) => b !== undefined && !isSimpleBound(b));
  const part = (b: SExpr | undefined, before: string): Doc => (b === undefined ? "" : [before, expression(b)]);
  const gap = spaced ? " " : "";
  const lower = e.lower === undefined ? ":" : [expression(e.lower), `${gap}:`];
  const step = e.step === undefined ? "" : [`${e.upper === undefined ? "" : gap}:`, part(e.step, gap)];
  return [lower, part(e.upper, gap), step];
}

const isSimpleBound = (e: SExpr): boolean =>
  e.kind === "Name" || e.kind === "Num" || e.kind === "Hole" || (e.kind === "Unary" && e.op === "-" && isSimpleBound(e.operand));

// — parameters —

/** A parameter of a function or of a `lambda`. */
export function parameter(p: SParam): Doc {
  const annotation = p.annotation === undefined ? "" : [": ", expression(p.annotation)];
  const equals = p.annotation === undefined ? "=" : " = ";
  const value = p.default === undefined ? "" : [equals, expression(p.default)];
  return withComments(p.comments, [p.star, p.name, annotation, value]);
}

/** What never breaks by choice: annotations and assignment targets. */
export function unbroken(doc: Doc): Doc {
  return flatText(doc) ?? doc;
}

