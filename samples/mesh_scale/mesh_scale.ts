// Every position of a mesh of blocks and threads scales its own elements; a slice of the mesh adds to its part first.

import { tf } from "tilefoundry";
import { uniform } from "../inputs.ts";
import { numbers } from "../reference.ts";
import type { Sample } from "../sample.ts";

export const program = tf<"mesh_scale">`
@module(entry="mesh_scale", target="cpu", topologies=(Topology("cta", 8), Topology("thread", 32)))
class MeshScale:
    @prim_func
    def mesh_scale(x: Tensor[(8, 64), "f32"], y: Out[Tensor[(8, 64), "f32"]]):
        with Mesh(("cta",), layout=(8,), names=("row",)) as block:
            with Mesh(("thread",), layout=(4, 8), names=("warp", "lane")) as thread:
                for half in T.range(2):
                    column = half * 32 + thread.warp * 8 + thread.lane
                    value = pl.read(x, (block.row, column))
                    with thread[1:3] as middle:
                        value = value + T.cast(T.cast(middle.warp, "i32"), "f32")
                    pl.write(y, (block.row, column), value * 0.5)
`;

export const sample: Sample = {
  name: "mesh_scale",
  program,
  cases: { "all positions": () => ({ x: uniform([8, 64], 1) }) },
  reference: (args, round) => {
    const x = numbers(args["x"]);
    const data = x.data.map((value, at) => {
      const warp = Math.floor((at % 32) / 8);
      const added = warp >= 1 && warp < 3 ? round(value + (warp - 1)) : value;
      return round(added * 0.5);
    });
    return { y: { shape: x.shape, dtype: "f32", data } };
  },
  comparison: "exact",
};
