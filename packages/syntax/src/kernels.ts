// Kernels among other Python: the decorated functions and classes at module level of a file whose other text is left alone.

import { parse, type Block, type SStmt } from "@tilefoundry/grammar";
import { hasErrors, makeSource, type Outcome, type Source } from "@tilefoundry/text";
import { print } from "./print.ts";
import { startOf } from "./statements.ts";

/** A decorator of either tradition, by its last words: how it is imported is the host's matter. */
export const KERNEL_DECORATOR = /^\s*@\s*(?:\w+\s*\.\s*)*(?:func|prim_func|function|jit|inline|module|program)\b/m;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The text with its kernels in their one layout, and nothing else changed; as it is where a kernel cannot be read. */
export function formatKernels(source: Source): Outcome<string> {
  const { value: tree, diagnostics } = parse(source);
  const kernels = kernelsIn(tree.body, source.text);
  const own = diagnostics.filter(({ span }) => span !== undefined && kernels.some(({ start, end }) => span.start >= start && span.start <= end));
  if (hasErrors(own)) return { value: source.text, diagnostics: own };
  return { value: kernels.reduceRight((text, kernel) => laidOut(text, kernel, source.name), source.text), diagnostics: own };
}

/** Whole lines, from the first decorator on. A line that cannot be read belongs to the kernel that it decorates. */
function kernelsIn(body: Block, text: string): readonly Range[] {
  return body.stmts.flatMap((stmt) => {
    const range = linesOf(stmt, text);
    return KERNEL_DECORATOR.test(text.slice(range.start, stmt.kind === "BadStmt" ? range.end : stmt.span.end)) && isWhole(stmt) ? [range] : [];
  });
}

const isWhole = (s: SStmt): boolean => s.kind === "BadStmt" || ((s.kind === "FunctionDef" || s.kind === "ClassDef") && s.decorators.length > 0);

function linesOf(stmt: SStmt, text: string): Range {
  const end = text.indexOf("\n", stmt.span.end);
  return { start: text.lastIndexOf("\n", startOf(stmt).start) + 1, end: end < 0 ? text.length : end };
}

function laidOut(text: string, { start, end }: Range, name: string): string {
  const { value } = parse(makeSource(name, text.slice(start, end)));
  const printed = print(value).trimEnd();
  return text.slice(0, start) + (text.includes("\r\n") ? `${printed.replaceAll("\n", "\r\n")}${text[end - 1] === "\r" ? "\r" : ""}` : printed) + text.slice(end);
}
