// Seeded choice for generated programs: the same seed gives the same program on every machine.

export interface Random {
  /** A whole number in [0, n). */
  below(n: number): number;
  chance(p: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** One of the values, as often as its weight says. */
  weighted<T>(rows: readonly (readonly [weight: number, value: T])[]): T;
}

/** mulberry32. */
export function randomBy(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T; // lists are never empty
  return {
    below,
    chance: (p) => next() < p,
    pick,
    weighted: (rows) => {
      let rest = next() * rows.reduce((sum, [weight]) => sum + weight, 0);
      const [, value] = rows.find(([weight]) => (rest -= weight) < 0) ?? pick(rows);
      return value;
    },
  };
}

/** A number from a seed and a word, so that each name has a stream of its own. */
export function seedOf(seed: number, word: string): number {
  let hash = seed | 0;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193) + i;
  return hash >>> 0;
}
