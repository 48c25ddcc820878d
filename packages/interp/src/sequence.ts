// Steps in a row become one piece of code.

import { NEXT, type Code, type Emit, type Machine } from "./machine.ts";

export interface Step {
  readonly emit: Emit;
  /** Whether it may leave by a signal. */
  readonly jumps: boolean;
}

export function sequence(steps: readonly Step[]): Step {
  return { jumps: steps.some((s) => s.jumps), emit: (m) => link(steps, m) };
}

/** Steps that never jump run without looking at the signal. */
function link(steps: readonly Step[], m: Machine): Code {
  const parts: { readonly code: Code; readonly jumps: boolean }[] = [];
  let calm: Code[] = [];
  const flush = (): void => {
    if (calm.length > 0) parts.push({ code: straight(calm), jumps: false });
    calm = [];
  };
  for (const step of steps) {
    if (!step.jumps) calm.push(step.emit(m));
    else {
      flush();
      parts.push({ code: step.emit(m), jumps: true });
    }
  }
  flush();
  return parts.some((p) => p.jumps) ? signalled(parts.map((p) => p.code), m) : (parts[0]?.code ?? (() => undefined));
}

function signalled(codes: readonly Code[], m: Machine): Code {
  return () => {
    for (const code of codes) {
      code();
      if (m.signal !== NEXT) return;
    }
  };
}

function straight(codes: readonly Code[]): Code {
  const [a, b, c, d] = codes;
  if (a === undefined) return () => undefined;
  if (b === undefined) return a;
  if (c === undefined) return () => (a(), b());
  if (d === undefined) return () => (a(), b(), c());
  if (codes.length === 4) return () => (a(), b(), c(), d());
  return () => {
    for (let i = 0; i < codes.length; i++) (codes[i] as Code)(); // within bounds
  };
}
