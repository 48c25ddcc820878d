// Verifier, calls: a callee exists, takes what it is given and gives what the call says, and no function calls itself.

import { compatible } from "./compatible.ts";
import { callsOf, callTyping, isMisfit, recursionOf, resolve, type Misfit } from "./modules.ts";
import type { FunctionCall, FunctionNode, ModuleNode } from "./nodes.ts";
import type { Check } from "./verify-check.ts";
import { typeText } from "./type-text.ts";

export function checkCalls(module: ModuleNode, { f, reporter }: Check): void {
  const calls = callsOf(f);
  for (const call of calls) {
    const callee = resolve(module, call.callee.symbol)?.fn;
    if (callee === undefined) reporter.report("TF5043", call.meta.span ?? f.meta.span, { name: call.callee.symbol, module: module.name });
    else checkCall(call, callee, reporter);
  }
  const cycle = calls.length === 0 ? undefined : recursionOf({ module, fn: f });
  if (cycle !== undefined) reporter.report("TF5044", f.meta.span, { name: f.name, cycle: cycle.join(" → ") });
}

function checkCall(call: FunctionCall, callee: FunctionNode, reporter: Check["reporter"]): void {
  const typing = callTyping(callee, call.args);
  const name = call.callee.symbol;
  if (isMisfit(typing)) reporter.report("TF5045", call.meta.span, { name, reason: misfitText(typing, callee) });
  else if (!compatible(typing.type, call.type)) reporter.report("TF5046", call.meta.span, { name, expected: typeText(typing.type), actual: typeText(call.type) });
}

/** The end of a sentence that begins with the callee. */
export function misfitText(misfit: Misfit, callee: FunctionNode): string {
  switch (misfit.kind) {
    case "count": return `takes ${misfit.expected} argument${misfit.expected === 1 ? "" : "s"}, not ${misfit.actual}`;
    case "argument": {
      const name = callee.params[misfit.index]?.var.hint ?? `argument ${misfit.index}`;
      return `takes ${typeText(misfit.expected)} as \`${name}\`, not ${typeText(misfit.actual)}`;
    }
    case "extent": return `has an extent \`${misfit.symbol}\` that no argument gives`;
  }
}
