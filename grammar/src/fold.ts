// Operands and operators in a row → one tree, by Python's precedence. The grammar has one rule for all of them; what binds how
// tightly is the table below. The height of what is built is counted, so that no later stage meets a tree too deep to walk.

import { invariant, type Span } from "@tilefoundry/text";
import type { BinaryOp, CompareOp, SExpr, Unary } from "./ast.ts";

const NOT = 3;
const COMPARE = 4;
const SIGN = 11;
const POWER = 12;

/** Precedence of what stands between two operands; a higher one binds tighter. */
export const BETWEEN: ReadonlyMap<string, number> = new Map([
  ["or", 1], ["and", 2],
  ...["==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"].map((op): [string, number] => [op, COMPARE]),
  ["|", 5], ["^", 6], ["&", 7], ["<<", 8], [">>", 8], ["+", 9], ["-", 9], ["*", 10], ["/", 10], ["//", 10], ["%", 10], ["@", 10],
  ["**", POWER],
]);

/** Precedence of prefixes: they hold what binds tighter to their right. */
export const PREFIX: ReadonlyMap<string, number> = new Map([["not", NOT], ["-", SIGN], ["+", SIGN], ["~", SIGN], ["await", 13]]);

interface Operator {
  readonly op: string;
  readonly precedence: number;
  readonly prefix: boolean;
  readonly span: Span;
}

/** The stacks of a shunting yard; expressions inside brackets work above those around them. */
export class Fold {
  private readonly operands: SExpr[] = [];
  private readonly heights: number[] = [];
  private readonly operators: Operator[] = [];
  private base = 0;
  /** No operand of the innermost expression was read yet. */
  fresh = false;
  /** Height of the expression that ended last. */
  ended = 0;

  /** Begins an expression; returns what `end` needs to go back to the one around it. */
  begin(): number {
    const outer = this.base;
    this.base = this.operators.length;
    this.fresh = true;
    return outer;
  }

  reset(): void {
    this.operands.length = this.heights.length = this.operators.length = this.base = 0;
  }

  /** Whether an operator waits for the operand that comes: then `lambda` and `yield`, which take all that follows, may not come. */
  get waits(): boolean {
    return this.operators.length > this.base;
  }

  /** False where the prefix may not stand: `not` behind an operator that binds tighter. */
  prefix(op: string, span: Span): boolean {
    const top = this.top();
    this.operators.push({ op, precedence: PREFIX.get(op) ?? 0, prefix: true, span });
    return op !== "not" || top === undefined || top.precedence <= NOT;
  }

  operand(value: SExpr, height: number): void {
    this.operands.push(value);
    this.heights.push(height);
  }

  between(op: string, span: Span): void {
    const precedence = BETWEEN.get(op) ?? 0;
    for (let top = this.top(); top !== undefined && top.precedence >= precedence; top = this.top()) {
      // `**` binds to the right; a chain of comparisons is one node, made at its end
      if (top.precedence === precedence && (precedence === POWER || precedence === COMPARE)) break;
      this.reduce(top);
    }
    this.operators.push({ op, precedence, prefix: false, span });
  }

  /** Ends the expression and goes back to the one around it; the height of the value is in `ended`. */
  end(outer: number): SExpr {
    for (let top = this.top(); top !== undefined; top = this.top()) this.reduce(top);
    this.base = outer;
    this.ended = this.heights.pop() ?? 0;
    return this.take();
  }

  /** Applies the operator on top, with a comparison all that are chained to it. */
  private reduce(top: Operator): void {
    this.operators.pop();
    const right = this.take();
    if (top.prefix) this.push(prefixed(top, right), 1);
    else if (top.precedence === COMPARE) this.compare(top, right);
    else this.push(joined(top, this.take(), right), 2);
  }

  private compare(last: Operator, right: SExpr): void {
    const ops = [last.op as CompareOp]; // COMPARE is the precedence of these only
    const operands = [right, this.take()];
    for (let top = this.top(); top?.precedence === COMPARE; top = this.top()) {
      ops.push(top.op as CompareOp); // as above
      this.operators.pop();
      operands.push(this.take());
    }
    operands.reverse();
    const { source, start } = (operands[0] ?? right).span;
    this.push({ kind: "Compare", ops: ops.reverse(), operands, span: { source, start, end: right.span.end } }, operands.length);
  }

  private top(): Operator | undefined {
    return this.operators.length > this.base ? this.operators[this.operators.length - 1] : undefined;
  }

  private take(): SExpr {
    const value = this.operands.pop();
    invariant(value !== undefined, () => "an operator without operand");
    return value;
  }

  private push(value: SExpr, taken: number): void {
    let height = 0;
    for (let i = 0; i < taken; i++) height = Math.max(height, this.heights.pop() ?? 0);
    this.operands.push(value);
    this.heights.push(height + 1);
  }
}

function prefixed({ op, span }: Operator, operand: SExpr): SExpr {
  const whole = { source: span.source, start: span.start, end: operand.span.end };
  if (op === "await") return { kind: "Await", value: operand, span: whole };
  return { kind: "Unary", op: op as Unary["op"], operand, span: whole }; // PREFIX holds these and `await`
}

function joined({ op, span }: Operator, left: SExpr, right: SExpr): SExpr {
  const whole = { source: span.source, start: left.span.start, end: right.span.end };
  if (op === "and" || op === "or") return { kind: "BoolOp", op, left, right, span: whole };
  return { kind: "Binary", op: op as BinaryOp, left, right, opSpan: span, span: whole }; // BETWEEN holds these and the ones above
}
