@prim_func(target="wasm")
def softmax(x: Tensor[(M, 1003), "f32"], y: Out[Tensor[(M, 1003), "f32"]]):
    for r, (y_1,) in T.parallel(M, init_values=(y,)):
        row = pl.load(x, (r, 0), (1, 1003))
        row_max = pl.row_max(row)
        row_expand_sub = pl.row_expand_sub(row, row_max)
        e = tf.exp(row_expand_sub)
        row_sum = pl.row_sum(e)
        row_expand_div = pl.row_expand_div(e, row_sum)
        y_2 = pl.store(row_expand_div, (r, 0), y_1)
        y_3 = pl.yield_(y_2)
