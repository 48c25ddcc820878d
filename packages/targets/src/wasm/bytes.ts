// A growing byte buffer with the number forms of the WebAssembly binary format.

export class Bytes {
  #data = new Uint8Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#data[this.#length++] = value;
  }

  bytes(values: readonly number[]): void {
    for (const value of values) this.byte(value);
  }

  append(other: Bytes): void {
    this.#reserve(other.#length);
    this.#data.set(other.#data.subarray(0, other.#length), this.#length);
    this.#length += other.#length;
  }

  /** LEB128 without sign. */
  unsigned(value: number): void {
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** LEB128 with sign. */
  signed(value: bigint): void {
    let rest = value;
    for (;;) {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      const done = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
      this.byte(done ? low : low | 0x80);
      if (done) return;
    }
  }

  float(value: number, width: 4 | 8): void {
    this.#reserve(width);
    const view = new DataView(this.#data.buffer, this.#length, width);
    if (width === 4) view.setFloat32(0, value, true);
    else view.setFloat64(0, value, true);
    this.#length += width;
  }

  integer(value: bigint, width: 4 | 8): void {
    this.#reserve(width);
    const view = new DataView(this.#data.buffer, this.#length, width);
    if (width === 4) view.setInt32(0, Number(BigInt.asIntN(32, value)), true);
    else view.setBigInt64(0, BigInt.asIntN(64, value), true);
    this.#length += width;
  }

  text(value: string): void {
    const encoded = utf8(value);
    this.unsigned(encoded.length);
    this.bytes(encoded);
  }

  /** A section or a body: its size, then itself. */
  sized(inner: Bytes): void {
    this.unsigned(inner.length);
    this.append(inner);
  }

  done(): Uint8Array {
    return this.#data.slice(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#data.length) return;
    const grown = new Uint8Array(Math.max(this.#data.length * 2, this.#length + more));
    grown.set(this.#data.subarray(0, this.#length));
    this.#data = grown;
  }
}

function utf8(text: string): readonly number[] {
  return [...text].flatMap((character) => {
    const c = character.codePointAt(0) ?? 0;
    if (c < 0x80) return [c];
    if (c < 0x800) return [0xc0 | (c >> 6), tail(c)];
    if (c < 0x10000) return [0xe0 | (c >> 12), tail(c >> 6), tail(c)];
    return [0xf0 | (c >> 18), tail(c >> 12), tail(c >> 6), tail(c)];
  });
}

const tail = (bits: number): number => 0x80 | (bits & 0x3f);
