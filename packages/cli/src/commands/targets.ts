// tf targets: the targets, how each keeps the rules, what it needs here and whether it is there.

import { availability } from "@tilefoundry/runtime";
import { TARGETS, type Target } from "@tilefoundry/targets";
import { EXIT, type Exit } from "../exit.ts";
import { printJson } from "../report.ts";

export function listTargets(flags: { readonly json?: boolean }): Exit {
  const rows = [
    { name: "interp", title: "The interpreter", devices: [] as readonly string[], needs: "nothing", here: "yes", notes: ["follows the language to the letter; the reference for all targets"] },
    ...Object.values<Target>(TARGETS).map((t) => {
      const state = availability(t.name);
      return {
        name: t.name,
        title: t.title,
        devices: Object.keys(t.devices).map((d) => `${t.name}:${d}`),
        needs: t.profile.needs,
        here: state.found === undefined ? `no: ${state.missing ?? ""}` : state.found,
        notes: t.profile.notes,
      };
    }),
  ];
  if (flags.json) printJson({ targets: rows });
  else {
    for (const r of rows) {
      process.stdout.write(`${r.name.padEnd(8)}${r.title}\n        needs ${r.needs}; here: ${r.here}\n`);
      if (r.devices.length > 0) process.stdout.write(`        devices: ${r.devices.join(", ")}\n`);
      for (const note of r.notes) process.stdout.write(`        - ${note}\n`);
    }
  }
  return EXIT.fine;
}
