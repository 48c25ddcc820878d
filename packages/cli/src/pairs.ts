// `NAME=VALUE` options.

/** The texts as a map; undefined if one is not of that form. */
export function pairs(texts: readonly string[]): ReadonlyMap<string, string> | undefined {
  const map = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf("=");
    if (at <= 0) return undefined;
    map.set(text.slice(0, at), text.slice(at + 1));
  }
  return map;
}

/** Symbolic extents by name; undefined if one is not `NAME=NUMBER`. */
export function dimsOf(texts: readonly string[]): ReadonlyMap<string, number> | undefined {
  const given = pairs(texts);
  if (given === undefined || [...given.values()].some((value) => !/^\d+$/.test(value))) return undefined;
  return new Map([...given].map(([name, value]) => [name, Number(value)]));
}
