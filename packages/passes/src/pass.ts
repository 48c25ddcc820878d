// What a pass is. Passes are listed in pipeline.ts and nowhere else; nothing registers itself.

import { mapFunctions, type Device, type FunctionNode, type ModuleNode, type Stage } from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import { Reporter, type Outcome } from "@tilefoundry/text";

export interface PassContext {
  readonly ops: Ops;
  /** The machine that mapping and placement work for. */
  readonly device: Device;
  /** Whether operations on constants are computed at compile time. Nothing else depends on it. */
  readonly fold: boolean;
}

/**
 * One step from stage to stage. On its own output, and on what any later pass makes, it gives back the very module it was
 * given: a text of any stage can enter the pipeline at its beginning.
 */
export interface Pass<Name extends string = string, From extends Stage = Stage, To extends Stage = Stage> {
  readonly name: Name;
  readonly from: From;
  readonly to: To;
  /** Makes ready for the next stage: the text of its own stage is that before it. */
  readonly ahead?: true;
  /** One sentence for the list of stages. */
  readonly doc: string;
  run(module: ModuleNode, context: PassContext): Outcome<ModuleNode>;
}

/** How most passes work: one function of the tree after the other, each with the reporter of the module. */
export function eachFunction(
  rewrite: (fn: FunctionNode, context: PassContext, reporter: Reporter, owner: ModuleNode) => FunctionNode,
): Pass["run"] {
  return (module, context) => {
    const reporter = new Reporter();
    return { value: mapFunctions(module, (fn, owner) => rewrite(fn, context, reporter, owner)), diagnostics: reporter.diagnostics };
  };
}
