# Every position of a mesh of blocks and threads scales its own elements; a slice of the mesh adds to its part first.
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
