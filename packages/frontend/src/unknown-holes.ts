// Holes whose values are not known: a template that is read without running its file. Each is typed by its use. In the shape of a type it is
// a symbolic extent, and so it is in any list beside one of the same text; elsewhere it is poison, which says nothing.

import type { SModule, Subscript } from "@tilefoundry/grammar";
import { TYPE_WORDS } from "./annotation.ts";
import type { ModuleContext } from "./context.ts";
import { DEFAULT_RANGE, extentDim } from "./extents.ts";
import type { HoleValue } from "./holes.ts";
import { dotted } from "./members.ts";
import type { Known } from "./value.ts";

type UnknownHole = Extract<HoleValue, { readonly kind: "unknown" }>;

export const isUnknownHole = (value: HoleValue | undefined): value is UnknownHole => typeof value === "object" && value !== null && "kind" in value && value.kind === "unknown";

/** The extents that the unknown ones of the holes are, by index. */
export function unknownExtents(values: readonly HoleValue[], tree: SModule, module: ModuleContext): ReadonlyMap<number, Known> {
  const made = new Map<number, Known>();
  if (!values.some(isUnknownHole)) return made;
  const places = placesOf(tree);
  const nameOf = (index: number): string | undefined => {
    const value = values[index];
    return isUnknownHole(value) ? value.name : undefined;
  };
  const extents = new Set([...places].flatMap(([index, place]) => (place === "shape" ? (nameOf(index) ?? []) : [])));
  for (const index of places.keys()) {
    const name = nameOf(index);
    // a loop over an extent that may be 0 would leave names undefined
    if (name !== undefined && extents.has(name)) made.set(index, { kind: "extent", dim: extentDim(module, { name, lo: 1, hi: DEFAULT_RANGE.hi, span: undefined }) });
  }
  return made;
}

type ListPlace = "shape" | "list";

/** Where the holes that stand in lists and tuples stand. */
function placesOf(tree: SModule): ReadonlyMap<number, ListPlace> {
  const found = new Map<number, ListPlace>();
  const open: { readonly part: unknown; readonly place: ListPlace | undefined }[] = [{ part: tree.body, place: undefined }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { part, place } = at;
    if (typeof part !== "object" || part === null) continue;
    if (isNode(part) && part.kind === "Hole" && place !== undefined && found.get(part.index) !== "shape") found.set(part.index, place);
    const shape = isNode(part) && part.kind === "Subscript" ? shapeOf(part) : undefined;
    const inside = isNode(part) && isList(part) ? (place ?? "list") : place;
    for (const [field, child] of Object.entries(part)) {
      if (!field.toLowerCase().endsWith("span")) open.push({ part: child, place: inside });
    }
    if (shape !== undefined) open.push({ part: shape, place: "shape" });
  }
  return found;
}

type Node = Subscript | { readonly kind: "Hole"; readonly index: number } | { readonly kind: "TupleDisplay" | "ListDisplay" | "Call" };

const isNode = (part: object): part is Node => "kind" in part && typeof part.kind === "string";

const isList = ({ kind }: Node): boolean => kind === "TupleDisplay" || kind === "ListDisplay";

/** The shape in `Tensor[shape, dtype]`, if it is written out. */
function shapeOf({ value, index }: Subscript): unknown {
  const chain = dotted(value);
  if (chain === undefined || !TYPE_WORDS.includes(chain.path.at(-1) ?? chain.root) || index.kind !== "TupleDisplay") return undefined;
  const [shape] = index.items;
  return shape !== undefined && isList(shape as Node) ? shape : undefined; // only its kind is read
}
