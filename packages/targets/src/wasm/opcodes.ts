// The one table of instructions that kernels use. A row has the opcode's bytes, its immediates and its types; the binary writer,
// the text writer and the type check of the tree all read it. Names and numbers are those of the WebAssembly specification 2.0.

export type ValueType = "i32" | "i64" | "f32" | "f64" | "v128";

/** memory: alignment and offset · lane: a lane number · memory-lane: both · lanes16: a byte permutation. */
export type ImmediateKind = "none" | "memory" | "lane" | "memory-lane" | "lanes16";

export interface OpcodeRow {
  readonly code: readonly number[];
  readonly immediate: ImmediateKind;
  readonly operands: readonly ValueType[];
  /** Absent for stores. */
  readonly result: ValueType | undefined;
  /** Of memory instructions: bytes accessed. */
  readonly bytes: number;
}

const row = (
  code: readonly number[], operands: readonly ValueType[], result: ValueType | undefined, immediate: ImmediateKind = "none", bytes = 0,
): OpcodeRow => ({ code, immediate, operands, result, bytes });

const unary = (code: number, t: ValueType, result: ValueType = t): OpcodeRow => row([code], [t], result);
const binary = (code: number, t: ValueType, result: ValueType = t): OpcodeRow => row([code], [t, t], result);
const saturating = (code: number, t: ValueType, result: ValueType): OpcodeRow => row([0xfc, code], [t], result);
const load = (code: number, result: ValueType, bytes: number): OpcodeRow => row([code], ["i32"], result, "memory", bytes);
const store = (code: number, t: ValueType, bytes: number): OpcodeRow => row([code], ["i32", t], undefined, "memory", bytes);

/** The vector prefix, then the number in LEB128. */
const simd = (code: number): readonly number[] => (code < 0x80 ? [0xfd, code] : [0xfd, (code & 0x7f) | 0x80, code >> 7]);
const unaryV = (code: number): OpcodeRow => row(simd(code), ["v128"], "v128");
const binaryV = (code: number): OpcodeRow => row(simd(code), ["v128", "v128"], "v128");
const shiftV = (code: number): OpcodeRow => row(simd(code), ["v128", "i32"], "v128");
const splatV = (code: number, t: ValueType): OpcodeRow => row(simd(code), [t], "v128");
const testV = (code: number): OpcodeRow => row(simd(code), ["v128"], "i32");
const extractV = (code: number, t: ValueType): OpcodeRow => row(simd(code), ["v128"], t, "lane");
const replaceV = (code: number, t: ValueType): OpcodeRow => row(simd(code), ["v128", t], "v128", "lane");
const loadV = (code: number, bytes: number): OpcodeRow => row(simd(code), ["i32"], "v128", "memory", bytes);
const storeLane = (code: number, bytes: number): OpcodeRow => row(simd(code), ["i32", "v128"], undefined, "memory-lane", bytes);

export const OPCODES = {
  "i32.load": load(0x28, "i32", 4),
  "i64.load": load(0x29, "i64", 8),
  "f32.load": load(0x2a, "f32", 4),
  "f64.load": load(0x2b, "f64", 8),
  "i32.load8_u": load(0x2d, "i32", 1),
  "i32.load16_u": load(0x2f, "i32", 2),
  "i32.store": store(0x36, "i32", 4),
  "i64.store": store(0x37, "i64", 8),
  "f32.store": store(0x38, "f32", 4),
  "f64.store": store(0x39, "f64", 8),
  "i32.store8": store(0x3a, "i32", 1),

  "i32.eqz": unary(0x45, "i32"),
  "i32.eq": binary(0x46, "i32"),
  "i32.ne": binary(0x47, "i32"),
  "i32.lt_s": binary(0x48, "i32"),
  "i32.lt_u": binary(0x49, "i32"),
  "i32.gt_s": binary(0x4a, "i32"),
  "i32.gt_u": binary(0x4b, "i32"),
  "i32.le_s": binary(0x4c, "i32"),
  "i32.le_u": binary(0x4d, "i32"),
  "i32.ge_s": binary(0x4e, "i32"),
  "i32.ge_u": binary(0x4f, "i32"),
  "i64.eqz": unary(0x50, "i64", "i32"),
  "i64.eq": binary(0x51, "i64", "i32"),
  "i64.ne": binary(0x52, "i64", "i32"),
  "i64.lt_s": binary(0x53, "i64", "i32"),
  "i64.lt_u": binary(0x54, "i64", "i32"),
  "i64.gt_s": binary(0x55, "i64", "i32"),
  "i64.gt_u": binary(0x56, "i64", "i32"),
  "i64.le_s": binary(0x57, "i64", "i32"),
  "i64.le_u": binary(0x58, "i64", "i32"),
  "i64.ge_s": binary(0x59, "i64", "i32"),
  "i64.ge_u": binary(0x5a, "i64", "i32"),
  "f32.eq": binary(0x5b, "f32", "i32"),
  "f32.ne": binary(0x5c, "f32", "i32"),
  "f32.lt": binary(0x5d, "f32", "i32"),
  "f32.gt": binary(0x5e, "f32", "i32"),
  "f32.le": binary(0x5f, "f32", "i32"),
  "f32.ge": binary(0x60, "f32", "i32"),
  "f64.eq": binary(0x61, "f64", "i32"),
  "f64.ne": binary(0x62, "f64", "i32"),
  "f64.lt": binary(0x63, "f64", "i32"),
  "f64.gt": binary(0x64, "f64", "i32"),
  "f64.le": binary(0x65, "f64", "i32"),
  "f64.ge": binary(0x66, "f64", "i32"),

  "i32.add": binary(0x6a, "i32"),
  "i32.sub": binary(0x6b, "i32"),
  "i32.mul": binary(0x6c, "i32"),
  "i32.div_s": binary(0x6d, "i32"),
  "i32.div_u": binary(0x6e, "i32"),
  "i32.rem_s": binary(0x6f, "i32"),
  "i32.rem_u": binary(0x70, "i32"),
  "i32.and": binary(0x71, "i32"),
  "i32.or": binary(0x72, "i32"),
  "i32.xor": binary(0x73, "i32"),
  "i32.shl": binary(0x74, "i32"),
  "i32.shr_s": binary(0x75, "i32"),
  "i32.shr_u": binary(0x76, "i32"),
  "i64.clz": unary(0x79, "i64"),
  "i64.add": binary(0x7c, "i64"),
  "i64.sub": binary(0x7d, "i64"),
  "i64.mul": binary(0x7e, "i64"),
  "i64.div_s": binary(0x7f, "i64"),
  "i64.div_u": binary(0x80, "i64"),
  "i64.rem_s": binary(0x81, "i64"),
  "i64.rem_u": binary(0x82, "i64"),
  "i64.and": binary(0x83, "i64"),
  "i64.or": binary(0x84, "i64"),
  "i64.xor": binary(0x85, "i64"),
  "i64.shl": binary(0x86, "i64"),
  "i64.shr_s": binary(0x87, "i64"),
  "i64.shr_u": binary(0x88, "i64"),
  "f32.abs": unary(0x8b, "f32"),
  "f32.neg": unary(0x8c, "f32"),
  "f32.ceil": unary(0x8d, "f32"),
  "f32.floor": unary(0x8e, "f32"),
  "f32.nearest": unary(0x90, "f32"),
  "f32.sqrt": unary(0x91, "f32"),
  "f32.add": binary(0x92, "f32"),
  "f32.sub": binary(0x93, "f32"),
  "f32.mul": binary(0x94, "f32"),
  "f32.div": binary(0x95, "f32"),
  "f32.min": binary(0x96, "f32"),
  "f32.max": binary(0x97, "f32"),
  "f32.copysign": binary(0x98, "f32"),
  "f64.abs": unary(0x99, "f64"),
  "f64.neg": unary(0x9a, "f64"),
  "f64.ceil": unary(0x9b, "f64"),
  "f64.floor": unary(0x9c, "f64"),
  "f64.nearest": unary(0x9e, "f64"),
  "f64.sqrt": unary(0x9f, "f64"),
  "f64.add": binary(0xa0, "f64"),
  "f64.sub": binary(0xa1, "f64"),
  "f64.mul": binary(0xa2, "f64"),
  "f64.div": binary(0xa3, "f64"),
  "f64.min": binary(0xa4, "f64"),
  "f64.max": binary(0xa5, "f64"),
  "f64.copysign": binary(0xa6, "f64"),

  "i32.wrap_i64": unary(0xa7, "i64", "i32"),
  "i64.extend_i32_s": unary(0xac, "i32", "i64"),
  "i64.extend_i32_u": unary(0xad, "i32", "i64"),
  "f32.convert_i32_s": unary(0xb2, "i32", "f32"),
  "f32.convert_i32_u": unary(0xb3, "i32", "f32"),
  "f32.convert_i64_s": unary(0xb4, "i64", "f32"),
  "f32.demote_f64": unary(0xb6, "f64", "f32"),
  "f64.convert_i32_s": unary(0xb7, "i32", "f64"),
  "f64.convert_i32_u": unary(0xb8, "i32", "f64"),
  "f64.convert_i64_s": unary(0xb9, "i64", "f64"),
  "f64.promote_f32": unary(0xbb, "f32", "f64"),
  "i32.reinterpret_f32": unary(0xbc, "f32", "i32"),
  "i64.reinterpret_f64": unary(0xbd, "f64", "i64"),
  "f32.reinterpret_i32": unary(0xbe, "i32", "f32"),
  "f64.reinterpret_i64": unary(0xbf, "i64", "f64"),
  "i32.trunc_sat_f32_s": saturating(0x00, "f32", "i32"),
  "i32.trunc_sat_f32_u": saturating(0x01, "f32", "i32"),
  "i32.trunc_sat_f64_s": saturating(0x02, "f64", "i32"),
  "i32.trunc_sat_f64_u": saturating(0x03, "f64", "i32"),
  "i64.trunc_sat_f32_s": saturating(0x04, "f32", "i64"),
  "i64.trunc_sat_f64_s": saturating(0x06, "f64", "i64"),

  "v128.load": loadV(0x00, 16),
  "v128.load32_splat": loadV(0x09, 4),
  "v128.load64_splat": loadV(0x0a, 8),
  "v128.store": row(simd(0x0b), ["i32", "v128"], undefined, "memory", 16),
  "i8x16.shuffle": row(simd(0x0d), ["v128", "v128"], "v128", "lanes16"),
  "i32x4.splat": splatV(0x11, "i32"),
  "i64x2.splat": splatV(0x12, "i64"),
  "f32x4.splat": splatV(0x13, "f32"),
  "f64x2.splat": splatV(0x14, "f64"),
  "i32x4.extract_lane": extractV(0x1b, "i32"),
  "i32x4.replace_lane": replaceV(0x1c, "i32"),
  "i64x2.extract_lane": extractV(0x1d, "i64"),
  "i64x2.replace_lane": replaceV(0x1e, "i64"),
  "f32x4.extract_lane": extractV(0x1f, "f32"),
  "f32x4.replace_lane": replaceV(0x20, "f32"),
  "f64x2.extract_lane": extractV(0x21, "f64"),
  "f64x2.replace_lane": replaceV(0x22, "f64"),
  "i32x4.eq": binaryV(0x37),
  "i32x4.ne": binaryV(0x38),
  "i32x4.lt_s": binaryV(0x39),
  "i32x4.lt_u": binaryV(0x3a),
  "i32x4.gt_s": binaryV(0x3b),
  "i32x4.gt_u": binaryV(0x3c),
  "i32x4.le_s": binaryV(0x3d),
  "i32x4.le_u": binaryV(0x3e),
  "i32x4.ge_s": binaryV(0x3f),
  "i32x4.ge_u": binaryV(0x40),
  "f32x4.eq": binaryV(0x41),
  "f32x4.ne": binaryV(0x42),
  "f32x4.lt": binaryV(0x43),
  "f32x4.gt": binaryV(0x44),
  "f32x4.le": binaryV(0x45),
  "f32x4.ge": binaryV(0x46),
  "f64x2.eq": binaryV(0x47),
  "f64x2.ne": binaryV(0x48),
  "f64x2.lt": binaryV(0x49),
  "f64x2.gt": binaryV(0x4a),
  "f64x2.le": binaryV(0x4b),
  "f64x2.ge": binaryV(0x4c),
  "v128.not": unaryV(0x4d),
  "v128.and": binaryV(0x4e),
  "v128.andnot": binaryV(0x4f),
  "v128.or": binaryV(0x50),
  "v128.xor": binaryV(0x51),
  "v128.bitselect": row(simd(0x52), ["v128", "v128", "v128"], "v128"),
  "v128.store16_lane": storeLane(0x59, 2),
  "v128.store32_lane": storeLane(0x5a, 4),
  "v128.store64_lane": storeLane(0x5b, 8),
  "v128.load32_zero": loadV(0x5c, 4),
  "v128.load64_zero": loadV(0x5d, 8),
  "f32x4.demote_f64x2_zero": unaryV(0x5e),
  "f64x2.promote_low_f32x4": unaryV(0x5f),
  "f32x4.ceil": unaryV(0x67),
  "f32x4.floor": unaryV(0x68),
  "f32x4.nearest": unaryV(0x6a),
  "f64x2.ceil": unaryV(0x74),
  "f64x2.floor": unaryV(0x75),
  "i16x8.extend_low_i8x16_u": unaryV(0x89),
  "f64x2.nearest": unaryV(0x94),
  "i32x4.abs": unaryV(0xa0),
  "i32x4.neg": unaryV(0xa1),
  "i32x4.all_true": testV(0xa3),
  "i32x4.extend_low_i16x8_u": unaryV(0xa9),
  "i32x4.shl": shiftV(0xab),
  "i32x4.shr_s": shiftV(0xac),
  "i32x4.shr_u": shiftV(0xad),
  "i32x4.add": binaryV(0xae),
  "i32x4.sub": binaryV(0xb1),
  "i32x4.mul": binaryV(0xb5),
  "i32x4.min_s": binaryV(0xb6),
  "i32x4.min_u": binaryV(0xb7),
  "i32x4.max_s": binaryV(0xb8),
  "i32x4.max_u": binaryV(0xb9),
  "i64x2.abs": unaryV(0xc0),
  "i64x2.neg": unaryV(0xc1),
  "i64x2.all_true": testV(0xc3),
  "i64x2.extend_low_i32x4_s": unaryV(0xc7),
  "i64x2.extend_low_i32x4_u": unaryV(0xc9),
  "i64x2.shl": shiftV(0xcb),
  "i64x2.shr_s": shiftV(0xcc),
  "i64x2.add": binaryV(0xce),
  "i64x2.sub": binaryV(0xd1),
  "i64x2.mul": binaryV(0xd5),
  "i64x2.eq": binaryV(0xd6),
  "i64x2.ne": binaryV(0xd7),
  "i64x2.lt_s": binaryV(0xd8),
  "i64x2.gt_s": binaryV(0xd9),
  "i64x2.le_s": binaryV(0xda),
  "i64x2.ge_s": binaryV(0xdb),
  "f32x4.abs": unaryV(0xe0),
  "f32x4.neg": unaryV(0xe1),
  "f32x4.sqrt": unaryV(0xe3),
  "f32x4.add": binaryV(0xe4),
  "f32x4.sub": binaryV(0xe5),
  "f32x4.mul": binaryV(0xe6),
  "f32x4.div": binaryV(0xe7),
  "f32x4.min": binaryV(0xe8),
  "f32x4.max": binaryV(0xe9),
  "f64x2.abs": unaryV(0xec),
  "f64x2.neg": unaryV(0xed),
  "f64x2.sqrt": unaryV(0xef),
  "f64x2.add": binaryV(0xf0),
  "f64x2.sub": binaryV(0xf1),
  "f64x2.mul": binaryV(0xf2),
  "f64x2.div": binaryV(0xf3),
  "f64x2.min": binaryV(0xf4),
  "f64x2.max": binaryV(0xf5),
  "i32x4.trunc_sat_f32x4_s": unaryV(0xf8),
  "i32x4.trunc_sat_f32x4_u": unaryV(0xf9),
  "f32x4.convert_i32x4_s": unaryV(0xfa),
  "f32x4.convert_i32x4_u": unaryV(0xfb),
  "i32x4.trunc_sat_f64x2_s_zero": unaryV(0xfc),
  "i32x4.trunc_sat_f64x2_u_zero": unaryV(0xfd),
  "f64x2.convert_low_i32x4_s": unaryV(0xfe),
  "f64x2.convert_low_i32x4_u": unaryV(0xff),
} as const satisfies Readonly<Record<string, OpcodeRow>>;

export type Opcode = keyof typeof OPCODES;

const ROWS: ReadonlyMap<string, OpcodeRow> = new Map(Object.entries(OPCODES));

export function opcodeRow(op: Opcode): OpcodeRow {
  // a map finds a row among so many names faster than an object does
  return ROWS.get(op) as OpcodeRow; // every opcode has one
}

/** Instructions whose form is not that of a row: control, locals, constants, calls. Their bytes, for the writers. */
export const CONTROL = {
  unreachable: 0x00, block: 0x02, loop: 0x03, if: 0x04, else: 0x05, end: 0x0b, br: 0x0c, br_if: 0x0d, return: 0x0f, call: 0x10, drop: 0x1a, select: 0x1b,
  local_get: 0x20, local_set: 0x21, local_tee: 0x22, i32_const: 0x41, i64_const: 0x42, f32_const: 0x43, f64_const: 0x44,
} as const;

/** Bytes of the value types, and of an empty block type. */
export const TYPE_BYTES = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b, empty: 0x40 } as const;
