// The argument struct of a kernel: 8-byte fields in parameter order, then symbols, then the arena and its size.

import type { FunctionNode, Param, VarLike } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { CTYPES } from "./ctype.ts";
import { scalarName } from "./expr.ts";
import type { Scope } from "./scope.ts";
import { Writer } from "../writer.ts";

/** The typedef of the struct. Scalars of less than 8 bytes lie in a field of 8. */
export function argumentStruct(fn: FunctionNode, name: string, scope: Scope): string {
  const writer = new Writer();
  writer.block("typedef struct {", () => {
    for (const param of fn.params) writer.line(`${fieldType(param)}${scope.names.of(param.var)};`);
    for (const symbol of fn.symbols) writer.line(`int64_t ${scope.names.of(symbol.var)};`);
    writer.line("void *arena;");
    writer.line("int64_t arena_bytes;");
  }, `} ${name}_args;`);
  return writer.text();
}

function fieldType({ var: v, direction }: Param): string {
  if (v.type.kind === "Tensor") return `${direction === "in" ? "const " : ""}${CTYPES[v.type.dtype].stored} *`;
  invariant(v.type.kind === "Scalar", () => `a parameter of ${v.type.kind}`);
  return `_Alignas(8) ${scalarName(v.type.dtype)} `;
}

/** Locals for the arguments that `used` names; whether there was any. */
export function unpackArguments(fn: FunctionNode, used: (v: VarLike) => boolean, scope: Scope): boolean {
  let any = false;
  for (const param of fn.params) {
    if (!used(param.var)) continue;
    any = true;
    const name = scope.names.of(param.var);
    const type = fieldType(param).replace("_Alignas(8) ", "");
    // no two arguments overlap if either is written: the launcher checks it
    scope.writer.line(`${param.var.type.kind === "Tensor" ? `${type}restrict ` : `const ${type}`}${name} = args->${name};`);
  }
  for (const symbol of fn.symbols) {
    if (!used(symbol.var)) continue;
    any = true;
    const name = scope.names.of(symbol.var);
    scope.writer.line(`const int64_t ${name} = args->${name};`);
  }
  return any;
}
