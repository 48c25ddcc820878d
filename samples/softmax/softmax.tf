# Softmax of each row, shifted by the row's maximum so that no exponential overflows.
COLUMNS = 1003

@prim_func(target="wasm")
def softmax(x: pl.Tensor[[M, COLUMNS], pl.FP32], y: pl.Out[pl.Tensor[[M, COLUMNS], pl.FP32]]):
    for r in pl.parallel(M):
        row = pl.load(x, [r, 0], [1, COLUMNS])
        e = pl.exp(pl.row_expand_sub(row, pl.row_max(row)))
        pl.store(pl.row_expand_div(e, pl.row_sum(e)), [r, 0], y)
