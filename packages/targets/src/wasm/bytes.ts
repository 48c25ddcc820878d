// A growing byte buffer with the number forms of the WebAssembly binary format.

export class Bytes {
  readonly #data: number[] = [];

  get length(): number {
    return this.#data.length;
  }

  byte(value: number): void {
    this.#data.push(value);
  }

  bytes(values: Iterable<number>): void {
    for (const value of values) this.#data.push(value);
  }

  append(other: Bytes): void {
    for (const value of other.#data) this.#data.push(value);
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
    // which NaN the engine writes depends on how it was computed: the same program gives the same bytes
    if (Number.isNaN(value)) scratch.setBigUint64(0, width === 4 ? 0x7fc00000n : 0x7ff8000000000000n, true);
    else if (width === 4) scratch.setFloat32(0, value, true);
    else scratch.setFloat64(0, value, true);
    this.#scratch(width);
  }

  integer(value: bigint, width: 4 | 8): void {
    scratch.setBigInt64(0, BigInt.asIntN(64, value), true);
    this.#scratch(width);
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
    return Uint8Array.from(this.#data);
  }

  #scratch(width: number): void {
    for (let i = 0; i < width; i++) this.#data.push(scratch.getUint8(i));
  }
}

const scratch = new DataView(new ArrayBuffer(8));

/** UTF-8. Names are ASCII nearly always. */
export function utf8(text: string): readonly number[] {
  return /^[ -~]*$/.test(text) ? Array.from(text, (c) => c.charCodeAt(0)) : [...text].flatMap((c) => utf8Of(c.codePointAt(0) ?? 0));
}

function utf8Of(c: number): readonly number[] {
  if (c < 0x80) return [c];
  if (c < 0x800) return [0xc0 | (c >> 6), tail(c)];
  if (c < 0x10000) return [0xe0 | (c >> 12), tail(c >> 6), tail(c)];
  return [0xf0 | (c >> 18), tail(c >> 12), tail(c >> 6), tail(c)];
}

const tail = (bits: number): number => 0x80 | (bits & 0x3f);
