// Placed IR to kernel source: what a target is, the targets there are, and what they make.
export { type Artifact, type ArtifactFile, type ArenaBuffer, type EntrySlot, type Profile, type SlotType, type Target, type TargetName } from "./target.ts";
export { TARGETS } from "./targets.ts";
export { ARENA_ALIGNMENT, arenaBytes } from "./arena.ts";
export { deviceNamed, type DeviceName } from "./devices.ts";
