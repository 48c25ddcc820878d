# Iterations until |z| > 2 for each point of a grid over [-2, 1) x [-1.5, 1.5), at most `limit`.
@pl.function(type=pl.FunctionType.InCore)
def mandelbrot(limit: pl.Scalar[pl.INT32], counts: pl.Out[pl.Tensor[[H, W], pl.INT32]]):
    for row in pl.parallel(H):
        for column in pl.range(W):
            cr = pl.cast(column, pl.FP32) / pl.cast(W, pl.FP32) * 3.0 - 2.0
            ci = pl.cast(row, pl.FP32) / pl.cast(H, pl.FP32) * 3.0 - 1.5
            zr = 0.0
            zi = 0.0
            n = pl.const(0, pl.INT32)
            while n < limit:
                rr = zr * zr
                ii = zi * zi
                if rr + ii > 4.0:
                    break
                zi = 2.0 * zr * zi + ci
                zr = rr - ii + cr
                n = n + pl.const(1, pl.INT32)
            pl.write(counts, [row, column], n)
