// How authors lay a program out: comments above and after lines, blank lines, lines broken inside of brackets, semicolons.

import type { Random } from "./generate-random.ts";

/** The same program in a looser layout. */
export function styled(text: string, random: Random): string {
  const lines = text.split("\n").filter((line) => line !== "");
  return `${lines.map((line) => styledLine(line, random)).join("\n")}\n`;
}

function styledLine(line: string, random: Random): string {
  const space = /^ */.exec(line)?.[0] ?? "";
  const isBranch = /^\s*(else|elif)\b/.test(line);
  const above = isBranch || space === "" || !random.chance(0.05) ? "" : `${random.chance(0.3) ? "\n" : ""}${space}# ${random.pick(["what follows", "a \"quoted\" word, (brackets) and #", "1"])}\n`;
  const simple = !line.endsWith(":") && !/^\s*@/.test(line);
  const after = random.chance(0.03) ? "  # so" : simple && random.chance(0.03) ? ";" : "";
  return `${above}${random.chance(0.12) ? broken(line, random) : line}${after}`;
}

/** A line broken after some of the commas inside of brackets, some with a comment. */
function broken(line: string, random: Random): string {
  let [depth, made, quoted] = [0, "", false];
  for (let i = 0; i < line.length; i++) {
    const c = line[i] ?? "";
    if (c === "\"") quoted = !quoted;
    if (!quoted) depth += "([{".includes(c) ? 1 : ")]}".includes(c) ? -1 : 0;
    made += c;
    if (c !== "," || depth === 0 || quoted || !random.chance(0.2)) continue;
    made += `${random.chance(0.2) ? `  # part ${random.below(9)}` : ""}\n${" ".repeat(random.below(12))}`;
  }
  return made;
}

/** The program on one line a statement, without comments. */
export function plain(text: string): string {
  const lines: string[] = [];
  let depth = 0;
  for (const line of text.split("\n")) {
    const code = line.replace(/\s*#.*$/, "");
    if (code.trim() === "") continue;
    if (depth > 0) lines.push(`${lines.pop() ?? ""} ${code.trim()}`);
    else lines.push(code);
    depth += (code.match(/[([{]/g) ?? []).length - (code.match(/[)\]}]/g) ?? []).length;
  }
  return `${lines.map((l) => l.replace(/;$/, "")).join("\n")}\n`;
}
