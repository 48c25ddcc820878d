// What a target is, and what it makes: an artifact holds the emitted files and all that a host needs to call the kernel.

import type { Device, Dim, DType, FunctionNode, ModuleNode, Signature } from "@tilefoundry/ir";
import type { Outcome } from "@tilefoundry/text";

export type TargetName = "wasm" | "cpu";

export interface Target {
  readonly name: TargetName;
  readonly title: string;
  /** Device documents by the part after the colon: `generic` of `cpu:generic`. */
  readonly devices: Readonly<Record<string, Device>>;
  readonly defaultDevice: string;
  readonly profile: Profile;
  /** Emits a function that stands at `placed`. With an error among the diagnostics the artifact has no files. */
  emit(module: ModuleNode, fn: FunctionNode): Outcome<Artifact>;
}

/** What `tf targets` prints: where and how the target keeps the rules of the language. */
export interface Profile {
  /** What the machine must have, as the end of "needs …". */
  readonly needs: string;
  /** Whether `mad` is one fused operation there. */
  readonly fusesMad: boolean;
  readonly notes: readonly string[];
}

export interface ArtifactFile {
  readonly name: string;
  readonly contents: string | Uint8Array;
}

export interface Artifact {
  readonly target: TargetName;
  readonly signature: Signature;
  /** Name of the function to call. */
  readonly entry: string;
  /** What the entry is called with, in order. */
  readonly slots: readonly EntrySlot[];
  /** The file to load or compile first, then those to read. Empty where emission failed. */
  readonly files: readonly ArtifactFile[];
  /** Buffers in the arena; `arenaBytes` of arena.ts gives its size for actual extents. */
  readonly arena: readonly ArenaBuffer[];
}

/** One argument of the entry: a parameter's array or scalar, the value of a symbol, or the start of the arena. */
export interface EntrySlot {
  readonly kind: "array" | "scalar" | "symbol" | "arena";
  /** Position in the signature's `params` or `symbols`; 0 for the arena. */
  readonly index: number;
  readonly type: SlotType;
}

/** How the value travels: `pointer` is an address, the others are numbers of that width. */
export type SlotType = "pointer" | "i32" | "i64" | "f32" | "f64";

export interface ArenaBuffer {
  readonly name: string;
  readonly offset: Dim;
  readonly shape: readonly Dim[];
  readonly dtype: DType;
}
