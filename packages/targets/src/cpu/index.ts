// The cpu target: C11 with GNU vector extensions, compiled by the system's compiler.

import { readDevice } from "../device-document.ts";
import { DEVICE_DOCUMENTS } from "../device-documents.ts";
import type { Target } from "../target.ts";
import { emitC } from "./emit.ts";

export const cpu: Target = {
  name: "cpu",
  title: "C11 for the CPU",
  devices: { generic: readDevice(DEVICE_DOCUMENTS["cpu:generic"]) },
  defaultDevice: "generic",
  profile: {
    needs: "a C compiler (gcc or clang)",
    fusesMad: false,
    notes: ["products and sums are rounded separately", "serial: parallel loops run on one thread in this version"],
  },
  emit: emitC,
};
