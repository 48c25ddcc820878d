// What ops mean: records, the context that finds them, the binder. Their values are in `@tilefoundry/ops/evaluate`.
export {
  defineOp,
  type Args,
  type ArrayLiteral,
  type AttrKind,
  type AttrSpec,
  type Bind,
  type ContractForm,
  type Contraction,
  type DeclaredOp,
  type ElementForm,
  type Elements,
  type Example,
  type InferContext,
  type InputKind,
  type InputSpec,
  type LowerContext,
  type Lowering,
  type OpRecord,
  type Params,
  type Part,
  type PartsForm,
  type ParamSpec,
  type Reader,
  type ReduceForm,
  type ScalarLiteral,
  type StatementForm,
} from "./define.ts";
export { BUILTINS, type OpName } from "./builtins.ts";
export { handlesOf, returnedParams, type CalleeOf, type CallContext, type Handles } from "./handles.ts";
export { parametersOf, type Parameter, type Parameters } from "./parameters.ts";
export { builtinOps, extendOps, spellingOf, takenName, type Ops } from "./ops.ts";
export {
  argsOf,
  bindCall,
  elementsOf,
  inferCall,
  inputsOf,
  isRequired,
  makeCall,
  writtenInput,
  type Bound,
  type OutsideFault,
  type CallSite,
  type Given,
  type InputArg,
  type MakeSite,
  type Passed,
} from "./bind.ts";
export { verifyCalls } from "./verify-calls.ts";
export { attrArg, attrExpects, attrValue, defaultOf, isAttr, isNone, sameAttr, type Static } from "./attributes.ts";
export { showDType, showDTypes, showType, writeDType } from "./describe.ts";
