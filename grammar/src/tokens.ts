// Token types and tokens. Types are Chevrotain's, so that the grammar can name them; tokens are made by the lexer, all of one
// shape. Operators of one grammatical role share a type: which one it is says the image, and `operators.ts` its precedence.

import { createToken, Lexer, type IToken, type TokenType } from "chevrotain";

/** A token type whose index is known: `createToken` has given it one. */
export interface Kind extends TokenType {
  readonly tokenTypeIdx: number;
}

const all: Kind[] = [];

function kind(name: string, label: string, categories: Kind[] = []): Kind {
  const made = createToken({ name, pattern: Lexer.NA, label, categories }) as Kind; // createToken sets the index
  all.push(made);
  return made;
}

export const Name = kind("Name", "a name");
export const Number = kind("Number", "a number");
export const String = kind("String", "a string");
export const Hole = kind("Hole", "a hole");
/** A piece of text that is no token; its error is already reported. */
export const Bad = kind("Bad", "an expression");

export const Newline = kind("Newline", "end of line");

export const LParen = kind("LParen", "`(`");
export const RParen = kind("RParen", "`)`");
export const LSquare = kind("LSquare", "`[`");
export const RSquare = kind("RSquare", "`]`");
export const LCurly = kind("LCurly", "`{`");
export const RCurly = kind("RCurly", "`}`");
export const Comma = kind("Comma", "`,`");
export const Colon = kind("Colon", "`:`");
export const Dot = kind("Dot", "`.`");
export const Semicolon = kind("Semicolon", "`;`");
export const Assign = kind("Assign", "`=`");
export const AugAssign = kind("AugAssign", "`+=`");
export const Arrow = kind("Arrow", "`->`");
export const Walrus = kind("Walrus", "`:=`");

/** Whatever stands between two operands; what it is says the image, and `fold.ts` how tightly it binds. */
export const Operator = kind("Operator", "an operator");
/** `+ -` */
export const Sign = kind("Sign", "`+` or `-`", [Operator]);
/** `/ // %` */
export const Product = kind("Product", "`/`, `//` or `%`", [Operator]);
export const Star = kind("Star", "`*`", [Operator]);
export const DoubleStar = kind("DoubleStar", "`**`", [Operator]);
export const At = kind("At", "`@`", [Operator]);
/** `<< >> & ^ |` */
export const Bitwise = kind("Bitwise", "`<<`, `>>`, `&`, `^` or `|`", [Operator]);
/** `== != < <= > >= in is`, and `not in` and `is not` as one token. */
export const Comparison = kind("Comparison", "a comparison", [Operator]);
/** `and or` */
export const Logic = kind("Logic", "`and` or `or`", [Operator]);
export const Tilde = kind("Tilde", "`~`");

/** `True False None ...` */
export const Constant = kind("Constant", "a constant");

const word = (text: string): Kind => kind(text.charAt(0).toUpperCase() + text.slice(1), `\`${text}\``);

export const As = word("as");
export const Assert = word("assert");
export const Async = word("async");
export const Await = word("await");
export const Break = word("break");
export const Class = word("class");
export const Continue = word("continue");
export const Def = word("def");
export const Del = word("del");
export const Elif = word("elif");
export const Else = word("else");
export const Except = word("except");
export const Finally = word("finally");
export const For = word("for");
export const From = word("from");
/** `global` and `nonlocal`. */
export const Global = word("global");
export const If = word("if");
export const Import = word("import");
/** The `in` of `for`; between operands it is a comparison. */
export const In = word("in");
export const Lambda = word("lambda");
export const Not = word("not");
export const Pass = word("pass");
export const Raise = word("raise");
export const Return = word("return");
export const Try = word("try");
export const While = word("while");
export const With = word("with");
export const Yield = word("yield");
/** The `if` of a comprehension: the lexer tells it from that of a conditional expression. */
export const CompIf = kind("CompIf", "`if`");
/** Words only at the beginning of a line of their own statement; names elsewhere. */
export const Match = word("match");
export const Type = word("type");

export const KINDS: readonly Kind[] = all;

/** Words to kinds, without the soft ones. */
export const KEYWORDS: ReadonlyMap<string, Kind> = new Map([
  ...[
    As, Assert, Async, Await, Break, Class, Continue, Def, Del, Elif, Else, Except, Finally, For, From, Global, If, Import, In,
    Lambda, Not, Pass, Raise, Return, Try, While, With, Yield,
  ].map((k): [string, Kind] => [k.name.toLowerCase(), k]),
  ["nonlocal", Global],
  ["and", Logic],
  ["or", Logic],
  ["is", Comparison],
  ["True", Constant],
  ["False", Constant],
  ["None", Constant],
]);

/** There are hundreds of thousands of tokens in a megabyte, so they hold no more than they must. */
export class Token implements IToken {
  image: string;
  startOffset: number;
  /** Exclusive. */
  end: number;
  tokenTypeIdx: number;
  /** Of a hole, its index. */
  hole = 0;

  constructor(kind: Kind, image: string, start: number, end: number) {
    this.image = image;
    this.startOffset = start;
    this.end = end;
    this.tokenTypeIdx = kind.tokenTypeIdx;
  }

  get tokenType(): Kind {
    return BY_INDEX[this.tokenTypeIdx] ?? Bad;
  }
}

const BY_INDEX: Kind[] = [];
for (const each of all) BY_INDEX[each.tokenTypeIdx] = each;
