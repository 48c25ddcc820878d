// The targets of this version.

import { cpu } from "./cpu/index.ts";
import type { Target, TargetName } from "./target.ts";
import { wasm } from "./wasm/index.ts";

export const TARGETS: Readonly<Record<TargetName, Target>> = { wasm, cpu };
