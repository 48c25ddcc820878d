// The laws of stages over all samples, with folding on and off.

import { TARGETS, type Target } from "@tilefoundry/targets";
import { toModule } from "tilefoundry";
import { describe, expect, test } from "vitest";
import { SAMPLES } from "../../../samples/index.ts";
import { afterEachPass, deviceOf, keptInJson, passesAreIdempotent, resumes, roundTrip } from "./laws.ts";

const PROGRAMS = SAMPLES.map(({ name, program }) => ({ name, module: toModule(program) }));

describe.each([true, false])("with folding %s", (fold) => {
  describe.each(Object.values<Target>(TARGETS).map((target) => ({ name: target.name, target })))("for $name", ({ target }) => {
    test.each(PROGRAMS)("$name verifies, prints and parses back after every pass", ({ module }) => {
      for (const [pass, made, stage] of afterEachPass(module, deviceOf(target), fold)) expect(roundTrip(made, stage), `after ${pass}`).toBeUndefined();
    });

    test.each(PROGRAMS)("$name is kept in JSON after every pass", ({ module }) => {
      for (const [pass, made] of afterEachPass(module, deviceOf(target), fold)) expect(keptInJson(made), `after ${pass}`).toBeUndefined();
    });

    test.each(PROGRAMS)("every pass gives back what it, or a later one, made of $name", ({ module }) => {
      expect(passesAreIdempotent(module, deviceOf(target), fold)).toBeUndefined();
    });
  });

  test.each(PROGRAMS)("$name builds to the same bytes from its text at any stage", ({ module }) => {
    expect(resumes(module, fold)).toBeUndefined();
  });
});
