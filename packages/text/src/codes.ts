// The table of diagnostics: code → severity, message with typed parameters in braces, one line of help.
// Ranges: TF1xxx text and grammar · TF2xxx names and static evaluation · TF3xxx types and ops · TF4xxx control flow,
// handles, directions · TF5xxx stages and targets · TF6xxx running. A code, once published, keeps its meaning.

export type Severity = "error" | "warning" | "note";

interface Row {
  readonly severity: Severity;
  /** `{name}` stands for a parameter. */
  readonly message: string;
  readonly help: string;
}

const error = <M extends string, H extends string>(message: M, help: H) => ({ severity: "error", message, help }) as const;
export const warning = <M extends string, H extends string>(message: M, help: H) => ({ severity: "warning", message, help }) as const;

export const CODES = {
  // TF1xxx: text and grammar
  TF1001: error("{file} is not UTF-8 (byte {offset})", "save the file as UTF-8"),
  TF1002: error("expected {expected}, found {found}", "see the grammar of the kernel language"),
  TF1003: error("unexpected indentation", "indent this line like the line above it"),
  TF1004: error("this line is indented less than its block, but matches no outer block", "use the indentation of one of the blocks around it"),
  TF1005: error("expected an indented block after {what}", "indent the next line, or write `pass`"),
  TF1006: error("{opener} is never closed", "add the matching {closer}"),
  TF1007: error("{closer} closes nothing", "remove it, or add the opening bracket"),
  TF1008: error("this string is never closed", "add the closing quote"),
  TF1009: error("{text} is not a number", "write decimal, 0x…, 0o… or 0b…; `_` only between digits"),
  TF1010: error("character {text} is not part of the language", "remove it"),
  TF1011: error("nested too deeply ({limit} levels)", "split the expression or the block into named parts"),
  TF1012: error("{what} is not part of the kernel language", "{instead}"),
  TF1013: error("a hole may not stand {where}", "a hole is a value: use it where a name may stand"),
  TF1014: error("more than {limit} syntax errors; the rest is not shown", "mend the first ones and run again"),
  TF1015: error("the text holds no kernel", "define a function decorated with `@func`, `@prim_func` or `@pl.function`"),

  // TF60xx: arguments against the signature
  TF6001: error("`{param}` takes an array of {axes}, {shape}, not {given}", "reshape the argument"),
  TF6002: error("axis {axis} of `{param}` has extent {actual}, but its type says {expected}", "pass an array of the declared shape"),
  TF6003: error("axis {axis} of `{param}` has extent {actual}, but {because}", "both axes are the extent {symbol}: they must agree"),
  TF6004: error("axis {axis} of `{param}` has extent {actual}, but {dim} is {expected}, since {because}", "pass an array of that extent"),
  TF6005: error("extent {symbol} is {value} by {axis}, outside its declared range [{lo}, {hi})", "pass an array within the range, or widen the range of {symbol}"),
  TF6006: error("no parameter of `{function}` has an axis that is exactly {symbol}", "give one parameter an axis that is {symbol} alone: its value is read there"),
} as const satisfies Readonly<Record<string, Row>>;

export type Code = keyof typeof CODES;

type ParamsIn<M extends string> = M extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsIn<Rest> : never;

/** The parameters that message and help of a code name, each as text. */
export type CodeParams<C extends Code> = {
  readonly [P in ParamsIn<(typeof CODES)[C]["message"]> | ParamsIn<(typeof CODES)[C]["help"]>]: string | number;
};
