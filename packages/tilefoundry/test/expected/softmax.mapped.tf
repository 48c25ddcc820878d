@prim_func(target="wasm")
def softmax(x: Tensor[(M, 1003), "f32"], y: Out[Tensor[(M, 1003), "f32"]]):
    for r in T.parallel(M, level="core"):
        for k, (acc, acc_1, acc_2, acc_3) in T.range(
            0,
            992,
            16,
            init_values=(
                T.const(-T.inf, "f32", lanes=4),
                T.const(-T.inf, "f32", lanes=4),
                T.const(-T.inf, "f32", lanes=4),
                T.const(-T.inf, "f32", lanes=4),
            ),
        ):
            row_max_part, row_max_part_1, row_max_part_2, row_max_part_3 = pl.yield_(
                T.max(acc, T.load(x, (r, k), lanes=4)),
                T.max(acc_1, T.load(x, (r, k + 4), lanes=4)),
                T.max(acc_2, T.load(x, (r, k + 8), lanes=4)),
                T.max(acc_3, T.load(x, (r, k + 12), lanes=4)),
            )
        for k_next, (acc_4,) in T.range(
            992,
            1000,
            4,
            init_values=(T.max(T.max(row_max_part, row_max_part_1), T.max(row_max_part_2, row_max_part_3)),),
        ):
            row_max_part_4 = pl.yield_(T.max(acc_4, T.load(x, (r, k_next), lanes=4)))
        for k_tail, (acc_5,) in T.range(1000, 1003, init_values=(T.reduce("max", row_max_part_4),)):
            row_max = pl.yield_(T.max(acc_5, T.load(x, (r, k_tail))))
        e = T.alloc_tensor((1, 1003), "f32", "vec")
        row_max_v = T.splat(row_max, lanes=4)
        for j, (acc_6,) in T.range(0, 1000, 4, init_values=(T.const(0.0, "f32", lanes=4),)):
            exp_x = T.load(x, (r, j), lanes=4) - row_max_v
            exp_x_1 = T.select(exp_x > T.const(89.0, "f32", lanes=4), T.const(89.0, "f32", lanes=4), exp_x)
            exp_x_2 = T.select(exp_x_1 < T.const(-104.5, "f32", lanes=4), T.const(-104.5, "f32", lanes=4), exp_x_1)
            exp_t = exp_x_2 * T.const(1.442695, "f32", lanes=4) + T.const(12582912.0, "f32", lanes=4)
            exp_n = exp_t - T.const(12582912.0, "f32", lanes=4)
            exp_r = (
                exp_x_2 - exp_n * T.const(0.6933594, "f32", lanes=4) - exp_n * T.const(-0.00021219444, "f32", lanes=4)
            )
            exp_y = (
                (
                    (
                        (
                            (
                                (T.const(0.00019891103, "f32", lanes=4) * exp_r + T.const(0.0013933751, "f32", lanes=4))
                                * exp_r
                                + T.const(0.0083333105, "f32", lanes=4)
                            )
                            * exp_r
                            + T.const(0.041666463, "f32", lanes=4)
                        )
                        * exp_r
                        + T.const(0.16666667, "f32", lanes=4)
                    )
                    * exp_r
                    + T.const(0.5, "f32", lanes=4)
                )
                * (exp_r * exp_r)
                + exp_r
                + T.const(1.0, "f32", lanes=4)
            )
            exp_k = T.bitcast(exp_t, "i32") - T.const(1262485504, "i32", lanes=4)
            exp_h = exp_k >> T.const(1, "i32", lanes=4)
            e_1 = (
                exp_y
                * T.bitcast(exp_h + T.const(127, "i32", lanes=4) << T.const(23, "i32", lanes=4), "f32")
                * T.bitcast(exp_k - exp_h + T.const(127, "i32", lanes=4) << T.const(23, "i32", lanes=4), "f32")
            )
            T.store(e, (0, j), e_1)
            row_sum_part = pl.yield_(acc_6 + e_1)
        for j_tail, (acc_7,) in T.range(1000, 1003, init_values=(T.reduce("add", row_sum_part),)):
            exp_x_3 = T.load(x, (r, j_tail)) - row_max
            exp_x_4 = T.select(exp_x_3 > 89.0, 89.0, exp_x_3)
            exp_x_5 = T.select(exp_x_4 < -104.5, -104.5, exp_x_4)
            exp_t_1 = exp_x_5 * 1.442695 + 12582912.0
            exp_n_1 = exp_t_1 - 12582912.0
            exp_r_1 = exp_x_5 - exp_n_1 * 0.6933594 - exp_n_1 * -0.00021219444
            exp_y_1 = (
                (
                    (
                        (((0.00019891103 * exp_r_1 + 0.0013933751) * exp_r_1 + 0.0083333105) * exp_r_1 + 0.041666463)
                        * exp_r_1
                        + 0.16666667
                    )
                    * exp_r_1
                    + 0.5
                )
                * (exp_r_1 * exp_r_1)
                + exp_r_1
                + 1.0
            )
            exp_k_1 = T.bitcast(exp_t_1, "i32") - T.const(1262485504, "i32")
            exp_h_1 = exp_k_1 >> T.const(1, "i32")
            e_2 = (
                exp_y_1
                * T.bitcast(exp_h_1 + T.const(127, "i32") << T.const(23, "i32"), "f32")
                * T.bitcast(exp_k_1 - exp_h_1 + T.const(127, "i32") << T.const(23, "i32"), "f32")
            )
            T.store(e, (0, j_tail), e_2)
            row_sum = pl.yield_(acc_7 + e_2)
        row_sum_v = T.splat(row_sum, lanes=4)
        for j_1 in T.range(0, 1000, 4):
            T.store(y, (r, j_1), T.load(e, (0, j_1), lanes=4) / row_sum_v)
        for j_tail_1 in T.range(1000, 1003):
            T.store(y, (r, j_tail_1), T.load(e, (0, j_tail_1)) / row_sum)
