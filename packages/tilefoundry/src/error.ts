// The one exception of the front door: a wrong program, or wrong arguments, with all that was found.

import { renderDiagnostics, type Diagnostic } from "@tilefoundry/text";

/** Thrown by the functions that promise a result. The message shows each diagnostic with its place and an excerpt. */
export class TileFoundryError extends Error {
  declare readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(renderDiagnostics(diagnostics));
    this.name = "TileFoundryError";
    // not shown: the message says it all where the error is not caught
    Object.defineProperty(this, "diagnostics", { value: diagnostics, enumerable: false });
  }
}
