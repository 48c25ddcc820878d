@pl.function(type=pl.FunctionType.InCore)
def vector_add(x: pl.Tensor[[N], pl.FP32], y: pl.Tensor[[N], pl.FP32], z: pl.Out[pl.Tensor[[N], pl.FP32]]):
    for i in pl.parallel(0, N, 1024):
        a = pl.load(x, [i], [1024])
        b = pl.load(y, [i], [1024])
        pl.store(pl.add(a, b), [i], z)
