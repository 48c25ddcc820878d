// Lines → nested statements. Blocks are put together here on a stack of their own rather than by rules that call each other, so
// that deep blocks cost the parser no stack and a line at fault leaves the blocks around it whole.

import { diagnostic, type Diagnostic, type Source, type Span } from "@tilefoundry/text";
import type { BadStmt, Block, Comment, SStmt } from "./ast.ts";
import type { Head } from "./headers.ts";
import { NESTING_LIMIT } from "./limits.ts";
import { assemble, type Clause, type Compound, type DecoratorLine } from "./assemble.ts";

/** A block that is being read. */
interface Frame {
  readonly start: number;
  readonly stmts: SStmt[];
  decorators: DecoratorLine[];
  /** The statement whose next block or clause may still come. */
  open: { readonly decorators: readonly DecoratorLine[]; readonly clauses: Clause[] } | undefined;
}

type Kind = Head["kind"];

const CLAUSES: ReadonlySet<Kind> = new Set<Kind>(["elif", "else", "except", "finally"]);

/** What may follow a clause, by the kind of the statement and that of the clause. */
const FOLLOWS: Readonly<Partial<Record<Kind, Readonly<Partial<Record<Kind, readonly Kind[]>>>>>> = {
  if: { if: ["elif", "else"], elif: ["elif", "else"] },
  for: { for: ["else"] },
  while: { while: ["else"] },
  try: { try: ["except", "finally"], except: ["except", "else", "finally"], else: ["finally"] },
};

export class Outline {
  private readonly source: Source;
  private readonly report: (why: Diagnostic) => void;
  private readonly frames: Frame[] = [frameAt(0)];

  constructor(source: Source, report: (why: Diagnostic) => void) {
    this.source = source;
    this.report = report;
  }

  simple(stmts: readonly SStmt[]): void {
    this.orphans(stmts[0]?.span);
    this.close();
    this.append(stmts);
  }

  decorator(line: DecoratorLine): void {
    this.close();
    this.top().decorators.push(line);
  }

  header(clause: Clause): void {
    const { head, span } = clause;
    const { open } = this.top();
    if (CLAUSES.has(head.kind)) {
      if (open !== undefined && accepts(open.clauses, head.kind)) return void open.clauses.push(clause);
      this.report(diagnostic("TF1018", { ...span, end: span.start + head.kind.length }, { word: head.kind }));
      return this.begin({ ...clause, head: { kind: "bad", compound: true } });
    }
    this.begin(clause);
  }

  indent(start: number): void {
    this.frames.push(frameAt(start));
  }

  /** Ends a block with the comments at its tail. */
  dedent(trailingComments: readonly Comment[]): void {
    const block = this.endFrame(trailingComments);
    const top = this.top();
    const last = top.open?.clauses.at(-1);
    if (last !== undefined) last.body = block;
    else this.append(block.stmts); // below a line at fault that takes no block
  }

  /** The block of the line before is kept as it is. */
  raw(span: Span): void {
    const last = this.top().open?.clauses.at(-1);
    if (last !== undefined) last.body = { stmts: [], trailingComments: [], span };
  }

  /** Ends all blocks. */
  finish(trailingComments: readonly Comment[]): Block {
    while (this.frames.length > 1) this.dedent([]);
    return this.endFrame(trailingComments);
  }

  private begin(clause: Clause): void {
    const { kind } = clause.head;
    const decorated = kind === "def" || kind === "class" || kind === "bad";
    if (!decorated) this.orphans(clause.span);
    this.close();
    const top = this.top();
    top.open = { decorators: top.decorators, clauses: [clause] };
    top.decorators = [];
  }

  /** One by one: as arguments of one call, a long line would overflow the stack. */
  private append(stmts: readonly SStmt[]): void {
    const into = this.top().stmts;
    for (const stmt of stmts) into.push(stmt);
  }

  /** Makes the statement of the clauses that were read. */
  private close(): void {
    const top = this.top();
    const { open } = top;
    if (open === undefined) return;
    top.open = undefined;
    const over = open.clauses[0]?.head.kind === "if" ? open.clauses[NESTING_LIMIT] : undefined;
    if (over !== undefined) this.report(diagnostic("TF1011", { ...over.span, end: over.span.start + 4 }, { limit: NESTING_LIMIT }));
    const statement = over === undefined ? assemble(open) : undefined;
    top.stmts.push(statement ?? this.bad(open));
  }

  /** Decorators above something that takes none become a statement of their own. */
  private orphans(next: Span | undefined): void {
    const top = this.top();
    const [first] = top.decorators;
    const last = top.decorators[top.decorators.length - 1];
    if (first === undefined || last === undefined) return;
    const what = { expected: "`def` or `class` below the decorator", found: next === undefined ? "the end of the block" : "another statement" };
    this.report(diagnostic("TF1002", next ?? last.decorator.span, what));
    const span = { ...first.decorator.span, end: last.decorator.span.end };
    top.decorators = [];
    const { leading, blankLines } = first;
    top.stmts.push({ kind: "BadStmt", text: this.text(span), leading, trailing: last.decorator.trailing, blankLines, span });
  }

  /** The text of a line at fault, with the blocks and the clauses below it. */
  private bad({ decorators, clauses }: Compound): BadStmt {
    const [head] = clauses;
    const first = decorators[0] ?? head;
    const begin = decorators[0]?.decorator.span ?? head?.span ?? { source: this.source, start: 0, end: 0 };
    const stmts = clauses.flatMap((clause) => clause.body.stmts);
    const end = clauses.reduce((most, clause) => Math.max(most, clause.span.end, clause.body.span.end), begin.end);
    const span = { ...begin, end };
    const around = { leading: first?.leading ?? [], trailing: head?.trailing, blankLines: first?.blankLines ?? 0 };
    const bad: BadStmt = { kind: "BadStmt", text: this.text(span), ...around, span };
    const [inside] = stmts;
    if (inside === undefined) return bad;
    const trailingComments = clauses.flatMap((clause) => clause.body.trailingComments);
    return { ...bad, trailing: undefined, body: { stmts, trailingComments, span: { ...span, start: inside.span.start } } };
  }

  private endFrame(trailingComments: readonly Comment[]): Block {
    this.orphans(undefined);
    this.close();
    const { stmts, start } = this.top();
    if (this.frames.length > 1) this.frames.pop();
    const end = stmts[stmts.length - 1]?.span.end ?? start;
    return { stmts, trailingComments, span: { source: this.source, start, end } };
  }

  private text(span: Span): string {
    return this.source.text.slice(span.start, span.end);
  }

  private top(): Frame {
    return this.frames[this.frames.length - 1] ?? frameAt(0);
  }
}

function frameAt(start: number): Frame {
  return { start, stmts: [], decorators: [], open: undefined };
}

function accepts(clauses: readonly Clause[], next: Kind): boolean {
  const first = clauses[0]?.head;
  const last = clauses[clauses.length - 1]?.head;
  if (first === undefined || last === undefined) return false;
  if (first.kind === "bad") return first.compound || (clauses[0]?.body.stmts.length ?? 0) > 0;
  return FOLLOWS[first.kind]?.[last.kind]?.includes(next) ?? false;
}
