// The samples as `outlined` IR, built by hand: what the passes before `lower-ops` make of them.

import {
  add, cast, constant, indexConst, lessThan, load, mul, numberConst, prim, scalarType, store, tensorType, toExpr,
  type Expr, type ModuleNode,
} from "@tilefoundry/ir";
import { callOf, makeKernel } from "./kernel.ts";

const zero = indexConst(0);

export function vectorAdd(): ModuleNode {
  const k = makeKernel("vector_add");
  const N = k.symbol("N");
  const x = k.param("x", tensorType([N], "f32"));
  const y = k.param("y", tensorType([N], "f32"));
  const z = k.param("z", tensorType([N], "f32"), "out");
  k.loop(toExpr(N), { step: 1024, mode: "parallel" }, [z], (i, [z0]) => {
    const a = k.op("a", "load", { tensor: x, offsets: [i] }, { shapes: [1024n] });
    const b = k.op("b", "load", { tensor: y, offsets: [i] }, { shapes: [1024n] });
    const sum = k.op("sum", "add", { a, b });
    return [k.op("z", "store", { tile: sum, offsets: [i], output_tensor: z0 as Expr })];
  });
  return k.done();
}

export function softmax(columns = 1003): ModuleNode {
  const k = makeKernel("softmax", "prim");
  const M = k.symbol("M");
  const x = k.param("x", tensorType([M, columns], "f32"));
  const y = k.param("y", tensorType([M, columns], "f32"), "out");
  k.loop(toExpr(M), { mode: "parallel", hint: "r" }, [y], (r, [y0]) => {
    const row = k.op("row", "load", { tensor: x, offsets: [r, zero] }, { shapes: [1n, BigInt(columns)] });
    const most = k.op("most", "row_max", { x: row });
    const shifted = k.op("shifted", "row_expand_sub", { x: row, row_vec: most });
    const e = k.op("e", "exp", { x: shifted });
    const sum = k.op("sum", "row_sum", { x: e });
    const quotient = k.op("quotient", "row_expand_div", { x: e, row_vec: sum });
    return [k.op("y", "store", { tile: quotient, offsets: [r, zero], output_tensor: y0 as Expr })];
  });
  return k.done();
}

export function saxpy(): ModuleNode {
  const k = makeKernel("saxpy", "prim");
  const N = k.symbol("N");
  const alpha = k.param("alpha", scalarType("f32"));
  const x = k.param("x", tensorType([N], "f32"));
  const y = k.param("y", tensorType([N], "f32"), "inout");
  k.loop(toExpr(N), { step: 256, mode: "parallel" }, [y], (i, [y0]) => {
    const xs = k.op("xs", "load", { tensor: x, offsets: [i] }, { shapes: [256n] });
    const ys = k.op("ys", "load", { tensor: y0 as Expr, offsets: [i] }, { shapes: [256n] });
    const product = k.op("product", "mul", { a: alpha, b: xs });
    const sum = k.op("sum", "add", { a: product, b: ys });
    return [k.op("y", "store", { tile: sum, offsets: [i], output_tensor: y0 as Expr })];
  });
  return k.done();
}

export function matmul(tile = 64): ModuleNode {
  const k = makeKernel("matmul");
  const shape = [BigInt(tile), BigInt(tile)];
  const [M, K, N] = [k.symbol("M"), k.symbol("K"), k.symbol("N")];
  const a = k.param("a", tensorType([M, K], "f32"));
  const b = k.param("b", tensorType([K, N], "f32"));
  const c = k.param("c", tensorType([M, N], "f32"), "out");
  k.loop(toExpr(M), { step: tile, mode: "parallel" }, [c], (i, [c0]) =>
    k.loop(toExpr(N), { step: tile, hint: "j" }, [c0 as Expr], (j, [c1]) => {
      const start = k.op("zero", "full", {}, { shape, dtype: { dtype: "f32" }, value: 0 });
      const [total] = k.loop(toExpr(K), { step: tile, hint: "k" }, [start], (at, [acc]) => {
        const left = k.op("left", "load", { tensor: a, offsets: [i, at] }, { shapes: shape });
        const right = k.op("right", "load", { tensor: b, offsets: [at, j] }, { shapes: shape });
        return [k.op("total", "matmul_acc", { acc: acc as Expr, a: left, b: right })];
      });
      return [k.op("c", "store", { tile: total as Expr, offsets: [i, j], output_tensor: c1 as Expr })];
    }),
  );
  return k.done();
}

export function transpose(): ModuleNode {
  const k = makeKernel("transpose");
  const [M, N] = [k.symbol("M"), k.symbol("N")];
  const x = k.param("x", tensorType([M, N], "f32"));
  const y = k.param("y", tensorType([N, M], "f32"), "out");
  k.loop(toExpr(M), { step: 32, mode: "parallel" }, [y], (i, [y0]) =>
    k.loop(toExpr(N), { step: 32, hint: "j" }, [y0 as Expr], (j, [y1]) => {
      const tile = k.op("tile", "load", { tensor: x, offsets: [i, j] }, { shapes: [32n, 32n] });
      const turned = k.op("turned", "transpose", { x: tile }, { axis1: 0n, axis2: 1n });
      return [k.op("y", "store", { tile: turned, offsets: [j, i], output_tensor: y1 as Expr })];
    }),
  );
  return k.done();
}

export function rmsNorm(): ModuleNode {
  const k = makeKernel("rms_norm", "prim");
  const [rows, D] = [k.symbol("ROWS"), k.symbol("D")];
  const x = k.param("x", tensorType([rows, D], "f32"));
  const weight = k.param("weight", tensorType([D], "f32"));
  const squares = k.op("squares", "square", { x });
  const mean = k.op("mean_square", "reduce", { x: squares }, { axes: [-1n] });
  const shifted = k.op("shifted", "add", { a: mean, b: numberConst(1e-6, "f32") });
  const scale = k.op("scale", "rsqrt", { x: shifted });
  const scaled = k.op("scaled", "mul", { a: x, b: scale });
  return k.done([k.op("result", "mul", { a: scaled, b: weight })]);
}

export function gameOfLife(): ModuleNode {
  const k = makeKernel("game_of_life", "prim");
  const [H, W] = [k.symbol("H"), k.symbol("W")];
  const cells = k.param("cells", tensorType([H, W], "u8"));
  const after = k.param("after", tensorType([H, W], "u8"), "out");
  const u8 = (n: number): Expr => numberConst(n, "u8");
  k.loop(mul(toExpr(H), toExpr(W)), { mode: "parallel" }, [after], (i, [after0]) => {
    const r = k.let("r", prim("floordiv", [i, toExpr(W)]));
    const c = k.let("c", prim("mod", [i, toExpr(W)]));
    const [neighbours] = k.loop(indexConst(2), { start: indexConst(-1), hint: "dr" }, [u8(0)], (dr, [outer]) =>
      k.loop(indexConst(2), { start: indexConst(-1), hint: "dc" }, [outer as Expr], (dc, [count]) =>
        k.choose(
          prim("or", [prim("ne", [dr, zero]), prim("ne", [dc, zero])]),
          () => {
            const row = prim("mod", [add(r, dr), toExpr(H)]);
            const column = prim("mod", [add(c, dc), toExpr(W)]);
            return [k.let("neighbours", add(count as Expr, callOf("read", { src: cells, indices: [row, column] })))];
          },
          () => [count as Expr],
        ),
      ),
    );
    const [alive] = k.choose(
      prim("eq", [neighbours as Expr, u8(3)]),
      () => [u8(1)],
      () => k.choose(prim("eq", [neighbours as Expr, u8(2)]), () => [k.let("alive", callOf("read", { src: cells, indices: [r, c] }))], () => [u8(0)]),
    );
    return [k.op("after", "write", { dst: after0 as Expr, indices: [r, c], value: alive as Expr })];
  });
  return k.done();
}

export function mandelbrot(): ModuleNode {
  const k = makeKernel("mandelbrot");
  const limit = k.param("limit", scalarType("i32"));
  const [H, W] = [k.symbol("H"), k.symbol("W")];
  const counts = k.param("counts", tensorType([H, W], "i32"), "out");
  const f32 = (n: number): Expr => numberConst(n, "f32");
  const coordinate = (at: Expr, extent: Expr, shift: number): Expr =>
    prim("sub", [mul(prim("div", [cast(at, "f32"), cast(extent, "f32")]), f32(3)), f32(shift)]);
  k.loop(toExpr(H), { mode: "parallel", hint: "row" }, [counts], (row, [counts0]) =>
    k.loop(toExpr(W), { hint: "column" }, [counts0 as Expr], (column, [counts1]) => {
      const cr = k.let("cr", coordinate(column, toExpr(W), 2));
      const ci = k.let("ci", coordinate(row, toExpr(H), 1.5));
      const going = constant(true, scalarType("bool"));
      const [, , n] = k.whileTrue(
        [f32(0), f32(0), numberConst(0, "i32"), going],
        ([, , count, run]) => prim("and", [run as Expr, lessThan(count as Expr, limit)]),
        ([zr, zi, count]) => {
          const rr = k.let("rr", mul(zr as Expr, zr as Expr));
          const ii = k.let("ii", mul(zi as Expr, zi as Expr));
          const out = k.let("out", prim("gt", [add(rr, ii), f32(4)]));
          const [zr1, zi1, n1] = k.choose(
            out,
            () => [zr as Expr, zi as Expr, count as Expr],
            () => [
              k.let("zr", add(prim("sub", [rr, ii]), cr)),
              k.let("zi", add(mul(mul(f32(2), zr as Expr), zi as Expr), ci)),
              k.let("n", add(count as Expr, numberConst(1, "i32"))),
            ],
          );
          return [zr1 as Expr, zi1 as Expr, n1 as Expr, k.let("going", prim("not", [out]))];
        },
      );
      return [k.op("counts", "write", { dst: counts1 as Expr, indices: [row, column], value: n as Expr })];
    }),
  );
  return k.done();
}

/** Softmax over the last axis as a graph of values; both extents are symbolic. */
export function softmaxGraph(): ModuleNode {
  const k = makeKernel("softmax_graph", "prim");
  const [rows, columns] = [k.symbol("ROWS"), k.symbol("COLUMNS")];
  const x = k.param("x", tensorType([rows, columns], "f32"));
  const most = k.op("most", "reduce", { x }, { axes: [-1n], kind: "max" });
  const e = k.op("e", "exp", { x: k.op("shifted", "sub", { a: x, b: most }) });
  const total = k.op("total", "reduce", { x: e }, { axes: [-1n], kind: "sum" });
  return k.done([k.op("result", "div", { a: e, b: total })]);
}

/** A product of whole tensors with a bias and a floor at 0. */
export function linearGraph(): ModuleNode {
  const k = makeKernel("linear_graph", "prim");
  const [M, K, N] = [k.symbol("M"), k.symbol("K"), k.symbol("N")];
  const x = k.param("x", tensorType([M, K], "f32"));
  const w = k.param("w", tensorType([K, N], "f32"));
  const bias = k.param("bias", tensorType([N], "f32"));
  const product = k.op("product", "matmul", { a: x, b: w });
  return k.done([k.op("result", "relu", { x: k.op("shifted", "add", { a: product, b: bias }) })]);
}

/** Attention over symbolic sequences: two products with a softmax between, as a graph of values. */
export function attentionGraph(): ModuleNode {
  const k = makeKernel("attention_graph", "prim");
  const S = k.symbol("S");
  const [q, keys, v] = [k.param("q", tensorType([S, 8], "f32")), k.param("k", tensorType([S, 8], "f32")), k.param("v", tensorType([S, 8], "f32"))];
  const scores = k.op("scores", "matmul", { a: q, b: keys }, { b_trans: true });
  const most = k.op("most", "reduce", { x: scores }, { axes: [-1n], kind: "max" });
  const e = k.op("e", "exp", { x: k.op("shifted", "sub", { a: scores, b: most }) });
  const total = k.op("total", "reduce", { x: e }, { axes: [-1n], kind: "sum" });
  return k.done([k.op("result", "matmul", { a: k.op("weights", "div", { a: e, b: total }), b: v })]);
}

/** Lowered code written by hand: memory primitives and a nest beside catalog ops. */
export function handWritten(): ModuleNode {
  const k = makeKernel("hand_written");
  const x = k.param("x", tensorType([8], "f32"));
  const y = k.param("y", tensorType([8], "f32"), "out");
  k.loop(indexConst(8), {}, [], (i) => {
    k.emit(store(y, [i], mul(load(x, [i]), numberConst(2, "f32"))));
    return [];
  });
  return k.done();
}

export const SAMPLES: Readonly<Record<string, () => ModuleNode>> = {
  vector_add: vectorAdd,
  softmax,
  saxpy,
  matmul,
  transpose,
  rms_norm: rmsNorm,
  game_of_life: gameOfLife,
  mandelbrot,
  softmax_graph: softmaxGraph,
  linear_graph: linearGraph,
  attention_graph: attentionGraph,
  hand_written: handWritten,
};
