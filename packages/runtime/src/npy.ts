// .npy files, versions 1 to 3: reading with every fault named, writing version 1.

import { DTYPES, shapeText, type DType } from "@tilefoundry/ir";
import { diagnostic, type Diagnostic, type Outcome } from "@tilefoundry/text";
import { viewOf, type ElementData } from "./elements.ts";
import { copyElements, NdArray, sizeOf } from "./nd-array.ts";

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] as const;

/** NumPy's names of the element types, without the byte order. */
const DESCR = {
  bool: "b1", i8: "i1", i16: "i2", i32: "i4", i64: "i8", index: "i8", u8: "u1", u16: "u2", u32: "u4", u64: "u8", f32: "f4", f64: "f8",
} as const satisfies Readonly<Record<DType, string>>;

/** Read as the first dtype of that name: an `index` comes back as `i64`. */
const DTYPE_OF = new Map<string, DType>(Object.entries(DESCR).flatMap(([dtype, descr]) => (dtype === "index" ? [] : [[descr, dtype as DType]]))); // Object.entries forgets the key type

// — reading —

export function fromNpy(bytes: Uint8Array, name = "the file"): Outcome<NdArray | undefined> {
  const header = readHeader(bytes);
  if (typeof header === "string") return failed(diagnostic("TF6060", undefined, { file: name, reason: header }));
  const { descr, fortran, shape, start } = header;
  const dtype = DTYPE_OF.get(descr.slice(1));
  if (dtype === undefined) return failed(diagnostic("TF6061", undefined, { file: name, descr, known: [...DTYPE_OF.keys()].join(", ") }));
  const size = sizeOf(shape);
  const [needed, there] = [size * DTYPES[dtype].bytes, bytes.length - start];
  if (there < needed) return failed(diagnostic("TF6062", undefined, { file: name, there, needed, shape: shapeText(shape), dtype }));
  // a copy: a Node Buffer's own `slice` would share memory, at any offset
  const body = new Uint8Array(bytes.subarray(start, start + needed));
  if (descr.startsWith(">")) swapBytes(body, DTYPES[dtype].bytes);
  const stored = viewOf(dtype, body.buffer, 0, size);
  const made = NdArray.zeros(shape, dtype);
  if (fortran && shape.length > 1) fromFortran(stored, made);
  else copyElements(stored, made.data);
  return { value: made, diagnostics: [] };
}

interface Header {
  readonly descr: string;
  readonly fortran: boolean;
  readonly shape: readonly number[];
  /** Where the elements begin. */
  readonly start: number;
}

/** The header, or what is wrong with it. */
function readHeader(bytes: Uint8Array): Header | string {
  if (bytes.length < 10 || !MAGIC.every((b, i) => bytes[i] === b)) return "it does not begin with the mark of .npy files";
  const version = bytes[6] ?? 0;
  if (version < 1 || version > 3) return `its version is ${version}, and 1 to 3 are known`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const prefix = version === 1 ? 10 : 12;
  if (bytes.length < prefix) return "it ends within its header";
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const start = prefix + length;
  if (bytes.length < start) return "it ends within its header";
  return parseHeader(latin1(bytes.subarray(prefix, start)), start);
}

/** The header is a Python dictionary of three keys. */
function parseHeader(text: string, start: number): Header | string {
  const descr = /'descr'\s*:\s*'([<>|=]?[a-zA-Z]\d*)'/.exec(text)?.[1];
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
  const extents = /'shape'\s*:\s*\(([\d\s,]*)\)/.exec(text)?.[1];
  if (/'descr'\s*:\s*\[/.test(text)) return "its elements are records, which have no dtype here";
  if (descr === undefined) return "its header names no element type";
  if (order === undefined) return "its header does not say whether it is in Fortran order";
  if (extents === undefined) return "its header has no shape";
  const shape = extents.split(",").flatMap((e) => (e.trim() === "" ? [] : [Number(e)]));
  if (!shape.every(Number.isSafeInteger) || !Number.isSafeInteger(sizeOf(shape))) return "its shape is out of range";
  return { descr: /^[<>|=]/.test(descr) ? descr : `=${descr}`, fortran: order === "True", shape, start };
}

const latin1 = (bytes: Uint8Array): string => Array.from(bytes, (b) => String.fromCharCode(b)).join("");

function swapBytes(bytes: Uint8Array, width: number): void {
  for (let at = 0; at < bytes.length; at += width) bytes.subarray(at, at + width).reverse();
}

/** Elements with the first axis running fastest, put into row-major order. */
function fromFortran(stored: ElementData, into: NdArray): void {
  const { shape, strides, data } = into;
  const index = shape.map(() => 0);
  for (let from = 0; from < stored.length; from++) {
    const to = index.reduce((sum, i, axis) => sum + i * (strides[axis] ?? 0), 0);
    const element = stored[from];
    if (element !== undefined) data[to] = element;
    for (let axis = 0; axis < shape.length; axis++) {
      index[axis] = (index[axis] ?? 0) + 1;
      if ((index[axis] ?? 0) < (shape[axis] ?? 0)) break;
      index[axis] = 0;
    }
  }
}

const failed = (fault: Diagnostic): Outcome<undefined> => ({ value: undefined, diagnostics: [fault] });

// — writing —

/** The array as a .npy file; the elements begin at a multiple of 64. */
export function toNpy(array: NdArray): Uint8Array {
  const { shape, dtype, data } = array;
  const order = DTYPES[dtype].bytes === 1 ? "|" : "<";
  const extents = shape.length === 1 ? `${shape[0] ?? 0},` : shape.join(", ");
  const text = `{'descr': '${order}${DESCR[dtype]}', 'fortran_order': False, 'shape': (${extents}), }`;
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const bytes = new Uint8Array(10 + length + data.byteLength);
  bytes.set([...MAGIC, 1, 0, length & 0xff, length >> 8]);
  bytes.set(Array.from(`${text.padEnd(length - 1)}\n`, (c) => c.charCodeAt(0)), 10);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), 10 + length);
  return bytes;
}
