// Several kernels in one run of the C compiler: starting it takes longer than compiling a kernel.

import { loadCpu } from "@tilefoundry/runtime";
import type { Target } from "@tilefoundry/targets";
import { renderDiagnostics } from "@tilefoundry/text";
import type { Subject } from "./fuzz-laws.ts";
import { difference, interpreted, ran } from "./fuzz-run.ts";
import { artifactOf } from "./laws.ts";

/** What is wrong with the programs on the CPU. Their functions have different names. */
export function batched(subjects: readonly Subject[], target: Target): readonly string[] {
  const built = subjects.map((subject) => ({ ...artifactOf(subject.module, target, true), subject }));
  const files = built.flatMap((b) => b.artifact.files);
  return built.flatMap(({ artifact, placed, subject }) => {
    const { value, diagnostics } = loadCpu({ ...artifact, files });
    if (value === undefined) return [renderDiagnostics(diagnostics)];
    return subject.args.flatMap((args) => {
      const wrong = difference(interpreted(placed, args, { poison: true }), ran(value, args));
      return wrong === undefined ? [] : [`${wrong}\n${subject.text}`];
    });
  });
}
