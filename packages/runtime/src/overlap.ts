// Two arguments may not overlap if either is written.

import { diagnostic, type Diagnostic, type Span } from "@tilefoundry/text";
import type { ElementData } from "./elements.ts";

export interface ArrayUse {
  readonly name: string;
  readonly isWritten: boolean;
  readonly data: ElementData;
  readonly span: Span | undefined;
}

export function overlapFaults(uses: readonly ArrayUse[]): readonly Diagnostic[] {
  const faults: Diagnostic[] = [];
  for (const [i, a] of uses.entries()) {
    for (const b of uses.slice(i + 1)) {
      const written = [a, b].find((use) => use.isWritten);
      if (written === undefined || !overlap(a.data, b.data)) continue;
      faults.push(diagnostic("TF6049", written.span, { a: a.name, b: b.name, written: written.name }));
    }
  }
  return faults;
}

const overlap = (x: ElementData, y: ElementData): boolean =>
  x.buffer === y.buffer && x.byteOffset < y.byteOffset + y.byteLength && y.byteOffset < x.byteOffset + x.byteLength;
