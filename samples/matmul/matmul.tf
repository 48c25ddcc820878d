# c = a @ b in 64 x 64 tiles; the accumulator is carried through the loop over K.
@pl.function(type=pl.FunctionType.InCore)
def matmul(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 64):
        for j in pl.range(0, N, 64):
            zero = pl.full([64, 64], dtype=pl.FP32, value=0.0)
            for k, (acc,) in pl.range(0, K, 64, init_values=(zero,)):
                left = pl.load(a, [i, k], [64, 64])
                right = pl.load(b, [k, j], [64, 64])
                total = pl.yield_(pl.matmul_acc(acc, left, right))
            pl.store(total, [i, j], c)
