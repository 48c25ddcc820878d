# y = relu(x @ w + bias): a kernel for 16 rows on blocks, then a region for what follows.
@pl.program
class Linear:
    @pl.function(type=pl.FunctionType.InCore)
    def rows(
        self,
        x: pl.Tensor[[M, K], pl.FP32],
        w: pl.Tensor[[K, 32], pl.FP32],
        bias: pl.Tensor[[1, 32], pl.FP32],
        y: pl.Out[pl.Tensor[[M, 32], pl.FP32]],
    ):
        row = pl.get_block_idx() * 16
        zero = pl.full([16, 32], dtype=pl.FP32, value=0.0)
        for k, (acc,) in pl.range(0, K, 32, init_values=(zero,)):
            total = pl.yield_(pl.matmul_acc(acc, pl.load(x, [row, k], [16, 32]), pl.load(w, [k, 0], [32, 32])))
        return pl.store(pl.col_expand_add(total, pl.load(bias, [0, 0], [1, 32])), [row, 0], y)

    @pl.function(type=pl.FunctionType.Orchestration)
    def linear(
        self,
        x: pl.Tensor[[M, K], pl.FP32],
        w: pl.Tensor[[K, 32], pl.FP32],
        bias: pl.Tensor[[1, 32], pl.FP32],
        y: pl.Out[pl.Tensor[[M, 32], pl.FP32]],
    ):
        with pl.spmd(ceildiv(M, 16)):
            self.rows(x, w, bias, y)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="relu"):
            for r in pl.parallel(M):
                y = pl.store(pl.relu(pl.load(y, [r, 0], [1, 32])), [r, 0], y)
        return y
