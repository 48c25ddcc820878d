// The part of the WebAssembly JavaScript interface that these tests use; the packages' own code has no DOM types.
declare namespace WebAssembly {
  class Memory {
    constructor(limits: { initial: number });
    readonly buffer: ArrayBuffer;
  }
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }
  class Instance {
    constructor(module: Module, imports: { env: { memory: Memory } });
    readonly exports: Readonly<Record<string, (...args: readonly (number | bigint)[]) => unknown>>;
  }
  function validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}
