// What a program becomes up to a pass, as text; for tests that show the rules of passes.

import { hasErrors, renderDiagnostics } from "@tilefoundry/text";
import { builtinOps } from "@tilefoundry/ops";
import { runPasses, type PassName } from "@tilefoundry/passes";
import { TARGETS } from "@tilefoundry/targets";
import { deviceOf, moduleText, parseText } from "./laws.ts";

/** Lines of a text without the indentation that they share, and without blank lines around them. */
export function plain(text: string): string {
  const lines = text.split("\n").filter((line, i, all) => line.trim() !== "" || (i > 0 && i < all.length - 1));
  const indent = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(indent).trimEnd()).join("\n").trim();
}

/** The program after a pass, or what it reports. */
export function after(pass: PassName, text: string, fold = true): string {
  const { module, breach } = parseText(plain(text), "case");
  if (breach !== undefined) return breach;
  const { value, diagnostics } = runPasses(module, pass, { ops: builtinOps, device: deviceOf(TARGETS.wasm), fold });
  return hasErrors(diagnostics) ? renderDiagnostics(diagnostics) : moduleText(value).trim();
}
