// Convolution: each place of the result is the sum of products of a window of the input with a kernel.

import {
  addDims, dimsEqual, dimText, floorDivDim, modDim, numberConst, prim, sameDType, scaleDim, shapeText, store, subDims, tensorType, toExpr,
  type Dim, type Expr,
} from "@tilefoundry/ir";
import { defineOp, type InferContext, type LowerContext } from "../define.ts";
import { showDType } from "../describe.ts";
import { NUMBERS, tensor } from "../example.ts";
import { accumulatorOf, arrayType } from "../infer.ts";
import { as } from "./elementwise.ts";

/** How windows lie, rows first. */
interface Windows {
  readonly stride: readonly number[];
  readonly padding: readonly number[];
  readonly dilation: readonly number[];
}

interface Conv extends Windows {
  readonly x: Expr;
  readonly weight: Expr;
  readonly bias: Expr | undefined;
  readonly groups: number;
}

/** One number for both axes, or one for each. */
const ofAxis = (list: readonly number[], axis: number): number => list[list.length === 1 ? 0 : axis] ?? 0;

/** How many windows of a kernel lie along an axis. */
function windowCount(input: Dim, kernel: Dim, axis: number, { stride, padding, dilation }: Windows): Dim {
  const reach = addDims(scaleDim(addDims(kernel, -1), ofAxis(dilation, axis)), 1);
  return addDims(floorDivDim(subDims(addDims(input, 2 * ofAxis(padding, axis)), reach), ofAxis(stride, axis)), 1);
}

function windowsFault({ stride, padding, dilation }: Windows): readonly [param: string, fault: string] | undefined {
  for (const [param, list, least] of [["stride", stride, 1], ["padding", padding, 0], ["dilation", dilation, 1]] as const) {
    if ((list.length !== 1 && list.length !== 2) || list.some((n) => n < least)) return [param, `takes one number or two, each at least ${least}, not ${shapeText(list)}`];
  }
  return undefined;
}

function convFault(conv: Conv, { dialect }: InferContext): readonly [param: string, fault: string] | undefined {
  const [input, kernel] = [arrayType(conv.x), arrayType(conv.weight)];
  if (input.shape.length !== 4) return ["x", `takes [batch, channel, row, column], not the shape ${shapeText(input.shape)}`];
  if (kernel.shape.length !== 4) return ["weight", `takes [channel of the result, channel, row, column], not the shape ${shapeText(kernel.shape)}`];
  const [, channels = 1] = input.shape;
  const [outputs = 1, each = 1] = kernel.shape;
  const { groups, bias } = conv;
  if (groups < 1) return ["groups", `needs at least one group, not ${groups}`];
  if (!dimsEqual(channels, scaleDim(each, groups))) return ["weight", `needs ${dimText(channels)} channels in ${groups} group${groups === 1 ? "" : "s"}, not ${dimText(each)} in each`];
  if (modDim(outputs, groups) !== 0) return ["groups", `cannot part ${dimText(outputs)} channels of the result into ${groups} groups`];
  if (!sameDType(input.dtype, kernel.dtype)) return ["weight", `mixes ${showDType(input.dtype, dialect)} and ${showDType(kernel.dtype, dialect)}; cast one of them`];
  if (bias === undefined) return windowsFault(conv);
  const offsets = arrayType(bias);
  if (offsets.shape.length !== 1 || !dimsEqual(offsets.shape[0] ?? NaN, outputs)) return ["bias", `needs one for each of ${dimText(outputs)} channels, not the shape ${shapeText(offsets.shape)}`];
  return sameDType(offsets.dtype, input.dtype) ? windowsFault(conv) : ["bias", `mixes ${showDType(input.dtype, dialect)} and ${showDType(offsets.dtype, dialect)}; cast one of them`];
}

/** The row or column of the input under a place of the kernel. */
function under(place: Expr, inKernel: Expr, axis: number, { stride, padding, dilation }: Windows): Expr {
  const index = (n: number): Expr => numberConst(n, "index");
  const start = prim("sub", [prim("mul", [place, index(ofAxis(stride, axis))]), index(ofAxis(padding, axis))]);
  return prim("add", [start, prim("mul", [inKernel, index(ofAxis(dilation, axis))])]);
}

/** The channel of the input that a channel of the result's group begins at, plus one within the group. */
function channelOf(output: Expr, within: Expr, { weight, groups }: Conv): Expr {
  if (groups === 1) return within;
  const [outputs = 1, each = 1] = arrayType(weight).shape;
  const group = prim("floordiv", [output, toExpr(floorDivDim(outputs, groups))]);
  return prim("add", [prim("mul", [group, toExpr(each)]), within]);
}

/** The input with zeros around it, so that no window reaches beyond. */
function padded({ x, padding }: Conv, lower: LowerContext): Expr {
  const { shape: [batch = 1, channels = 1, ...input], dtype } = arrayType(x);
  const shape = [batch, channels, ...input.map((d, axis) => addDims(d, 2 * ofAxis(padding, axis)))];
  const [out, read] = [lower.alloc("padded", tensorType(shape, dtype)), lower.reader(x)];
  lower.nest(shape.map(toExpr), (index) => {
    const own = index.map((e, axis) => (axis < 2 ? e : prim("sub", [e, numberConst(ofAxis(padding, axis - 2), "index")])));
    lower.emit(store(out, index, read(own, "zero")));
  });
  return out;
}

const PAIR = { attr: "ints" } as const;

export const conv2d = defineOp({
  name: "conv2d",
  doc:
    "Sums of products of windows of an input [N, C, H, W] with kernels [O, C / groups, KH, KW], as [N, O, OH, OW], each started from its channel's bias. " +
    "Beyond its edges the input is 0, as far as the padding goes; OH = (H + 2 padding - dilation (KH - 1) - 1) // stride + 1.",
  pl: [],
  tf: ["conv2d"],
  params: {
    x: { input: "tensor", doc: "the input, [N, C, H, W]", aka: ["input"] },
    weight: { input: "tensor", doc: "the kernels, [O, C / groups, KH, KW]" },
    bias: { input: "tensor", doc: "what each channel of the result starts from, [O]; else 0", optional: true },
    stride: { ...PAIR, doc: "how far apart windows are", default: [1] },
    padding: { ...PAIR, doc: "how far windows reach beyond each edge", default: [0] },
    dilation: { ...PAIR, doc: "how far apart the elements of a window are", default: [1] },
    groups: { attr: "int", doc: "into how many groups channels are parted, each convolved on its own", default: 1 },
  },
  infer: (conv, context) => {
    const fault = convFault(conv, context);
    if (fault !== undefined) return context.fail(...fault);
    const { shape: [batch = 1, , ...input], dtype } = arrayType(conv.x);
    const [outputs = 1, , ...kernel] = arrayType(conv.weight).shape;
    const counts = input.map((d, axis) => windowCount(d, kernel[axis] ?? 1, axis, conv));
    const short = counts.findIndex((n) => typeof n === "number" && n < 0);
    if (short >= 0) return context.fail("weight", `has a kernel of ${shapeText(kernel)} that does not fit into ${shapeText(input)} with its padding`);
    return tensorType([batch, outputs, ...counts], dtype);
  },
  lowering: {
    form: "contract",
    prepare: (conv, lower) => (conv.padding.some((n) => n > 0) ? { ...conv, x: padded(conv, lower), padding: [0] } : conv),
    summed: ({ weight }, lower) => lower.extents(weight).slice(1),
    extents: (conv) => {
      const { shape: [batch = 1, , ...input] } = arrayType(conv.x);
      const [outputs = 1, , ...kernel] = arrayType(conv.weight).shape;
      return [batch, outputs, ...input.map((d, axis) => windowCount(d, kernel[axis] ?? 1, axis, conv))].map(toExpr);
    },
    terms: (conv, lower, { dtype }) => {
      const [read, kernel, bias] = [lower.reader(conv.x), lower.reader(conv.weight), conv.bias && lower.reader(conv.bias)];
      const within = accumulatorOf(dtype);
      const zero = numberConst(0, within);
      return {
        init: ([, output = zero]) => (bias === undefined ? zero : as(bias([output]), within)),
        factors: ([batch = zero, output = zero, row = zero, column = zero], [channel = zero, down = zero, right = zero]) => {
          const at = [batch, channelOf(output, channel, conv), under(row, down, 0, conv), under(column, right, 1, conv)];
          return [as(read(at), within), as(kernel([output, channel, down, right]), within)];
        },
      };
    },
  },
  dtypes: NUMBERS,
  examples: [
    {
      title: "windows of two by two",
      args: { x: tensor("f32", [1, 1, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]), weight: tensor("f32", [1, 1, 2, 2], [1, 0, 0, 1]) },
      result: tensor("f32", [1, 1, 2, 2], [6, 8, 12, 14]),
    },
    {
      title: "stride, padding, and a bias",
      args: { x: tensor("f32", [1, 1, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]), weight: tensor("f32", [1, 1, 2, 2], [1, 1, 1, 1]), bias: tensor("f32", [1], [100]), stride: [2], padding: [1] },
      result: tensor("f32", [1, 1, 2, 2], [101, 105, 111, 128]),
    },
    {
      title: "one padding and one dilation for each axis",
      args: { x: tensor("i32", [1, 1, 1, 3], [1, 2, 3]), weight: tensor("i32", [1, 1, 1, 2], [1, 10]), padding: [0, 1], dilation: [1, 2] },
      result: tensor("i32", [1, 1, 1, 3], [20, 31, 2]),
    },
    {
      title: "groups see their own channels",
      args: { x: tensor("f64", [1, 2, 1, 1], [3, 5]), weight: tensor("f64", [4, 1, 1, 1], [1, 2, 3, 4]), groups: 2 },
      result: tensor("f64", [1, 4, 1, 1], [3, 6, 15, 20]),
    },
    {
      title: "zero padding times infinity is NaN",
      args: { x: tensor("f32", [1, 1, 1, 1], [1]), weight: tensor("f32", [1, 1, 1, 2], [Infinity, 1]), padding: [0, 1] },
      result: tensor("f32", [1, 1, 1, 2], [NaN, Infinity]),
    },
  ],
});
