# Root-mean-square normalisation of each row, as a graph of values.
EPSILON = 1e-6

@func
def rms_norm(x: Tensor[(ROWS, D), "f32"], weight: Tensor[(D,), "f32"]) -> Tensor[(ROWS, D), "f32"]:
    mean_square = tf.reduce(tf.square(x), axes=(-1,), keepdim=True, kind="mean")
    return x * tf.rsqrt(mean_square + EPSILON) * weight
