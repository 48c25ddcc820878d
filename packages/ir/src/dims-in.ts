// Where dims hide: in the shapes of types and in the attributes of some nodes. One visitor and one mapper reach every symbolic one.

import { isDimSum, isStatic } from "./dims.ts";
import type { AttrValue, Call, Dim, DimSum, Node, Prim, PrimAttrs, TensorType, TupleType, Type } from "./nodes.ts";

type MapDim = (d: DimSum) => Dim;

/** Calls `visit` with every symbolic dim in a type, an attribute, or a list or record of these. */
export function eachDimIn(data: unknown, visit: (d: DimSum) => void): void {
  if (typeof data !== "object" || data === null) return;
  if (isDimSum(data)) return visit(data);
  for (const part of Object.values(data)) eachDimIn(part, visit);
}

/** Calls `visit` with every symbolic dim in the node's own types and attributes. */
export function eachDimOf(node: Node, visit: (d: DimSum) => void): void {
  if (!("type" in node)) return;
  const isRegister = node.type.kind === "Scalar" || node.type.kind === "Vec";
  if (!isRegister) eachDimIn(node.type, visit);
  if (node.kind === "Prim" && (node.attrs.type !== undefined || node.attrs.offset !== undefined)) eachDimIn(node.attrs, visit);
  if (node.kind === "Call") eachDimIn(node.callee.attrs, visit);
}

/** Rebuilds a type with every symbolic dim mapped; the same object comes back if none changed. */
export function mapDimsIn<T extends Type>(type: T, map: MapDim): T {
  return mappedType(type, map) as T; // only dims change
}

function mappedType(type: Type, map: MapDim): Type {
  switch (type.kind) {
    case "Tensor": return mappedTensor(type, map);
    case "TupleType": return mappedTuple(type, map);
    default: return type;
  }
}

function mappedTensor(type: TensorType, map: MapDim): TensorType {
  const shape = mappedDims(type.shape, map);
  return shape === type.shape ? type : { ...type, shape };
}

function mappedTuple(type: TupleType, map: MapDim): TupleType {
  const fields = type.fields.map((field) => mappedType(field, map));
  return fields.every((field, i) => field === type.fields[i]) ? type : { ...type, fields };
}

function mappedDims(dims: readonly Dim[], map: MapDim): readonly Dim[] {
  if (dims.every(isStatic)) return dims;
  const mapped = dims.map((d) => (isStatic(d) ? d : map(d)));
  return mapped.every((d, i) => d === dims[i]) ? dims : mapped;
}

/** Rebuilds a node with every symbolic dim in its own types and attributes mapped. */
export function mapDimsOf<N extends Node>(node: N, map: MapDim): N {
  return mappedNode(node, map) as N; // only dims change
}

function mappedNode(node: Node, map: MapDim): Node {
  switch (node.kind) {
    case "Var":
    case "IterArg":
    case "Const":
    case "Tuple":
    case "TupleGet":
    case "FunctionCall": {
      const type = mappedType(node.type, map);
      return type === node.type ? node : ({ ...node, type } as Node); // the type keeps its kind
    }
    case "Prim": return mappedPrim(node, map);
    case "Call": return mappedCall(node, map);
    default: return node;
  }
}

function mappedPrim(node: Prim, map: MapDim): Prim {
  const type = mappedType(node.type, map);
  const attrs = mappedAttrs(node.attrs, map);
  return type === node.type && attrs === node.attrs ? node : { ...node, type, attrs };
}

function mappedAttrs(attrs: PrimAttrs, map: MapDim): PrimAttrs {
  const { type, offset } = attrs;
  if (type === undefined && offset === undefined) return attrs;
  const mapped = { ...(type && { type: mappedTensor(type, map) }), ...(offset !== undefined && { offset: isStatic(offset) ? offset : map(offset) }) };
  return mapped.type === type && mapped.offset === offset ? attrs : { ...attrs, ...mapped };
}

function mappedCall(node: Call, map: MapDim): Call {
  const type = mappedType(node.type, map);
  let attrs = node.callee.attrs;
  for (const [name, value] of Object.entries(attrs)) {
    const mapped = mappedAttr(value, map);
    if (mapped !== value) attrs = { ...attrs, [name]: mapped };
  }
  return type === node.type && attrs === node.callee.attrs ? node : { ...node, type, callee: { ...node.callee, attrs } };
}

function mappedAttr(value: AttrValue, map: MapDim): AttrValue {
  if (typeof value !== "object" || value === null || !("dims" in value)) return value;
  const dims = mappedDims(value.dims, map);
  return dims === value.dims ? value : { dims };
}
