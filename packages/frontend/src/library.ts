// How imports find other texts: whoever calls `toIR` says.

import type { SModule } from "@tilefoundry/grammar";
import type { Diagnostic, Source } from "@tilefoundry/text";

/** What an import names: `from ..lib.sizes` is 2 and `["lib", "sizes"]`; 0 is looked for in the folders of imports. */
export interface ImportPath {
  readonly level: number;
  readonly path: readonly string[];
}

/** Knows other texts. It gives the same object for the same file. */
export interface Library {
  /** The text that an import means where it stands in another; undefined if there is none. */
  find(wanted: ImportPath, from: Source): LibraryText | undefined;
  /** Where `find` looks. */
  places(wanted: ImportPath, from: Source): readonly string[];
}

export interface LibraryText {
  readonly source: Source;
  readonly tree: SModule;
  /** Faults of the text itself. */
  readonly diagnostics: readonly Diagnostic[];
}
