// Names in C: the author's, with a trailing `_` where C or the prelude has the word, and plain ASCII.

import type { FunctionNode, VarLike } from "@tilefoundry/ir";

const C_WORDS = new Set(
  (
    "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short " +
    "signed sizeof static struct switch typedef union unsigned void volatile while _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary " +
    "_Noreturn _Static_assert _Thread_local asm typeof bool true false NULL INFINITY NAN main " +
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ptrdiff_t intptr_t uintptr_t linux unix " +
    "abs labs llabs fabs fabsf floor floorf ceil ceilf rint rintf round roundf sqrt sqrtf fma fmaf fmax fmin exp expf log pow sin cos tan " +
    "y0 y1 yn j0 j1 jn gamma lgamma signgam memcpy memset malloc free errno index rindex div ldiv " +
    "args arena begin end context parallel_for"
  ).split(" "),
);

/** An identifier C takes; unique as long as the IR's names are. */
export function cName(hint: string): string {
  const ascii = hint.replace(/[^A-Za-z0-9_]/gu, (c) => `_u${(c.codePointAt(0) ?? 0).toString(16)}`);
  const safe = /^[0-9]/.test(ascii) ? `_${ascii}` : ascii;
  return C_WORDS.has(safe) || safe.startsWith("tf_") || /^(_[A-Z_]|U?INT\d|FLT_|DBL_)/.test(safe) ? `${safe}_` : safe;
}

/** Gives every variable its C name when it is first met; two variables never share one. */
export class Names {
  readonly #names = new Map<VarLike, string>();
  readonly #taken: Set<string>;

  constructor(fn: FunctionNode) {
    this.#taken = new Set([cName(fn.name), `${cName(fn.name)}_args`]);
  }

  of(variable: VarLike): string {
    let name = this.#names.get(variable);
    if (name === undefined) this.#names.set(variable, (name = this.fresh(variable.hint)));
    return name;
  }

  /** A name that nothing else has. */
  fresh(hint: string): string {
    const base = cName(hint);
    let name = base;
    for (let i = 1; this.#taken.has(name); i++) name = `${base}_${i}`;
    this.#taken.add(name);
    return name;
  }
}
