// An exception is a bug of the compiler and says so; wrong input never raises one.

/** Throws an internal error unless `condition` holds. Never used to report what a user wrote. */
export function invariant(condition: boolean, why: () => string): asserts condition {
  if (!condition) throw new Error(`internal error of TileFoundry (please report it): ${why()}`);
}

/** Marks a case that the types exclude. */
export function unreachable(value: never): never {
  throw new Error(`internal error of TileFoundry (please report it): unexpected ${JSON.stringify(value)}`);
}
