// Target names as authors and the command line write them: `wasm`, `cpu`, `cpu:generic`, `interp`.

import type { Device } from "@tilefoundry/ir";
import { TARGETS, type Target } from "@tilefoundry/targets";
import { diagnostic, nearest, type Diagnostic, type Outcome } from "@tilefoundry/text";

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
  const [base = DEFAULT, ...rest] = name.split(":");
  if (LATER.has(base)) return failed(diagnostic("TF5101", undefined, { target: base, known: targetNames().join(", ") }));
  const isInterp = base === "interp";
  // the interpreter has no machine of its own: mapping decisions are those of the default target
  const target = lookUp<Target>(TARGETS, isInterp ? DEFAULT : base);
  if (target === undefined) return failed(unknownTarget(base));
  const deviceName = rest.length === 0 ? target.defaultDevice : rest.join(":");
  const device = isInterp && rest.length > 0 ? undefined : lookUp(target.devices, deviceName);
  if (device === undefined) {
    const known = isInterp ? "none" : Object.keys(target.devices).map((d) => `${base}:${d}`).join(", ");
    return failed(diagnostic("TF5103", undefined, { device: deviceName, target: base, known }));
  }
  return { value: { name: isInterp ? "interp" : device.name, target: isInterp ? undefined : target, device }, diagnostics: [] };
}

function unknownTarget(target: string): Diagnostic {
  const near = nearest(target, targetNames());
  return diagnostic("TF5102", undefined, { target, known: targetNames().join(", ") }, near === undefined ? {} : { help: `did you mean \`${near}\`?` });
}

/** An own entry: every object has a `constructor`. */
const lookUp = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined => (Object.hasOwn(table, name) ? table[name] : undefined);

const failed = (fault: Diagnostic): Outcome<undefined> => ({ value: undefined, diagnostics: [fault] });
