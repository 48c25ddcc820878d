@prim_func(target="wasm")
def softmax(x: Tensor[(M, 1003), "f32"], y: Out[Tensor[(M, 1003), "f32"]]):
    for r in T.parallel(M):
        row = T.alloc_tensor((1, 1003), "f32", "vec")
        for i, j in T.nest((1, 1003)):
            T.store(row, (i, j), T.load(x, (r + i, j)))
        row_max = T.alloc_tensor((1, 1), "f32", "vec")
        for i_1, j_1 in T.nest((1, 1)):
            for k, (acc,) in T.nest((1003,), reduce=True, init_values=(-T.inf,)):
                row_max_1 = pl.yield_(T.max(acc, T.load(row, (0, k))))
            T.store(row_max, (i_1, j_1), row_max_1)
        row_expand_sub = T.alloc_tensor((1, 1003), "f32", "vec")
        for i_2, j_2 in T.nest((1, 1003)):
            T.store(row_expand_sub, (i_2, j_2), T.load(row, (0, j_2)) - T.load(row_max, (0, 0)))
        e = T.alloc_tensor((1, 1003), "f32", "vec")
        for i_3, j_3 in T.nest((1, 1003)):
            T.store(e, (i_3, j_3), T.exp(T.load(row_expand_sub, (0, j_3))))
        row_sum = T.alloc_tensor((1, 1), "f32", "vec")
        for i_4, j_4 in T.nest((1, 1)):
            for k_1, (acc_1,) in T.nest((1003,), reduce=True, init_values=(0.0,)):
                row_sum_1 = pl.yield_(acc_1 + T.load(e, (0, k_1)))
            T.store(row_sum, (i_4, j_4), row_sum_1)
        row_expand_div = T.alloc_tensor((1, 1003), "f32", "vec")
        for i_5, j_5 in T.nest((1, 1003)):
            T.store(row_expand_div, (i_5, j_5), T.load(e, (0, j_5)) / T.load(row_sum, (0, 0)))
        for i_6, j_6 in T.nest((1, 1003)):
            T.store(y, (r + i_6, j_6), T.load(row_expand_div, (0, j_6)))
