// Arrays: contiguous, row-major, of a dtype and a shape. Those the library makes live in its WebAssembly memory, where kernels use
// them in place; a typed array that the caller brought stays where it is.

import { DTYPES, type DType } from "@tilefoundry/ir";
import { isWideData, viewOf, zeros, type Element, type ElementData } from "./elements.ts";
import { sharedMemory } from "./memory.ts";

/** A block of the library's memory, or a typed array elsewhere. */
type Storage = { readonly kind: "block"; readonly address: number } | { readonly kind: "data"; readonly data: ElementData } | { readonly kind: "freed" };

const blocks = new FinalizationRegistry<number>((address) => sharedMemory().free(address));
/** A view keeps its array, and so its block, alive. */
const owners = new WeakMap<ElementData, NdArray>();

/** Elements that are shown of an array. */
const SHOWN = 6;

export class NdArray {
  readonly shape: readonly number[];
  readonly dtype: DType;
  /** In elements. */
  readonly strides: readonly number[];
  #storage: Storage;
  #view: ElementData | undefined;

  private constructor(shape: readonly number[], dtype: DType, storage: Storage) {
    this.shape = [...shape];
    this.dtype = dtype;
    this.strides = stridesOf(shape);
    this.#storage = storage;
    if (storage.kind === "block") blocks.register(this, storage.address, this);
  }

  /** Zeros. In the library's memory if there is room, else in an array of its own. */
  static zeros(shape: readonly number[], dtype: DType): NdArray {
    const made = NdArray.#uninitialized(shape, dtype);
    const { buffer, byteOffset, byteLength } = made.data;
    new Uint8Array(buffer, byteOffset, byteLength).fill(0);
    return made;
  }

  /** Elements by flat position. */
  static from(shape: readonly number[], dtype: DType, element: (at: number) => Element): NdArray {
    const made = NdArray.#uninitialized(shape, dtype);
    const { data } = made;
    if (isWideData(data)) for (let i = 0; i < data.length; i++) data[i] = BigInt(element(i));
    else for (let i = 0; i < data.length; i++) data[i] = Number(element(i));
    return made;
  }

  /** Holds what the memory held. */
  static #uninitialized(shape: readonly number[], dtype: DType): NdArray {
    const length = sizeOf(shape);
    const address = sharedMemory().allocate(length * DTYPES[dtype].bytes);
    return address === undefined ? NdArray.wrap(zeros(dtype, length), shape, dtype) : new NdArray(shape, dtype, { kind: "block", address });
  }

  /** An array over a typed array, which is not copied. It must hold as many elements, of the dtype's storage. */
  static wrap(data: ElementData, shape: readonly number[], dtype: DType): NdArray {
    return new NdArray(shape, dtype, { kind: "data", data });
  }

  /** The elements. Ask again after anything that may allocate: when the memory grows, older views become empty. */
  get data(): ElementData {
    const storage = this.#storage;
    if (storage.kind === "data") return storage.data;
    if (storage.kind === "freed") return viewOf(this.dtype, new ArrayBuffer(0), 0, 0);
    const { buffer } = sharedMemory().memory;
    if (this.#view === undefined || this.#view.buffer !== buffer) {
      this.#view = viewOf(this.dtype, buffer, storage.address, this.size);
      owners.set(this.#view, this);
    }
    return this.#view;
  }

  get size(): number {
    return sizeOf(this.shape);
  }

  /** Address in the library's memory, if it lies there. */
  get address(): number | undefined {
    return this.#storage.kind === "block" ? this.#storage.address : undefined;
  }

  get isFreed(): boolean {
    return this.#storage.kind === "freed";
  }

  /** Gives the memory back at once rather than some time after the last use. The array is empty afterwards. */
  free(): void {
    if (this.#storage.kind === "block") {
      blocks.unregister(this);
      sharedMemory().free(this.#storage.address);
    }
    this.#storage = { kind: "freed" };
    this.#view = undefined;
  }

  copy(): NdArray {
    const made = NdArray.#uninitialized(this.shape, this.dtype);
    made.assign(this);
    return made;
  }

  /** Takes the elements of an array of equal size and storage. */
  assign(other: NdArray): void {
    copyElements(other.data, this.data);
  }

  /** What Node shows of it: dtype, shape and the first elements. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    const { data } = this;
    const text = (x: number | bigint | undefined): string => String(typeof x === "number" ? Number(x.toPrecision(6)) : x);
    const first = Array.from({ length: Math.min(SHOWN, data.length) }, (_, i) => text(data[i]));
    return `NdArray ${this.dtype}[${this.shape.join(", ")}] { ${[...first, ...(this.size > SHOWN ? ["…"] : [])].join(", ")} }`;
  }

  /** Nested arrays of numbers, bigints or booleans. */
  toNested(): unknown {
    const { data, shape, dtype } = this;
    const at = (axis: number, start: number): unknown => {
      const extent = shape[axis];
      if (extent === undefined) return dtype === "bool" ? data[start] !== 0 : data[start];
      const stride = this.strides[axis] ?? 1;
      return Array.from({ length: extent }, (_, i) => at(axis + 1, start + i * stride));
    };
    return at(0, 0);
  }
}

export function copyElements(from: ElementData, to: ElementData): void {
  if (isWideData(to)) {
    if (isWideData(from)) to.set(from);
  } else if (!isWideData(from)) to.set(from);
}

export const sizeOf = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1);

function stridesOf(shape: readonly number[]): readonly number[] {
  const strides: number[] = [];
  let stride = 1;
  for (const extent of [...shape].reverse()) {
    strides.unshift(stride);
    stride *= extent;
  }
  return strides;
}
