// A growing byte buffer with the number forms of the WebAssembly binary format.

export class Bytes {
  #data = new Uint8Array(2048);
  #view = new DataView(this.#data.buffer);
  #length = 0;

  /** For the next module: making a buffer costs as much as filling it. */
  clear(): void {
    this.#length = 0;
  }

  byte(value: number): void {
    if (this.#length === this.#data.length) this.#reserve(1);
    this.#data[this.#length++] = value;
  }

  bytes(values: readonly number[]): void {
    for (const value of values) this.byte(value);
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

  /** LEB128 with sign, of a number of 32 bits. */
  signed32(value: number): void {
    let rest = value | 0;
    while (rest < -0x40 || rest >= 0x40) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    this.byte(rest & 0x7f);
  }

  /** LEB128 with sign, of a number of 64 bits. */
  signed64(value: bigint): void {
    let rest = value;
    while (rest < -0x40n || rest >= 0x40n) {
      this.byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.byte(Number(rest & 0x7fn));
  }

  /** Which NaN the engine writes depends on how it was computed: here the same program gives the same bytes. */
  float32(value: number): void {
    const at = this.#take(4);
    if (Number.isNaN(value)) this.#view.setUint32(at, 0x7fc00000, true);
    else this.#view.setFloat32(at, value, true);
  }

  float64(value: number): void {
    const at = this.#take(8);
    if (Number.isNaN(value)) this.#view.setBigUint64(at, 0x7ff8000000000000n, true);
    else this.#view.setFloat64(at, value, true);
  }

  /** The low 32 bits. */
  integer32(value: number): void {
    const at = this.#take(4);
    this.#view.setInt32(at, value, true);
  }

  /** The low 64 bits. */
  integer64(value: bigint): void {
    const at = this.#take(8);
    this.#view.setBigInt64(at, value, true);
  }

  /** UTF-8 behind its size. */
  text(value: string): void {
    const start = this.open();
    for (let i = 0; i < value.length; i++) {
      const c = value.codePointAt(i) ?? 0;
      if (c < 0x80) this.byte(c);
      else this.bytes(utf8Of(c));
      if (c > 0xffff) i++; // the point takes two units
    }
    this.close(start);
  }

  /** Begins what has its size before it: a section, a body, a text. */
  open(): number {
    return this.#take(1);
  }

  /** Ends what was begun there, and writes its size. Most sizes take the one byte kept for them; for others the content moves. */
  close(start: number): void {
    const size = this.#length - start - 1;
    const end = this.#length + sizeLength(size) - 1;
    this.#reserve(end - this.#length);
    if (size >= 0x80) this.#data.copyWithin(start + sizeLength(size), start + 1, this.#length);
    this.#length = start;
    this.unsigned(size);
    this.#length = end;
  }

  done(): Uint8Array {
    return this.#data.slice(0, this.#length);
  }

  /** Where the next bytes go, so many of them; to be asked before the view, which may grow. */
  #take(count: number): number {
    this.#reserve(count);
    const at = this.#length;
    this.#length += count;
    return at;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#data.length) return;
    const larger = new Uint8Array(2 * (this.#length + count));
    larger.set(this.#data);
    this.#data = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** Bytes that a size takes. */
function sizeLength(size: number): number {
  let length = 1;
  for (let rest = size >>> 7; rest > 0; rest >>>= 7) length++;
  return length;
}

/** UTF-8. */
export const utf8 = (text: string): readonly number[] => Array.from(text, (c) => utf8Of(c.codePointAt(0) ?? 0)).flat();

function utf8Of(c: number): readonly number[] {
  if (c < 0x80) return [c];
  if (c < 0x800) return [0xc0 | (c >> 6), tail(c)];
  if (c < 0x10000) return [0xe0 | (c >> 12), tail(c >> 6), tail(c)];
  return [0xf0 | (c >> 18), tail(c >> 12), tail(c >> 6), tail(c)];
}

const tail = (bits: number): number => 0x80 | (bits & 0x3f);
