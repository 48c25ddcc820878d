// What mapping needs to know of a machine. Filled from a device document (TOML, packages/targets/devices); one schema for all.

export interface Device {
  /** As in `cpu:generic`. */
  readonly name: string;
  readonly target: string;
  /** Width of a vector register in bits. */
  readonly vectorBits: number;
  readonly vectorRegisters: number;
  /** Rows and columns (in vectors) of the accumulator block of a matmul. */
  readonly matmulBlock: { readonly rows: number; readonly vectors: number };
  /** Sizes in bytes. */
  readonly l1Bytes: number;
  readonly l2Bytes: number;
  /** Largest arena of one kernel call, in bytes. */
  readonly arenaBytes: number;
  readonly cores: number;
  /** Whether `mad` is emitted as one fused operation. */
  readonly fusesMad: boolean;
}
