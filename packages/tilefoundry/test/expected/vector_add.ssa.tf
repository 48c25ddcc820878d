@pl.function(type=pl.FunctionType.InCore)
def vector_add(x: pl.Tensor[[N], pl.FP32], y: pl.Tensor[[N], pl.FP32], z: pl.Out[pl.Tensor[[N], pl.FP32]]):
    for i, (z_1,) in pl.parallel(0, N, 1024, init_values=(z,)):
        a = pl.load(x, [i], [1024])
        b = pl.load(y, [i], [1024])
        add = pl.add(a, b)
        z_2 = pl.store(add, [i], z_1)
        z_3 = pl.yield_(z_2)
