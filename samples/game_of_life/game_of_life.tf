# One generation of Conway's game of life on a torus: 1 is alive, 0 is dead.
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
