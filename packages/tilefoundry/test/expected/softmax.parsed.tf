@prim_func(target="wasm")
def softmax(x: Tensor[(M, 1003), "f32"], y: Out[Tensor[(M, 1003), "f32"]]):
    for r in T.parallel(M):
        row = pl.load(x, (r, 0), (1, 1003))
        e = tf.exp(pl.row_expand_sub(row, pl.row_max(row)))
        pl.store(pl.row_expand_div(e, pl.row_sum(e)), (r, 0), y)
