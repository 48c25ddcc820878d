@pl.function(type=pl.FunctionType.InCore)
def vector_add(x: pl.Tensor[[N], pl.FP32], y: pl.Tensor[[N], pl.FP32], z: pl.Out[pl.Tensor[[N], pl.FP32]]):
    for i in pl.parallel(0, N, 1024, level="core"):
        n = T.min(1024, N - i)
        n_main = n - n % 4
        for i_1 in pl.range(0, n_main, 4):
            T.store(z, (i + i_1,), T.load(x, (i + i_1,), lanes=4) + T.load(y, (i + i_1,), lanes=4))
        for i_tail in pl.range(n_main, n):
            T.store(z, (i + i_tail,), T.load(x, (i + i_tail,)) + T.load(y, (i + i_tail,)))
