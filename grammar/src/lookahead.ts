// One token of lookahead, from tables made in one walk over the grammar: Chevrotain's own strategy, which serves any number of
// tokens, takes half of the time that a parser needs to get ready. It still checks the grammar.

import {
  Alternation, type ILookaheadStrategy, type IProduction, type IToken, LLkLookaheadStrategy, NonTerminal, Option, Repetition,
  RepetitionMandatory, RepetitionMandatoryWithSeparator, RepetitionWithSeparator, type Rule, Terminal,
} from "chevrotain";
import { KINDS } from "./tokens.ts";

/** By index of a kind of token: whether something may begin with it. `empty` if it may also be nothing. */
interface First {
  readonly kinds: Uint8Array;
  readonly empty: boolean;
}

/** What the functions below are called on. */
interface Parser {
  LA_FAST(howMuch: number): IToken;
}

const SIZE = Math.max(...KINDS.map((kind) => kind.tokenTypeIdx)) + 2;
const NONE = 255;

export class OneToken implements ILookaheadStrategy {
  private readonly checks = new LLkLookaheadStrategy({ maxLookahead: 1 });
  private readonly ofRule = new Map<Rule, First>();
  private readonly parts = new Map<Rule, Map<string, readonly IProduction[]>>();

  validate(options: Parameters<ILookaheadStrategy["validate"]>[0]) {
    return this.checks.validate(options);
  }

  buildLookaheadForAlternation({ rule, prodOccurrence, hasPredicates }: Parameters<ILookaheadStrategy["buildLookaheadForAlternation"]>[0]) {
    const firsts = this.part(rule, "Alternation", prodOccurrence).map((alternative) => this.first([alternative]));
    if (hasPredicates) return gated(firsts.map((first) => first.kinds));
    const empty = firsts.findIndex((first) => first.empty);
    const choice = new Uint8Array(SIZE).fill(empty < 0 ? NONE : empty);
    for (let i = firsts.length - 1; i >= 0; i--) firsts[i]?.kinds.forEach((may, kind) => may === 1 && (choice[kind] = i));
    return function (this: Parser): number | undefined {
      const taken = choice[this.LA_FAST(1).tokenTypeIdx] ?? NONE;
      return taken === NONE ? undefined : taken;
    };
  }

  buildLookaheadForOptional({ rule, prodOccurrence, prodType }: Parameters<ILookaheadStrategy["buildLookaheadForOptional"]>[0]) {
    const { kinds } = this.first(this.part(rule, prodType, prodOccurrence));
    return function (this: Parser): boolean {
      return kinds[this.LA_FAST(1).tokenTypeIdx] === 1;
    };
  }

  /** What a production of a rule holds. */
  private part(rule: Rule, type: string, occurrence: number): readonly IProduction[] {
    let parts = this.parts.get(rule);
    if (parts === undefined) {
      parts = new Map();
      this.parts.set(rule, parts);
      collect(rule.definition, parts);
    }
    return parts.get(`${type} ${occurrence}`) ?? [];
  }

  private first(sequence: readonly IProduction[]): First {
    const kinds = new Uint8Array(SIZE);
    for (const production of sequence) {
      const { kinds: more, empty } = this.firstOf(production);
      more.forEach((may, kind) => may === 1 && (kinds[kind] = 1));
      if (!empty) return { kinds, empty: false };
    }
    return { kinds, empty: true };
  }

  private firstOf(production: IProduction): First {
    if (production instanceof Terminal) return terminal(production);
    if (production instanceof NonTerminal) return this.firstOfRule(production.referencedRule);
    if (production instanceof Alternation) {
      const all = production.definition.map((alternative) => this.first([alternative]));
      const kinds = new Uint8Array(SIZE);
      for (const one of all) one.kinds.forEach((may, kind) => may === 1 && (kinds[kind] = 1));
      return { kinds, empty: all.some((one) => one.empty) };
    }
    const inside = this.first(inner(production));
    const optional = production instanceof Option || production instanceof Repetition || production instanceof RepetitionWithSeparator;
    return { kinds: inside.kinds, empty: optional || inside.empty };
  }

  private firstOfRule(rule: Rule): First {
    const known = this.ofRule.get(rule);
    if (known !== undefined) return known;
    const made = this.first(rule.definition);
    this.ofRule.set(rule, made);
    return made;
  }
}

function terminal({ terminalType: { tokenTypeIdx = 0, categoryMatches = [] } }: Terminal): First {
  const kinds = new Uint8Array(SIZE);
  for (const kind of [tokenTypeIdx, ...categoryMatches]) kinds[kind] = 1;
  return { kinds, empty: false };
}

/** Alternatives with conditions: the first whose token fits and whose condition holds. */
function gated(tables: readonly Uint8Array[]) {
  return function (this: Parser, alternatives: readonly { GATE?: () => boolean }[] = []): number | undefined {
    const kind = this.LA_FAST(1).tokenTypeIdx;
    const taken = tables.findIndex((kinds, i) => kinds[kind] === 1 && alternatives[i]?.GATE?.call(this) !== false);
    return taken < 0 ? undefined : taken;
  };
}

const NAMES = [
  ["Alternation", Alternation], ["Option", Option], ["Repetition", Repetition], ["RepetitionMandatory", RepetitionMandatory],
  ["RepetitionMandatoryWithSeparator", RepetitionMandatoryWithSeparator], ["RepetitionWithSeparator", RepetitionWithSeparator],
] as const;

function collect(sequence: readonly IProduction[], into: Map<string, readonly IProduction[]>): void {
  for (const production of sequence) {
    const inside = inner(production);
    const name = NAMES.find(([, made]) => production instanceof made)?.[0];
    if (name !== undefined && "idx" in production) into.set(`${name} ${String(production.idx)}`, inside);
    collect(inside, into);
  }
}

/** What stands inside a production; a call of a rule stands for no more than itself. */
function inner(production: IProduction): readonly IProduction[] {
  if (production instanceof NonTerminal) return [];
  return "definition" in production ? (production.definition as readonly IProduction[]) : []; // whatever has one has these
}
