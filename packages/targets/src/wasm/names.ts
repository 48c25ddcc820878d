// Names in the text: the author's, in the characters that WAT identifiers take; a second holder of a name gets a trailing `_`.

const PLAIN = /^[A-Za-z0-9_.$]*$/;

export class Names {
  readonly #taken = new Set<string>();

  /** The name itself if it is free, else with as many `_` as it takes. */
  claim(hint: string): string {
    let name = PLAIN.test(hint) ? hint : spelt(hint);
    while (this.#taken.has(name)) name += "_";
    this.#taken.add(name);
    return name;
  }
}

/** Other characters by their code points. */
const spelt = (hint: string): string => hint.replace(/[^A-Za-z0-9_.$]/gu, (c) => `_u${(c.codePointAt(0) ?? 0).toString(16)}`);
