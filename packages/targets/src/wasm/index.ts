// The wasm target: WebAssembly with 128-bit SIMD, encoded here; nothing to install.

import { deviceNamed } from "../devices.ts";
import type { Target } from "../target.ts";
import { emitWasm } from "./emit.ts";

export const wasm: Target = {
  name: "wasm",
  title: "WebAssembly",
  devices: { generic: deviceNamed("wasm") },
  defaultDevice: "generic",
  profile: {
    needs: "nothing: it runs in Node and in browsers",
    fusesMad: false,
    notes: [
      "products and sums are rounded separately",
      "`T.fma` is emulated: exact, but slow",
      "one thread; parallel loops run in order",
      "arrays and arena share one memory of at most 4 GiB",
    ],
  },
  emit: emitWasm,
};
