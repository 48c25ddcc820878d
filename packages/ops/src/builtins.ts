// The built-in ops, in one visible object. An op is here, in the table of its values (evaluate), and nowhere else by name.

import * as argReduction from "./records/arg-reduction.ts";
import * as compare from "./records/compare.ts";
import * as conv from "./records/conv.ts";
import * as convert from "./records/convert.ts";
import * as creation from "./records/creation.ts";
import * as elementwise from "./records/elementwise.ts";
import * as expand from "./records/expand.ts";
import * as functions from "./records/functions.ts";
import * as layout from "./records/layout.ts";
import * as masks from "./records/masks.ts";
import * as matrix from "./records/matrix.ts";
import * as movement from "./records/movement.ts";
import * as norm from "./records/norm.ts";
import * as partial from "./records/partial.ts";
import * as reduction from "./records/reduction.ts";
import * as remainder from "./records/remainder.ts";
import * as rope from "./records/rope.ts";

export const BUILTINS = {
  // movement
  load: movement.load,
  store: movement.store,
  read: movement.read,
  write: movement.write,
  // creation
  full: creation.full,
  tensor_full: creation.tensorFull,
  full_like: creation.fullLike,
  create_tile: creation.createTile,
  create_tensor: creation.createTensor,
  // elementwise
  add: elementwise.addOp,
  sub: elementwise.subOp,
  mul: elementwise.mulOp,
  div: elementwise.divOp,
  floor_div: elementwise.floorDivOp,
  mod: elementwise.modOp,
  fmod: remainder.fmodOp,
  part_add: partial.partAdd,
  part_mul: partial.partMul,
  part_max: partial.partMax,
  part_min: partial.partMin,
  addc: partial.addc,
  subc: partial.subc,
  addsc: partial.addsc,
  subsc: partial.subsc,
  maximum: elementwise.maximumOp,
  minimum: elementwise.minimumOp,
  neg: elementwise.negOp,
  abs: elementwise.absOp,
  exp: elementwise.expOp,
  sqrt: elementwise.sqrtOp,
  rsqrt: elementwise.rsqrtOp,
  recip: elementwise.recipOp,
  square: elementwise.squareOp,
  relu: elementwise.reluOp,
  ceil: elementwise.ceilOp,
  floor: elementwise.floorOp,
  round: elementwise.roundOp,
  fma: elementwise.fmaOp,
  // math functions and activations
  exp2: functions.exp2Op,
  log: functions.logOp,
  log2: functions.log2Op,
  sin: functions.sinOp,
  cos: functions.cosOp,
  tanh: functions.tanhOp,
  erf: functions.erfOp,
  sigmoid: functions.sigmoidOp,
  silu: functions.siluOp,
  softplus: functions.softplusOp,
  gelu: functions.geluOp,
  lrelu: functions.lreluOp,
  prelu: functions.preluOp,
  cast: convert.cast,
  clamp: convert.clamp,
  // comparisons, logic, bits, choice
  cmp: masks.cmp,
  sel: masks.sel,
  sels: masks.sels,
  cmp_eq: compare.cmpEq,
  cmp_ne: compare.cmpNe,
  cmp_lt: compare.cmpLt,
  cmp_le: compare.cmpLe,
  cmp_gt: compare.cmpGt,
  cmp_ge: compare.cmpGe,
  logical_and: compare.logicalAnd,
  logical_or: compare.logicalOr,
  logical_not: compare.logicalNot,
  bit_and: compare.bitAnd,
  bit_or: compare.bitOr,
  bit_xor: compare.bitXor,
  bit_not: compare.bitNot,
  shift_left: compare.shiftLeft,
  shift_right: compare.shiftRight,
  where: compare.where,
  // reductions
  row_max: reduction.rowMax,
  row_min: reduction.rowMin,
  row_sum: reduction.rowSum,
  row_prod: reduction.rowProd,
  col_max: reduction.colMax,
  col_min: reduction.colMin,
  col_sum: reduction.colSum,
  col_prod: reduction.colProd,
  reduce: reduction.reduce,
  row_argmax: argReduction.rowArgmax,
  row_argmin: argReduction.rowArgmin,
  col_argmax: argReduction.colArgmax,
  col_argmin: argReduction.colArgmin,
  argmax: argReduction.argmax,
  softmax: norm.softmax,
  rms_norm: norm.rmsNorm,
  layer_norm: norm.layerNorm,
  rope: rope.rope,
  conv2d: conv.conv2d,
  // expansions
  row_expand: expand.rowExpandValue,
  col_expand: expand.colExpandValue,
  row_expand_expdif: expand.rowExpandExpdif,
  col_expand_expdif: expand.colExpandExpdif,
  row_expand_add: expand.rowExpandAdd,
  row_expand_sub: expand.rowExpandSub,
  row_expand_mul: expand.rowExpandMul,
  row_expand_div: expand.rowExpandDiv,
  row_expand_max: expand.rowExpandMax,
  row_expand_min: expand.rowExpandMin,
  col_expand_add: expand.colExpandAdd,
  col_expand_sub: expand.colExpandSub,
  col_expand_mul: expand.colExpandMul,
  col_expand_div: expand.colExpandDiv,
  col_expand_max: expand.colExpandMax,
  col_expand_min: expand.colExpandMin,
  // matrices
  matmul: matrix.matmul,
  matmul_acc: matrix.matmulAcc,
  matmul_bias: matrix.matmulBias,
  batch_matmul: matrix.batchMatmul,
  batch_matmul_acc: matrix.batchMatmulAcc,
  gemv: matrix.gemv,
  gemv_acc: matrix.gemvAcc,
  gemv_bias: matrix.gemvBias,
  // order of axes
  transpose: layout.transpose,
  permute: layout.permute,
  clone: layout.clone,
} as const;

/** Names of the built-in ops. */
export type OpName = keyof typeof BUILTINS;
