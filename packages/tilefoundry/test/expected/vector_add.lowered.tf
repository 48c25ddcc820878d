@pl.function(type=pl.FunctionType.InCore)
def vector_add(x: pl.Tensor[[N], pl.FP32], y: pl.Tensor[[N], pl.FP32], z: pl.Out[pl.Tensor[[N], pl.FP32]]):
    for i in pl.parallel(0, N, 1024):
        n = T.min(1024, N - i)
        a = T.alloc_tensor((1024,), "f32", "vec")
        for i_1 in T.nest((n,)):
            T.store(a, (i_1,), T.load(x, (i + i_1,)))
        b = T.alloc_tensor((1024,), "f32", "vec")
        for i_2 in T.nest((n,)):
            T.store(b, (i_2,), T.load(y, (i + i_2,)))
        add = T.alloc_tensor((1024,), "f32", "vec")
        for i_3 in T.nest((n,)):
            T.store(add, (i_3,), T.load(a, (i_3,)) + T.load(b, (i_3,)))
        for i_4 in T.nest((n,)):
            T.store(z, (i + i_4,), T.load(add, (i_4,)))
