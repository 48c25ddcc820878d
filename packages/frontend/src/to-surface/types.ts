// Types as annotations, dims as expressions.

import { make, type SExpr } from "@tilefoundry/grammar";
import { isStatic, shapesEqual, toExpr, type Dim, type Direction, type Param, type TensorType, type Type } from "@tilefoundry/ir";
import { dtypeExpr, listExpr, storageExpr, type Printing } from "./spelling.ts";

/** A dim in its canonical spelling: `M`, `2 * M - 1`. */
export function dimExpr(d: Dim, p: Printing): SExpr {
  return isStatic(d) ? make.integer(d) : p.expr(toExpr(d));
}

export function typeExpr(type: Type, p: Printing): SExpr {
  switch (type.kind) {
    case "Scalar":
      return make.subscript(typeName("Scalar", p), [dtypeExpr(type.dtype, p.dialect)]);
    case "Vec":
      return make.subscript(make.dotted("T.Vec"), [make.text(type.dtype), make.integer(type.lanes)]);
    case "Tensor":
      return make.subscript(typeName(type.domain === "tile" ? "Tile" : "Tensor", p), tensorParts(type, p));
    case "TupleType":
      return make.subscript(make.name("tuple"), type.fields.map((t) => typeExpr(t, p)));
    case "Unit":
      return make.word("None");
    case "Unknown":
      return make.word("...");
  }
}

const typeName = (name: string, { dialect }: Printing): SExpr => (dialect === "pl" ? make.dotted(`pl.${name}`) : make.name(name));

/** Shape, dtype, and the storage unless it is that of every tensor or tile. */
function tensorParts({ shape, dtype, storage, domain }: TensorType, p: Printing): readonly SExpr[] {
  const parts = [listExpr(shape.map((d) => dimExpr(d, p)), p.dialect), dtypeExpr(dtype, p.dialect)];
  return storage === (domain === "tile" ? "vec" : "gmem") ? parts : [...parts, storageExpr(storage, p.dialect)];
}

const WRAPPERS = { in: undefined, out: "Out", inout: "InOut" } as const satisfies Readonly<Record<Direction, string | undefined>>;

/** The annotation of a parameter, with its direction. A constant tensor has TileFoundry's spelling everywhere: PyPTO has none. */
export function paramExpr({ var: variable, direction }: Param, p: Printing): SExpr {
  const wrapper = WRAPPERS[direction];
  const { type, isConst } = variable;
  const tf: Printing = { ...p, dialect: "tf" };
  const inner = isConst && type.kind === "Tensor" ? make.subscript(make.name("ConstTensor"), tensorParts(type, tf)) : typeExpr(type, p);
  return wrapper === undefined ? inner : make.subscript(typeName(wrapper, p), [inner]);
}

/** `R` for one returned value, `tuple[R, S]` for several, nothing for none. */
export function returnsExpr(types: readonly Type[], p: Printing): SExpr | undefined {
  const [only] = types;
  if (only === undefined) return undefined;
  return types.length === 1 ? typeExpr(only, p) : make.subscript(make.name("tuple"), types.map((t) => typeExpr(t, p)));
}

/** The same type in every part, `i64` and `index` told apart. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind === "Tensor" && b.kind === "Tensor") {
    return a.domain === b.domain && a.dtype === b.dtype && a.storage === b.storage && shapesEqual(a.shape, b.shape);
  }
  if (a.kind === "TupleType" && b.kind === "TupleType") {
    return a.fields.length === b.fields.length && a.fields.every((t, i) => sameType(t, b.fields[i] ?? t));
  }
  return a.kind === b.kind && a.kind !== "Scalar" && a.kind !== "Vec";
}
