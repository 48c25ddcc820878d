// The sum of each row by 32 positions of a block, which meet at a barrier before every step of the tree.

import { tf } from "tilefoundry";
import { uniform } from "../inputs.ts";
import { numbers } from "../reference.ts";
import type { Sample } from "../sample.ts";

export const program = tf<"block_reduce">`
@module(entry="block_reduce", target="cpu", topologies=(Topology("cta", 8), Topology("thread", 32)))
class BlockReduce:
    @prim_func
    def block_reduce(x: Tensor[(8, 100), "f32"], y: Out[Tensor[(8,), "f32"]]):
        with Mesh(("cta",), (8,), ("row",)) as block:
            part = pl.create_tile((32,), "f32")
            with Mesh(("thread",), (32,), ("t",)) as thread:
                total = 0.0
                for c in T.range(thread.t, 100, 32):
                    total = total + pl.read(x, (block.row, c))
                pl.write(part, (thread.t,), total)
                T.sync(thread)
                half = 16
                while half > 0:
                    if thread.t < half:
                        pl.write(part, (thread.t,), pl.read(part, (thread.t,)) + pl.read(part, (thread.t + half,)))
                    T.sync(thread)
                    half = half // 2
                if thread.t == 0:
                    pl.write(y, (block.row,), pl.read(part, (0,)))
`;

const [ROWS, COLUMNS, POSITIONS] = [8, 100, 32];

export const sample: Sample = {
  name: "block_reduce",
  program,
  cases: { "eight rows": () => ({ x: uniform([ROWS, COLUMNS], 7, 2) }) },
  reference: (args, round) => {
    const { data: x } = numbers(args["x"]);
    const data = Array.from({ length: ROWS }, (_, r) => {
      const part = Array.from({ length: POSITIONS }, (_, t) => {
        let total = 0;
        for (let c = t; c < COLUMNS; c += POSITIONS) total = round(total + (x[r * COLUMNS + c] ?? 0));
        return total;
      });
      for (let half = POSITIONS / 2; half > 0; half /= 2) {
        for (let t = 0; t < half; t++) part[t] = round((part[t] ?? 0) + (part[t + half] ?? 0));
      }
      return part[0] ?? 0;
    });
    return { y: { shape: [ROWS], dtype: "f32", data } };
  },
  comparison: "exact",
};
