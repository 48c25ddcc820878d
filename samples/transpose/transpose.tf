# y = x transposed, in 32 x 32 tiles.
@pl.function(type=pl.FunctionType.InCore)
def transpose(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[N, M], pl.FP32]]):
    for i in pl.parallel(0, M, 32):
        for j in pl.range(0, N, 32):
            tile = pl.load(x, [i, j], [32, 32])
            pl.store(pl.transpose(tile, 0, 1), [j, i], y)
