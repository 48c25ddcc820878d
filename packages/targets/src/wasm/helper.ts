// How the functions beside a kernel are written: parameters and locals by name, a list of statements, a result.

import { invariant } from "@tilefoundry/text";
import type { ValueType } from "./opcodes.ts";
import { get, set, type Local, type Tree, type WasmFunction } from "./tree.ts";

export interface Scope {
  param(name: string): Tree;
  /** Computes into a new local, and gives it. */
  let(name: string, value: Tree): Tree;
  /** A local to be set several times. */
  local(name: string, type: ValueType): Local;
  do(statement: Tree): void;
}

export function defineHelper(
  name: string, params: Readonly<Record<string, ValueType>>, result: ValueType, comment: string, build: (s: Scope) => Tree,
): WasmFunction {
  const parameters = Object.entries(params).map(([hint, type], index): Local => ({ name: hint, type, index }));
  const locals: Local[] = [];
  const body: Tree[] = [];
  const local = (hint: string, type: ValueType): Local => {
    const made = { name: hint, type, index: parameters.length + locals.length };
    locals.push(made);
    return made;
  };
  const value = build({
    param: (hint) => {
      const found = parameters.find((p) => p.name === hint);
      invariant(found !== undefined, () => `$${name} has no parameter ${hint}`);
      return get(found);
    },
    let: (hint, tree) => {
      invariant(tree.type !== undefined, () => `no value for $${hint}`);
      const made = local(hint, tree.type);
      body.push(set(made, tree));
      return get(made);
    },
    local,
    do: (statement) => body.push(statement),
  });
  return { name, params: parameters, result, locals, body: [...body, value], comments: [comment] };
}
