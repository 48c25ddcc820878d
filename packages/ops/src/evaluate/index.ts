// Values of scalars, vectors and arrays, and what primitives and catalog ops compute on them. For the interpreter and for folding;
// targets do not import this.
export {
  allocate, arrayOf, isWideData, canonical, constOfScalar, elementsOf, getter, isArrayValue, putter, scalarOfConst, sizeOf, zeros,
  type ArrayValue, type ElementData, type Result, type Scalar, type Value, type Vector,
} from "./values.ts";
export {
  combineFunction, hasScalarFunction, identityOf, LIMITS, reduceLanes, scalarFunction, type ScalarFunction, type ScalarPrim,
} from "./scalars.ts";
export { evalArgs, evalContext, type EvalArgs, type EvalContext, type Evaluate, type EvaluateTable, type Operand, type OutsideAccess } from "./arguments.ts";
export { EVALUATE, evaluatorOf, type Evaluator } from "./catalog.ts";
export { evaluateByForm } from "./by-form.ts";
export { erf } from "./erf.ts";
