// Orders for parallel iterations: any permutation is legal, a seed picks one. Very long loops permute blocks of iterations.

const LONGEST = 1 << 20;

/** A source of permutations of `0 … n-1`, the same for the same seed. */
export function ordersBySeed(seed: number): (n: number) => ArrayLike<number> {
  const random = generator(seed);
  return (n) => {
    const block = Math.max(1, Math.ceil(n / LONGEST));
    const blocks = shuffled(Math.ceil(n / block), random);
    return block === 1 ? blocks : spread(blocks, block, n);
  };
}

function shuffled(n: number, random: () => number): Float64Array {
  const order = Float64Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const kept = order[i] ?? 0;
    order[i] = order[j] ?? 0;
    order[j] = kept;
  }
  return order;
}

function spread(blocks: Float64Array, block: number, n: number): Float64Array {
  const order = new Float64Array(n);
  let next = 0;
  for (const b of blocks) for (let i = b * block; i < Math.min(n, (b + 1) * block); i++) order[next++] = i;
  return order;
}

/** Numbers in [0, 1), by the 32-bit xorshift of Marsaglia (2003). */
function generator(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) ^ 0x2545f491 || 1; // any state but 0
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}
