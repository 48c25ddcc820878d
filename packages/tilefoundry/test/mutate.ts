// Damaged texts by seed: cut off, with pieces taken out, doubled, exchanged or put in. What a compiler reads while someone types.

import { randomBy, type Random } from "./generate-random.ts";

type Damage = (text: string, random: Random) => string;

const span = (text: string, random: Random, most: number): readonly [start: number, end: number] => {
  const start = random.below(text.length + 1);
  return [start, Math.min(text.length, start + 1 + random.below(most))];
};

const TOKENS = [
  "(", ")", "[", "]", "{", "}", ":", ",", "=", "==", "\"", "'", "\"\"\"", "#", "\\", "\n", "    ", "\t", "\r", "\n\n", "lambda", "if", "else:", "for", "in", "return", "while", "def f(", "@", "@func",
  "None", "not", "**", "//", ">>=", ":=", "...", "0x", "1e999", "9".repeat(40), "0.0", "é", "\u{1F600}", "\u0000", "\uFEFF", "${", "`", "pl.", "T.", "tf.", "pl.load", "T.alloc_tensor", "self", "yield", "*", "-",
];

const NUMBERS = ["0", "-1", "1", "7", "64", "1000000", "2147483648", "9223372036854775808", "-9223372036854775809", "0.5", "1e400", "(1, 2)", "None", "True", "N"];
const TYPES = ["pl.FP32", "pl.INT32", "pl.UINT8", "pl.BOOL", "pl.INT64", "pl.FP16", "\"f64\"", "\"u32\"", "\"index\"", "\"bf16\"", "\"\""];

const DAMAGES: readonly (readonly [number, Damage])[] = [
  [2, (text, random) => text.slice(0, random.below(text.length + 1))],
  [1, (text, random) => text.slice(random.below(text.length + 1))],
  [3, (text, random) => {
    const [start, end] = span(text, random, 12);
    return text.slice(0, start) + text.slice(end);
  }],
  [4, (text, random) => {
    const at = random.below(text.length + 1);
    return text.slice(0, at) + random.pick(TOKENS) + text.slice(at);
  }],
  [1, (text, random) => {
    const [start, end] = span(text, random, 60);
    return text.slice(0, end) + text.slice(start);
  }],
  [2, (text, random) => exchanged(text, /\b\w+\b/g, random)],
  [1, (text, random) => exchanged(text, /[^\w\s]+/g, random)],
  [2, (text, random) => replaced(text, /(?<![\w."])-?\d+(\.\d+)?\b/g, NUMBERS, random)],
  [2, (text, random) => replaced(text, /pl\.(FP|U?INT|BOOL|INDEX)\d*|"(f32|f64|i32|i64|u8|u32|bool)"/g, TYPES, random)],
  [2, (text, random) => lines(text, random, (list, i, j) => [...list.slice(0, i), ...list.slice(j, j + 1), ...list.slice(i)])],
  [2, (text, random) => lines(text, random, (list, i) => [...list.slice(0, i), ...list.slice(i + 1)])],
  [1, (text, random) => lines(text, random, (list, i) => list.map((l, k) => (k === i ? (random.chance(0.5) ? l.replace(/^ {1,4}/, "") : `  ${l}`) : l)))],
];

/** One token put in the place of another. */
function exchanged(text: string, pattern: RegExp, random: Random): string {
  const found = [...text.matchAll(pattern)];
  const [a, b] = [0, 1].map(() => (found.length === 0 ? undefined : random.pick(found)));
  return a === undefined || b === undefined ? text : text.slice(0, a.index) + b[0] + text.slice(a.index + a[0].length);
}

function replaced(text: string, pattern: RegExp, by: readonly string[], random: Random): string {
  const found = [...text.matchAll(pattern)];
  const at = found.length === 0 ? undefined : random.pick(found);
  return at === undefined ? text : text.slice(0, at.index) + random.pick(by) + text.slice(at.index + at[0].length);
}

function lines(text: string, random: Random, change: (list: readonly string[], i: number, j: number) => readonly string[]): string {
  const list = text.split("\n");
  return change(list, random.below(list.length), random.below(list.length)).join("\n");
}

/** As many damaged versions of a text, the later ones damaged in more places. */
export function damaged(text: string, seed: number, count: number): readonly string[] {
  const random = randomBy(seed ^ 0x2545f491);
  return Array.from({ length: count }, (_, i) => {
    let made = text;
    for (let n = 1 + random.below(1 + (i % 4)); n > 0; n--) made = random.weighted(DAMAGES)(made, random);
    return made;
  });
}
