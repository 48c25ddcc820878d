// Values of scalars, vectors and arrays, and what primitives and catalog ops compute on them. For the interpreter and for folding;
// targets do not import this.
export {
  allocate, arrayOf, canonical, constOfScalar, elementsOf, getter, isArrayValue, putter, scalarOfConst, sizeOf, zeros,
  type ArrayValue, type ElementData, type Scalar, type Value, type Vector,
} from "./values.ts";
export {
  combineFunction, hasScalarFunction, identityOf, LIMITS, reduceLanes, scalarFunction, type ScalarFunction, type ScalarPrim,
} from "./scalars.ts";
