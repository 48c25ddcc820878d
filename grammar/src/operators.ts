// Operators and punctuation by spelling, and the precedence of what stands between operands.

import * as T from "./tokens.ts";

export interface Operator {
  readonly image: string;
  readonly kind: T.Kind;
}

/** What is spelt how, by kind of token. */
export const SPELLINGS: readonly (readonly [T.Kind, string])[] = [
  [T.LParen, "("], [T.RParen, ")"], [T.LSquare, "["], [T.RSquare, "]"], [T.LCurly, "{"], [T.RCurly, "}"],
  [T.Comma, ","], [T.Colon, ":"], [T.Dot, "."], [T.Semicolon, ";"], [T.Assign, "="], [T.Arrow, "->"], [T.Walrus, ":="],
  [T.AugAssign, "+= -= *= /= //= %= @= &= |= ^= >>= <<= **="],
  [T.Sign, "+ -"], [T.Product, "/ // %"], [T.Star, "*"], [T.DoubleStar, "**"], [T.At, "@"], [T.Tilde, "~"],
  [T.Bitwise, "<< >> & ^ |"], [T.Comparison, "== != < <= > >="], [T.Constant, "..."],
];

const spelled: Operator[] = SPELLINGS.flatMap(([kind, images]) => images.split(" ").map((image) => ({ image, kind })));

/** By the code of the first character: what may stand there, the longest first. */
export const OPERATORS: readonly (readonly Operator[] | undefined)[] = Array.from({ length: 128 }, (_, c) => {
  const begun = spelled.filter((o) => o.image.charCodeAt(0) === c);
  return begun.length === 0 ? undefined : begun.sort((a, b) => b.image.length - a.image.length);
});

export const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
