import { check, compileNow, NdArray } from "tilefoundry";
const run = (text: string, dims: Record<string, number[]>, name: string) => {
  const { program: p, diagnostics } = check(text); if (p === undefined) { console.log(diagnostics); return; }
  for (const target of ["wasm", "cpu"]) {
    const k = compileNow(p, { target });
    const args = Object.fromEntries(Object.entries(dims).map(([n, s]) => [n, NdArray.wrap(Float32Array.from({ length: s.reduce((a, b) => a * b, 1) }, () => Math.random()), s, "f32")]));
    k.call(args as never);
    const t = performance.now();
    for (let i = 0; i < 5; i++) k.call(args as never);
    console.log(name, target, ((performance.now() - t) / 5).toFixed(2), "ms");
  }
};
const conv = (pad: number) => `@func
def f(x: Tensor[(1, 16, 64, 64), "f32"], w: Tensor[(16, 16, 3, 3), "f32"]):
    return tf.conv2d(x, w, padding=${pad})
`;
run(conv(0), { x: [1, 16, 64, 64], w: [16, 16, 3, 3] }, "conv pad 0");
run(conv(1), { x: [1, 16, 64, 64], w: [16, 16, 3, 3] }, "conv pad 1");
const one = (op: string) => `@func
def f(x: Tensor[(1024, 1024), "f32"], g: Tensor[(1024,), "f32"]):
    return ${op}
`;
for (const op of ["tf.layer_norm(x, g, g)", "tf.rms_norm(x, g)", "tf.argmax(x)", "tf.argmax(x, axis=0)", "tf.reduce(x, axes=(0,), kind=\"max\")"]) run(one(op), { x: [1024, 1024], g: [1024] }, op);
