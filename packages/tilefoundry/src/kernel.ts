// A compiled function: what runs it, its source, and how it is called.

import type { FunctionNode } from "@tilefoundry/ir";
import type { Artifact } from "@tilefoundry/targets";
import type { ArgumentValue, NdArray } from "@tilefoundry/runtime";

/** Arguments by parameter name; an Out array may be left out, and is then made. */
export type CallArguments = Readonly<Record<string, ArgumentValue>>;

/** Written and returned arrays by name. */
export type CallResult = Readonly<Record<string, NdArray>>;

export interface CallOptions {
  /** Arrays that Out parameters write into. */
  readonly out?: Readonly<Record<string, NdArray>>;
}

export interface Kernel {
  readonly name: string;
  readonly target: string;
  readonly fn: FunctionNode;
  /** Undefined for the interpreter. */
  readonly artifact: Artifact | undefined;
  /** Runs at once. Throws a TileFoundryError on wrong arguments. */
  call(args?: CallArguments, options?: CallOptions): CallResult;
  /** The promise form, on every target. */
  run(args?: CallArguments, options?: CallOptions): Promise<CallResult>;
}
