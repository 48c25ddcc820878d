// Target names as authors and the command line write them: `wasm`, `cpu`, `cpu:generic`, `interp`.

import type { Device } from "@tilefoundry/ir";
import { TARGETS, type Target } from "@tilefoundry/targets";
import { diagnostic, type Outcome } from "@tilefoundry/text";

export interface TargetSpec {
  /** With its device: `cpu:generic`. */
  readonly name: string;
  /** Undefined for the interpreter. */
  readonly target: Target | undefined;
  readonly device: Device;
}

const DEFAULT = "wasm";

/** Targets of later versions, so that naming one is not taken for a misspelling. */
const LATER: ReadonlySet<string> = new Set(["cuda", "wgsl", "pto"]);

export const targetNames = (): readonly string[] => ["interp", ...Object.keys(TARGETS)];

/** The target and device of a name; without one, WebAssembly. */
export function resolveTarget(name: string = DEFAULT): Outcome<TargetSpec | undefined> {
  const [base = DEFAULT, deviceName] = name.split(":", 2);
  if (LATER.has(base)) return { value: undefined, diagnostics: [diagnostic("TF5101", undefined, { target: base, known: targetNames().join(", ") })] };
  const targets: Readonly<Record<string, Target>> = TARGETS;
  // the interpreter has no machine of its own: mapping decisions are those of the default target
  const target = targets[base === "interp" ? DEFAULT : base];
  if (target === undefined) return { value: undefined, diagnostics: [diagnostic("TF5102", undefined, { target: base, known: targetNames().join(", ") })] };
  const device = target.devices[base === "interp" ? target.defaultDevice : (deviceName ?? target.defaultDevice)];
  if (device === undefined) {
    const known = Object.keys(target.devices).map((d) => `${base}:${d}`).join(", ");
    return { value: undefined, diagnostics: [diagnostic("TF5103", undefined, { device: deviceName ?? "", target: base, known })] };
  }
  return { value: { name: base === "interp" ? "interp" : device.name, target: base === "interp" ? undefined : target, device }, diagnostics: [] };
}
