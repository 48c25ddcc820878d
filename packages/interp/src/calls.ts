// Compiling calls of functions: the callee's code stands in the caller's, on registers of its own. Kernels do not recurse, so that each call
// has its registers once.

import { callTyping, isMisfit, resolve, toExpr, type FunctionCall } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { compileExpr, inBlock, placeOf, type Builder } from "./builder.ts";
import type { Place } from "./layout.ts";
import { NEXT, RETURN } from "./machine.ts";

export function compileFunctionCall(call: FunctionCall, b: Builder): Place {
  const found = resolve(b.module, call.callee.symbol);
  invariant(found !== undefined, () => `${call.callee.symbol} is no function of ${b.module.name}`);
  const { fn, module } = found;
  const typing = callTyping(fn, call.args);
  invariant(!isMisfit(typing), () => `the arguments of ${fn.name} do not fit`);
  const returns = fn.returns.map((t) => b.layout.place(t));
  const inside: Builder = { ...b, f: fn, module, returns, yields: [], places: new Map() };
  for (const [i, { var: v }] of fn.params.entries()) {
    const arg = call.args[i];
    if (arg !== undefined) compileExpr(arg, b, placeOf(v, inside));
  }
  for (const [symbol, dim] of typing.dims) compileExpr(toExpr(dim), b, placeOf(symbol, inside));
  const body = inBlock(inside, (inner) => b.rules.body(fn, inner));
  b.steps.push({
    jumps: false,
    emit: (m) => {
      const run = body.emit(m);
      return () => {
        run();
        if (m.signal === RETURN) m.signal = NEXT;
      };
    },
  });
  const [only, second] = returns;
  return only !== undefined && second === undefined ? only : returns;
}
