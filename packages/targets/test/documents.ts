// The text of `src/device-documents.ts`, made from `devices/*.toml`.

import cpuGeneric from "../devices/cpu-generic.toml?raw";
import wasm from "../devices/wasm.toml?raw";

const DOCUMENTS = { "cpu:generic": cpuGeneric, wasm } as const;

export function documentsModule(): string {
  const entries = Object.entries(DOCUMENTS).map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},`);
  return [
    "// Generated from devices/*.toml (test/device-documents.test.ts holds them equal; `npm run bless` writes this file).",
    "",
    "export const DEVICE_DOCUMENTS = {",
    ...entries,
    "} as const;",
    "",
  ].join("\n");
}
