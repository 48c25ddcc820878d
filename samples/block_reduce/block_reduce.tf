# The sum of each row by 32 positions of a block, which meet at a barrier before every step of the tree.
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
