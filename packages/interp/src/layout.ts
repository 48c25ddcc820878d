// Registers for the values of one function: numbers for scalars and vectors, array registers for handles, a list for a tuple.

import type { DType, ScalarType, Type, VecType } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import type { Scalar } from "@tilefoundry/ops/evaluate";

export type Place = number | readonly Place[];

export interface Preset {
  readonly register: number;
  readonly dtype: DType;
  readonly value: Scalar;
}

export interface Layout {
  /** A place of its own for a value of the type. */
  place(type: Type): Place;
  /** The registers of a literal, set before the code runs. */
  literal(value: Scalar, type: ScalarType | VecType): number;
  readonly sizes: () => { readonly numbers: number; readonly arrays: number };
  readonly presets: readonly Preset[];
}

export const lanesOf = (type: Type): number => (type.kind === "Vec" ? type.lanes : 1);

export function makeLayout(): Layout {
  let numbers = 0;
  let arrays = 0;
  const presets: Preset[] = [];
  const literals = new Map<string, number>();
  const place = (type: Type): Place => {
    switch (type.kind) {
      case "Scalar": return numbers++;
      case "Vec": return (numbers += type.lanes) - type.lanes;
      case "Tensor": return arrays++;
      case "TupleType": return type.fields.map(place);
      case "Unit":
      case "Unknown": return [];
    }
  };
  return {
    place,
    presets,
    literal(value, type) {
      const key = `${type.dtype} ${lanesOf(type)} ${typeof value} ${Object.is(value, -0) ? "-0" : String(value)}`;
      const known = literals.get(key);
      if (known !== undefined) return known;
      const register = oneRegister(place(type));
      for (let lane = 0; lane < lanesOf(type); lane++) presets.push({ register: register + lane, dtype: type.dtype, value });
      literals.set(key, register);
      return register;
    },
    sizes: () => ({ numbers, arrays }),
  };
}

/** The register of a value that is no tuple. */
export function oneRegister(place: Place): number {
  invariant(typeof place === "number", () => "a tuple where one value is expected");
  return place;
}
