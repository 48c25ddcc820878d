# Two layers of one definition with a residual around them; the weights are bound once.
@module(entry="forward")
class Layer:
    @func
    def forward(x: Tensor[(N, D), "f32"], w: ConstTensor[(D, D), "f32"], bias: ConstTensor[(D,), "f32"]):
        return tf.relu(tf.matmul(x, w) + bias)


@module(entry="forward", target="wasm")
class Mlp:
    up = Layer
    down = Layer

    @func
    def forward(
        x: Tensor[(N, 24), "f32"],
        w0: ConstTensor[(24, 24), "f32"],
        b0: ConstTensor[(24,), "f32"],
        w1: ConstTensor[(24, 24), "f32"],
        b1: ConstTensor[(24,), "f32"],
    ):
        return x + down(up(x, w0, b0), w1, b1)
