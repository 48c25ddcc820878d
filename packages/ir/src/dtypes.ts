// Element types. `index` and `i64` are both 64-bit signed; they mix without a cast (semantics: "Dialect of a function").

interface DTypeRow {
  readonly kind: "int" | "uint" | "float" | "bool";
  /** Width of the value in bits. */
  readonly bits: number;
  /** Width of a stored element in bytes. */
  readonly bytes: number;
  /** PyPTO's spelling after `pl.`; the TileFoundry spelling is the key itself. */
  readonly pl: string;
}

export const DTYPES = {
  bool: { kind: "bool", bits: 1, bytes: 1, pl: "BOOL" },
  i8: { kind: "int", bits: 8, bytes: 1, pl: "INT8" },
  i16: { kind: "int", bits: 16, bytes: 2, pl: "INT16" },
  u8: { kind: "uint", bits: 8, bytes: 1, pl: "UINT8" },
  u16: { kind: "uint", bits: 16, bytes: 2, pl: "UINT16" },
  i32: { kind: "int", bits: 32, bytes: 4, pl: "INT32" },
  u32: { kind: "uint", bits: 32, bytes: 4, pl: "UINT32" },
  u64: { kind: "uint", bits: 64, bytes: 8, pl: "UINT64" },
  i64: { kind: "int", bits: 64, bytes: 8, pl: "INT64" },
  index: { kind: "int", bits: 64, bytes: 8, pl: "INDEX" },
  f32: { kind: "float", bits: 32, bytes: 4, pl: "FP32" },
  f64: { kind: "float", bits: 64, bytes: 8, pl: "FP64" },
} as const satisfies Readonly<Record<string, DTypeRow>>;

export type DType = keyof typeof DTYPES;

export const DTYPE_NAMES = Object.keys(DTYPES) as readonly DType[]; // Object.keys forgets its key type

export const isFloat = (d: DType): boolean => DTYPES[d].kind === "float";
/** Signed or unsigned integer, `index` included, `bool` not. */
export const isInteger = (d: DType): boolean => DTYPES[d].kind === "int" || DTYPES[d].kind === "uint";
export const isSigned = (d: DType): boolean => DTYPES[d].kind === "int";

/** Same values and same arithmetic: equal, or `i64` beside `index`. */
export function sameDType(a: DType, b: DType): boolean {
  return a === b || (is64(a) && is64(b));
}

const is64 = (d: DType): boolean => d === "i64" || d === "index";
