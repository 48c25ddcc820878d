// The text writer: the same trees as WAT, in folded form. An expression that fits stands on one line.

import { Writer } from "../writer.ts";
import { shortestSingle } from "../numbers.ts";
import { utf8 } from "./bytes.ts";
import type { ValueType } from "./opcodes.ts";
import { SHAPES } from "./shapes.ts";
import type { Local, Tree, WasmFunction, WasmModule } from "./tree.ts";

/** Widest line of a folded expression, indentation apart. */
const WIDTH = 96;

export function moduleText(module: WasmModule): string {
  const writer = new Writer("  ");
  writer.block("(module", () => {
    writer.line('(import "env" "memory" (memory 0))');
    for (const [index, f] of module.functions.entries()) functionText(f, index === 0 ? ` (export ${quoted(module.exported)})` : "", writer);
  }, ")");
  return writer.text();
}

/** A string of the text format; what is not plain ASCII as the bytes of its UTF-8. */
function quoted(text: string): string {
  const plain = (b: number): boolean => b >= 0x20 && b < 0x7f && b !== 0x22 && b !== 0x5c;
  return `"${utf8(text).map((b) => (plain(b) ? String.fromCharCode(b) : `\\${b.toString(16).padStart(2, "0")}`)).join("")}"`;
}

function functionText(f: WasmFunction, exported: string, writer: Writer): void {
  writer.line("");
  for (const text of f.comments) writer.line(`;; ${text}`);
  writer.block(`(func $${f.name}${exported}`, () => {
    if (f.params.length > 0) writer.line(f.params.map((p) => declared("param", p)).join(" "));
    if (f.result !== undefined) writer.line(`(result ${f.result})`);
    for (const line of localLines(f.locals)) writer.line(line);
    statements(f.body, writer);
  }, ")");
}

const declared = (word: string, local: Local): string => `(${word} $${local.name} ${local.type})`;

/** Declarations of one type share lines. */
function localLines(locals: readonly Local[]): readonly string[] {
  const lines: string[] = [];
  let type: ValueType | undefined;
  for (const local of locals) {
    const text = declared("local", local);
    const last = lines.at(-1);
    if (last !== undefined && type === local.type && last.length + text.length < WIDTH) lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(text);
    type = local.type;
  }
  return lines;
}

function statements(trees: readonly Tree[], writer: Writer): void {
  for (const tree of trees) statement(tree, writer);
}

function statement(tree: Tree, writer: Writer): void {
  switch (tree.kind) {
    case "comment":
      return writer.line(`;; ${tree.text}`);
    case "block":
    case "loop":
      return writer.block(`(${tree.kind} $${tree.label}`, () => statements(tree.body, writer), ")");
    case "sequence":
      return writer.block(`(block (result ${tree.type})`, () => statements(tree.body, writer), ")");
    case "if":
      return conditional(tree, writer);
    default:
      return expression(tree, writer);
  }
}

function conditional(tree: Extract<Tree, { readonly kind: "if" }>, writer: Writer): void {
  const whole = flat(tree);
  if (whole !== undefined) return writer.line(whole);
  const cond = flat(tree.cond);
  const header = cond === undefined ? ifHead(tree) : `${ifHead(tree)} ${cond}`;
  writer.block(`(${header}`, () => {
    if (cond === undefined) expression(tree.cond, writer);
    branchText("then", tree.then, writer);
    if (tree.else.length > 0) branchText("else", tree.else, writer);
  }, ")");
}

const ifHead = (tree: Extract<Tree, { readonly kind: "if" }>): string => (tree.type === undefined ? "if" : `if (result ${tree.type})`);

function branchText(word: "then" | "else", body: readonly Tree[], writer: Writer): void {
  const line = flatBranch(word, body);
  if (line !== undefined) writer.line(line);
  else writer.block(`(${word}`, () => statements(body, writer), ")");
}

/** A branch of one short statement. */
function flatBranch(word: "then" | "else", [only, ...more]: readonly Tree[]): string | undefined {
  const text = only === undefined || more.length > 0 ? undefined : flat(only);
  return text === undefined ? undefined : `(${word} ${text})`;
}

/** On one line if it fits, else operands on lines of their own. */
function expression(tree: Tree, writer: Writer): void {
  const line = flat(tree);
  if (line !== undefined) return writer.line(line);
  if (tree.kind === "if" || tree.kind === "sequence") return statement(tree, writer);
  writer.block(`(${headOf(tree)}`, () => {
    for (const operand of operandsOf(tree)) expression(operand, writer);
  }, ")");
}

const STRUCTURED: ReadonlySet<Tree["kind"]> = new Set<Tree["kind"]>(["block", "loop", "sequence", "comment"]);

/** The text of a tree on one line, if it is short enough; asked for again by every tree around it. */
function flat(tree: Tree): string | undefined {
  if (STRUCTURED.has(tree.kind)) return undefined;
  if (!flatTexts.has(tree)) flatTexts.set(tree, flatText(tree));
  return flatTexts.get(tree);
}

const flatTexts = new WeakMap<Tree, string | undefined>();

function flatText(tree: Tree): string | undefined {
  const parts = tree.kind === "if" ? flatIf(tree) : operandsOf(tree).map(flat);
  if (!parts.every((part) => part !== undefined)) return undefined;
  const head = tree.kind === "if" ? ifHead(tree) : headOf(tree);
  const length = parts.reduce((sum, part) => sum + part.length + 1, 0);
  return length <= WIDTH ? `(${[head, ...parts].join(" ")})` : undefined;
}

function flatIf({ cond, then, else: orElse }: Extract<Tree, { readonly kind: "if" }>): readonly (string | undefined)[] {
  return [flat(cond), flatBranch("then", then), ...(orElse.length === 0 ? [] : [flatBranch("else", orElse)])];
}

function operandsOf(tree: Tree): readonly Tree[] {
  switch (tree.kind) {
    case "op":
    case "select":
    case "call": return tree.operands;
    case "set":
    case "tee": return [tree.value];
    case "branch": return tree.cond === undefined ? [] : [tree.cond];
    case "return": return tree.value === undefined ? [] : [tree.value];
    default: return [];
  }
}

function headOf(tree: Tree): string {
  switch (tree.kind) {
    case "op": return [tree.op, ...immediatesOf(tree)].join(" ");
    case "select": return "select";
    case "call": return `call $${tree.callee.name}`;
    case "get": return `local.get $${tree.local.name}`;
    case "set": return `local.set $${tree.local.name}`;
    case "tee": return `local.tee $${tree.local.name}`;
    case "const": return `${tree.type}.const ${numberText(tree.value, tree.type)}`;
    case "lanes": return `v128.const ${tree.shape} ${tree.lanes.map((v) => numberText(v, SHAPES[tree.shape].element)).join(" ")}`;
    case "branch": return `${tree.cond === undefined ? "br" : "br_if"} $${tree.label}`;
    case "return": return "return";
    default: return tree.kind;
  }
}

/** Alignment is written only if it is not that of the whole access. */
function immediatesOf(tree: Extract<Tree, { readonly kind: "op" }>): readonly string[] {
  const { immediate, bytes } = tree.row;
  if (immediate !== "memory" && immediate !== "memory-lane") return tree.immediates.map(String);
  const [align = 0, offset = 0, ...rest] = tree.immediates;
  return [...(offset === 0 ? [] : [`offset=${offset}`]), ...(2 ** align === bytes ? [] : [`align=${2 ** align}`]), ...rest.map(String)];
}

type NumberType = Exclude<ValueType, "v128">;

function numberText(value: number | bigint, type: NumberType): string {
  if (type === "i32" || type === "i64") return String(value);
  const number = Number(value);
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number < 0 ? "-inf" : "inf";
  if (Object.is(number, -0)) return "-0";
  return type === "f32" ? shortestSingle(number) : String(number);
}
