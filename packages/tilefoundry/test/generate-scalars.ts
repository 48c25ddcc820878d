// Scalar expressions as text: small integers, wrapping and flooring arithmetic, exactly rounded float operations, casts in all modes,
// element reads inside and outside of arrays. An operator never stands between two literals: those are folded by Python's rules.

import { CAST_MODES, DTYPES, isSigned, type DType } from "@tilefoundry/ir";
import { constText, dtypeText, isWhole, listText, scalarsOf, type Scope, type Weighted } from "./generate-scope.ts";

type Make = (dtype: DType, scope: Scope, inside: Inside) => string | undefined;
/** An operand, one level deeper. */
type Inside = (dtype: DType) => string;

export function value(dtype: DType, scope: Scope, depth = 3): string {
  const { random } = scope.program;
  const names = scalarsOf(dtype, scope);
  if (names.length > 0 && random.chance(depth <= 0 ? 0.8 : 0.35)) return random.pick(names).name;
  if (depth <= 0 || random.chance(names.length > 0 ? 0.12 : 0.05)) return leaf(dtype, scope);
  const inside: Inside = (d) => value(d, scope, depth - 1);
  for (let tries = 0; tries < 4; tries++) {
    const made = random.weighted(MAKERS)(dtype, scope, inside);
    if (made !== undefined) return made;
  }
  return literal(dtype, scope);
}

const MAKERS: Weighted<Make> = [
  [6, operated], [1, negated], [1, chosen], [1, converted], [2, element], [2, called], [1, mixed], [1, extreme],
];

/** A truth value is mostly a comparison: code under a literal is never run. */
function leaf(dtype: DType, scope: Scope): string {
  const { random } = scope.program;
  const [index] = scalarsOf("index", scope).slice(-1 - random.below(2));
  return dtype !== "bool" || index === undefined || random.chance(0.1) ? literal(dtype, scope) : `(${index.name} ${random.pick(COMPARISONS)} ${random.below(4)})`;
}

const FLOATS = ["0.0", "1.0", "-1.0", "0.5", "2.0", "-3.25", "4.0", "1e10", "0.1", "-0.0"];
const WHOLES = [0, 1, 2, 3, 7, -1, -4, 100, 127];

export function literal(dtype: DType, { program }: Scope): string {
  const { random } = program;
  if (dtype === "bool") return random.pick(["True", "False"]);
  if (dtype === "f32") return random.pick(FLOATS);
  if (dtype === "f64") return constText(random.pick(FLOATS), "f64", program);
  const whole = random.chance(0.1) ? random.pick(EDGES[dtype] ?? []) : String(random.pick(WHOLES.filter((n) => isSigned(dtype) || n >= 0)));
  return dtype === "index" ? whole : constText(whole, dtype, program);
}

const WIDE = ["-2147483648", "4294967296", "9007199254740993", "4611686018427387904", "9223372036854775807", "-9223372036854775808"];
/** Ends of ranges, and numbers about which nothing is proved. */
const EDGES: Readonly<Partial<Record<DType, readonly string[]>>> = {
  i8: ["-128", "127"], i16: ["-32768", "32767"], u16: ["65535", "32768"], u64: ["18446744073709551615", "9223372036854775808", "9007199254740993"],
  u8: ["255", "128"], u32: ["4294967295", "2147483648"], i32: ["-2147483648", "2147483647"], i64: WIDE, index: WIDE,
};

/** Text without a name or a call that the compiler would not fold; an operator on such texts is folded by Python's rules. */
const isLiteral = (text: string): boolean => /^\(*(-?[\d.e]+|True|False)\)*$/.test(text) || /^(not (True|False))$/.test(text);

// — operators —

const WHOLE_OPS = ["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"];
const FLOAT_OPS = ["+", "-", "*", "/"];
const COMPARISONS = ["<", "<=", ">", ">=", "==", "!="];

function operated(dtype: DType, scope: Scope, inside: Inside): string | undefined {
  const { random } = scope.program;
  if (dtype === "bool") return truth(scope, inside);
  const op = random.pick(isWhole(dtype) ? WHOLE_OPS : FLOAT_OPS);
  return joined(inside(dtype), op, rightOf(op, dtype, scope, inside), scope);
}

/** Literals as divisors are not 0, and as shift amounts within the width. */
function rightOf(op: string, dtype: DType, scope: Scope, inside: Inside): string {
  const { random } = scope.program;
  if (op === "//" || op === "%") return random.chance(0.6) ? spelled(random.pick(isSigned(dtype) ? [1, 2, 3, 8, -1, -3] : [1, 2, 3, 8]), dtype, scope) : runTime(dtype, scope, inside);
  if (op === "<<" || op === ">>") return random.chance(0.6) ? spelled(random.below(DTYPES[dtype].bits), dtype, scope) : runTime(dtype, scope, inside);
  return inside(dtype);
}

const spelled = (n: number, dtype: DType, { program }: Scope): string => (dtype === "index" ? String(n) : constText(n, dtype, program));

/** What the compiler cannot take for a literal. */
function runTime(dtype: DType, scope: Scope, inside: Inside): string {
  const names = scalarsOf(dtype, scope);
  const text = inside(dtype);
  if (!isLiteral(text) && !/^\(*(pl|T)\.const\(/.test(text)) return text;
  return names.length > 0 ? scope.program.random.pick(names).name : spelled(2, dtype, scope);
}

/** Two operands of which not both are literals. Parentheses may go where what is left has operands of one dtype all the same. */
function joined(left: string, op: string, right: string, { program: { random } }: Scope): string | undefined {
  if (isLiteral(left) && isLiteral(right)) return undefined;
  const bare = ["+", "-", "*"].includes(op) && random.chance(0.3);
  return `(${bare ? stripped(left) : left} ${op} ${bare ? stripped(right) : right})`;
}

/** `(a + b)` without its parentheses, if all in it is sums and products. */
const stripped = (text: string): string => (/^\([\w ]+ [-+*] [\w ]+\)$/.test(text) ? text.slice(1, -1) : text);

function truth(scope: Scope, inside: Inside): string | undefined {
  const { random } = scope.program;
  if (random.chance(0.25)) return joined(inside("bool"), random.pick(["and", "or"]), inside("bool"), scope);
  const of = random.weighted<DType>([[1, "index"], ...scope.program.scalarDTypes.filter(([, d]) => d !== "bool")]);
  return joined(inside(of), random.pick(COMPARISONS), inside(of), scope);
}

function negated(dtype: DType, scope: Scope, inside: Inside): string | undefined {
  const x = inside(dtype);
  if (dtype === "bool") return isLiteral(x) ? undefined : `(not ${x})`;
  if (x.startsWith("-") || isLiteral(x)) return undefined;
  return isWhole(dtype) && scope.program.random.chance(0.4) ? `(~${x})` : `(-${x})`;
}

/** Operands of two widths: PyPTO promotes to the wider one. */
function mixed(dtype: DType, scope: Scope, inside: Inside): string | undefined {
  const { random, dialect } = scope.program;
  const narrower: Partial<Record<DType, DType>> = { i16: "u8", u16: "u8", u64: "u16", i32: "u8", u32: "u8", index: "i32", i64: "i32", f64: "f32" };
  const other = narrower[dtype];
  if (dialect !== "pl" || other === undefined) return undefined;
  const [a, b] = [runTime(dtype, scope, inside), runTime(other, scope, inside)];
  if (isLiteral(a) || isLiteral(b)) return undefined;
  return random.chance(0.5) ? joined(a, random.pick(["+", "-", "*"]), b, scope) : joined(b, random.pick(["+", "-", "*"]), a, scope);
}

// — calls —

function extreme(dtype: DType, scope: Scope, inside: Inside): string | undefined {
  if (dtype === "bool") return undefined;
  const { random } = scope.program;
  return `T.${random.pick(["max", "min"])}(${inside(dtype)}, ${inside(dtype)})`;
}

function called(dtype: DType, scope: Scope, inside: Inside): string | undefined {
  const { random } = scope.program;
  if (dtype === "bool") return undefined;
  if (isWhole(dtype)) return random.chance(0.3) && dtype !== "index" ? `T.mad(${inside(dtype)}, ${inside(dtype)}, ${inside(dtype)})` : `T.abs(${inside(dtype)})`;
  if (random.chance(0.3)) return `T.fma(${inside(dtype)}, ${inside(dtype)}, ${inside(dtype)})`;
  return `T.${random.pick(["abs", "sqrt", "floor", "ceil", "rint"])}(${inside(dtype)})`;
}

function chosen(dtype: DType, _scope: Scope, inside: Inside): string {
  return `T.select(${inside("bool")}, ${inside(dtype)}, ${inside(dtype)})`;
}

function converted(dtype: DType, scope: Scope, inside: Inside): string {
  const { random, dialect } = scope.program;
  if (scope.program.scalarDTypes.every(([, d]) => d === dtype)) return literal(dtype, scope);
  const from = random.weighted(scope.program.scalarDTypes.filter(([, d]) => d !== dtype));
  if (dtype === "f32" && random.chance(0.1)) return `T.bitcast(${inside("i32")}, "f32")`;
  const rounds = !isWhole(from) && isWhole(dtype) && dtype !== "bool";
  const mode = rounds && random.chance(0.7) ? `, mode="${random.pick(CAST_MODES)}"` : "";
  return random.chance(0.5) ? `T.cast(${inside(from)}, "${dtype}"${mode})` : `${dialect}.cast(${inside(from)}, ${dtypeText(dtype, scope.program)}${mode})`;
}

// — elements —

function element(dtype: DType, scope: Scope): string | undefined {
  const { random } = scope.program;
  const arrays = [...scope.tensors, ...scope.tiles].filter((a) => a.dtype === dtype);
  if (arrays.length === 0) return undefined;
  const array = random.pick(arrays);
  const at = array.shape.map((extent) => position(extent, scope));
  return random.chance(0.4) && at.length > 0 ? `${array.name}[${at.join(", ")}]` : `pl.read(${array.name}, ${listText(at, scope.program)})`;
}

/** An index that is mostly inside, sometimes just outside, and never provably so. */
export function position(extent: number | string, scope: Scope): string {
  const { random } = scope.program;
  if (extent === 0) return "0";
  const loops = scalarsOf("index", scope);
  if (loops.length > 0 && random.chance(0.3)) {
    const index = `${random.pick(loops).name} % ${typeof extent === "number" ? extent + 1 : 9}`;
    return random.chance(0.4) ? `(${index}) - 1` : index;
  }
  const most = typeof extent === "number" ? extent + 2 : random.pick([3, 7, 20]);
  const whole = random.chance(0.3) ? "0" : value("index", scope, 1);
  if (isLiteral(whole)) return "0";
  return random.chance(0.4) ? `(${whole} % ${most}) - 1` : `${whole} % ${most}`;
}
