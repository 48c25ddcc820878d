// How both parents spell dtypes and memory spaces, and which of theirs this version does not have yet.

import { DTYPE_NAMES, DTYPES, STORAGES, type DType, type Storage } from "@tilefoundry/ir";

const BY_NAME: ReadonlyMap<string, DType> = new Map(DTYPE_NAMES.flatMap((d) => [[d, d], [DTYPES[d].pl, d]] as const));

/** Dtypes of the parents that come later, in either spelling. */
const LATER: ReadonlySet<string> = new Set([
  "i4", "u4", "f16", "bf16", "f8e4m3fn", "f8e5m2", "f8e8m0", "f4e2m1", "fp8e4m3", "task",
  "INT4", "UINT4", "FP4", "FP8E4M3FN", "FP8E5M2", "FP8E8M0", "FP16", "BF16", "HF4", "HF8", "TASK_ID",
]);

/** Spellings of other systems, to suggest ours. */
const ELSEWHERE: Readonly<Record<string, DType>> = {
  float: "f32", double: "f64", int: "i32", float32: "f32", float64: "f64", int8: "i8", int16: "i16", int32: "i32", int64: "i64", uint8: "u8", uint16: "u16",
  uint32: "u32", uint64: "u64",
  fp32: "f32", fp64: "f64", boolean: "bool", long: "i64",
};

/** `f32` or `FP32`. */
export const dtypeCalled = (name: string): DType | undefined => BY_NAME.get(name);

export const isLaterDType = (name: string): boolean => LATER.has(name);

/** What the author of an unknown dtype name may have meant. */
export const dtypeElsewhere = (name: string): DType | undefined => (Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined);

export const DTYPE_SPELLINGS: readonly string[] = [...BY_NAME.keys()];

/** PyPTO's memory spaces. */
const SPACES: Readonly<Record<string, Storage>> = { DDR: "gmem", Vec: "vec", Mat: "mat", Left: "left", Right: "right", Acc: "acc", Bias: "bias" };

/** `pl.Mem.Acc` by its last word, or a storage by its own name. */
export function storageCalled(name: string): Storage | undefined {
  return STORAGES.find((s) => s === name) ?? (Object.hasOwn(SPACES, name) ? SPACES[name] : undefined);
}

export const SPACE_WORDS: readonly string[] = Object.keys(SPACES);
