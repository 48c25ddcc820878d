# y = alpha * x + y, in place.
@prim_func
def saxpy(alpha: Scalar["f32"], x: Tensor[(N,), "f32"], y: InOut[Tensor[(N,), "f32"]]):
    for i in T.parallel(0, N, 256):
        xs = pl.load(x, (i,), (256,))
        ys = pl.load(y, (i,), (256,))
        pl.store(alpha * xs + ys, (i,), y)
