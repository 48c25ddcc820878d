// Generated from devices/*.toml (test/device-documents.test.ts holds them equal; `npm run bless` writes this file).

export const DEVICE_DOCUMENTS = {
  "cpu:generic": "# Any 64-bit CPU with 128-bit vectors: the device of reproducible text.\nname = \"cpu:generic\"\ntarget = \"cpu\"\ncores = 1\n\n[vector]\nbits = 128\nregisters = 16\n\n# Accumulator block of a matmul.\n[matmul]\nrows = 4\nvectors = 2\n\n[memory]\nl1_bytes = 32768\nl2_bytes = 524288\narena_bytes = 1073741824\n\n[arithmetic]\nfuses_mad = false\n",
  "wasm": "# Any WebAssembly engine with 128-bit SIMD, one thread.\nname = \"wasm\"\ntarget = \"wasm\"\ncores = 1\n\n[vector]\nbits = 128\nregisters = 16\n\n# Accumulator block of a matmul; 6 rows spill in V8.\n[matmul]\nrows = 4\nvectors = 2\n\n[memory]\nl1_bytes = 32768\nl2_bytes = 524288\narena_bytes = 1073741824\n\n[arithmetic]\nfuses_mad = false\n",
} as const;
