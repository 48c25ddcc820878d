// One generation of Conway's game of life on a torus: 1 is alive, 0 is dead.

import { tf } from "tilefoundry";
import { bits } from "../inputs.ts";
import { numbers } from "../reference.ts";
import type { Sample } from "../sample.ts";

export const program = tf<"game_of_life">`
@prim_func
def game_of_life(cells: Tensor[(H, W), "u8"], after: Out[Tensor[(H, W), "u8"]]):
    for i in T.parallel(H * W):
        r = i // W
        c = i % W
        neighbours = T.const(0, "u8")
        for dr in T.range(-1, 2):
            for dc in T.range(-1, 2):
                if dr != 0 or dc != 0:
                    # % has the divisor's sign, so row -1 is the last row
                    neighbours = neighbours + pl.read(cells, ((r + dr) % H, (c + dc) % W))
        alive = T.const(0, "u8")
        if neighbours == T.const(3, "u8"):
            alive = T.const(1, "u8")
        elif neighbours == T.const(2, "u8"):
            alive = pl.read(cells, (r, c))
        pl.write(after, (r, c), alive)
`;

const inputs = (h: number, w: number) => () => ({ cells: bits([h, w], h + w) });

export const sample: Sample = {
  name: "game_of_life",
  program,
  cases: { "a field": inputs(37, 53), "a narrow torus": inputs(1, 5), empty: inputs(0, 4) },
  reference: (args) => {
    const cells = numbers(args["cells"]);
    const [h = 0, w = 0] = cells.shape;
    const at = (r: number, c: number): number => cells.data[((r + h) % h) * w + ((c + w) % w)] ?? 0;
    const data = Array.from({ length: h * w }, (_, i) => {
      const [r, c] = [Math.floor(i / w), i % w];
      let n = 0;
      for (const dr of [-1, 0, 1]) for (const dc of [-1, 0, 1]) if (dr !== 0 || dc !== 0) n += at(r + dr, c + dc);
      return n === 3 ? 1 : n === 2 ? at(r, c) : 0;
    });
    return { after: { shape: cells.shape, dtype: "u8", data } };
  },
  comparison: "exact",
};
