// Signatures: parameters with their types and wrappers, and the symbolic extents that their shapes bring in.

import type { FunctionDef, SParam } from "@tilefoundry/grammar";
import {
  dimsEqual, dimVar, isStatic, substituteDim, symbolFacts, toExpr, UNKNOWN, variable,
  type Dialect, type Dim, type Facts, type Type, type Var, type VarLike,
} from "@tilefoundry/ir";
import { showType } from "@tilefoundry/ops";
import { editDistance, type Span } from "@tilefoundry/text";
import { readAnnotation, type Annotation, type AnnotationPlace } from "./annotation.ts";
import { fix, place, refuse, twice } from "./complaints.ts";
import type { ExprContext, Given, ModuleContext } from "./context.ts";
import { DEFAULT_RANGE } from "./extents.ts";
import { needHost } from "./host.ts";
import { unknownName } from "./lookup.ts";
import { modulePlace } from "./module-state.ts";
import type { Symbols } from "./place.ts";
import { extentOf, symbolNamed } from "./scope.ts";
import { exprValue, knownValue, poison } from "./value.ts";

export interface SignatureParts {
  readonly params: readonly AuthoredParam[];
  readonly symbols: Symbols;
  /** Annotated types of the results; undefined without an annotation or after a complaint. */
  readonly returns: readonly Type[] | undefined;
  readonly facts: Facts;
}

export interface AuthoredParam {
  readonly var: Var;
  readonly wrapper: "out" | "inout" | undefined;
  readonly syntax: SParam;
}

/** The signature of a function made from a template: its parameters have the types of the arguments, on symbols of their own. */
export function givenSignature(def: FunctionDef, given: ReadonlyMap<string, Given>): SignatureParts {
  const symbols: Symbols = { all: [], byName: new Map() };
  const own = (v: VarLike): Dim => dimVar(symbolNamed(symbols, v.hint, DEFAULT_RANGE, v.meta.span ?? def.nameSpan).var);
  const params = def.params.flatMap((syntax): readonly AuthoredParam[] => {
    const one = given.get(syntax.name);
    if (one === undefined || !("type" in one)) return [];
    const { type } = one;
    const shaped: Type = type.kind === "Tensor" ? { ...type, shape: type.shape.map((d) => (isStatic(d) ? d : substituteDim(d, own))) } : type;
    return [{ var: variable(syntax.name, shaped, { span: syntax.span }), wrapper: undefined, syntax }];
  });
  return { params, symbols, returns: undefined, facts: symbolFacts(symbols.all) };
}

export function readSignature(def: FunctionDef, dialect: Dialect, module: ModuleContext): SignatureParts {
  const symbols: Symbols = { all: [], byName: new Map() };
  const at = annotationPlace(symbols, dialect, module, "new symbols");
  const [typeParam] = def.typeParams ?? [];
  if (typeParam !== undefined) refuse("a type parameter", "write the types out: extents may be symbols", typeParam.span, module);
  const params: AuthoredParam[] = [];
  for (const syntax of def.params) {
    const param = readParam(syntax, dialect, at);
    if (param === undefined) continue;
    const twin = params.find((p) => p.var.hint === param.var.hint);
    if (twin === undefined) params.push(param);
    else twice(syntax.name, syntax.nameSpan, twin.syntax.nameSpan, module);
  }
  checkSymbols(symbols, params, module);
  const returns = def.returns === undefined ? undefined : readReturns(def, annotationPlace(symbols, dialect, module, "known symbols"));
  return { params, symbols, returns, facts: symbolFacts(symbols.all) };
}

// — parameters —

function readParam(syntax: SParam, dialect: Dialect, at: AnnotationPlace): AuthoredParam | undefined {
  const { reporter } = at.plain;
  if (syntax.star !== "" || syntax.name === "/") {
    const what = `\`${syntax.name === "/" ? "/" : syntax.star}\` in a signature`;
    return refuse(what, "write the parameters out, each with its type", syntax.span, at.plain);
  }
  if (syntax.default !== undefined) {
    refuse("a default value", "pass the value, or make it a constant of the module", syntax.default.span, at.plain);
  }
  if (syntax.annotation === undefined) {
    const example = dialect === "pl" ? "pl.Tensor[[M, 64], pl.FP32]" : "Tensor[(M, 64), \"f32\"]";
    reporter.report("TF3101", syntax.nameSpan, { name: syntax.name, example });
    return broken(syntax);
  }
  const annotation = readAnnotation(syntax.annotation, at);
  return annotation === undefined || !admits(annotation, syntax, dialect, at) ? broken(syntax)
    : { var: variable(syntax.name, annotation.type, { span: syntax.span }, annotation.isConst), wrapper: annotation.direction, syntax };
}

const broken = (syntax: SParam): AuthoredParam => ({ var: variable(syntax.name, UNKNOWN, { span: syntax.span }), wrapper: undefined, syntax });

function admits({ type, direction, isConst }: Annotation, { name, annotation }: SParam, dialect: Dialect, at: AnnotationPlace): boolean {
  const isTensor = type.kind === "Tensor" && (type.domain === "tensor" || dialect === "pl"); // tiles pass between kernels, and regions become kernels
  const complain = (found: string, instead: string): false => {
    at.plain.reporter.report("TF3110", annotation?.span, { what: `\`${name}\``, found, instead });
    return false;
  };
  if (!isTensor && type.kind !== "Scalar") return complain(showType(type, dialect), "a parameter is a tensor or a scalar");
  if (direction === undefined) return true;
  if (type.kind === "Scalar") return complain("a scalar that is written", "return the value, or take a tensor of one element");
  return isConst ? complain("a constant tensor that is written", "drop the wrapper, or write `Tensor`") : true;
}

// — names in shapes —

/**
 * Names in shapes are symbols and constants of the module. In a signature a name that nothing defines is a new symbol.
 */
export function annotationPlace(symbols: Symbols, dialect: Dialect, module: ModuleContext, which: "new symbols" | "known symbols"): AnnotationPlace {
  const plain: ExprContext = { ...modulePlace(module), dialect };
  const shapes: ExprContext = {
    ...plain,
    lookup: (name, span) => {
      const constant = module.constants.get(name);
      if (constant?.value?.kind === "extent") return shapes.lookupExtent(constant.value.dim, span);
      if (constant?.kind === "host") needHost(name, constant, span, module);
      if (constant?.kind === "poison" || constant?.kind === "host") return poison(span);
      if (constant?.value !== undefined) return knownValue(constant.value, span);
      const known = symbols.byName.get(name);
      if (known !== undefined) return exprValue(known.var, span);
      if (which === "known symbols") return unknownName(name, () => [...symbols.byName.keys(), ...module.constants.keys()], span, module);
      noteSlip(name, symbols, span, module);
      return exprValue(symbolNamed(symbols, name, DEFAULT_RANGE, span).var, span);
    },
    lookupExtent: (dim, span) => exprValue(toExpr(substituteDim(dim, (v): Dim => dimVar(declaredSymbol(v, symbols, module, span)))), span),
  };
  return { shapes, plain };
}

function declaredSymbol(v: Parameters<typeof extentOf>[0], symbols: Symbols, module: ModuleContext, span: Span): Var {
  const extent = extentOf(v, module);
  const symbol = symbolNamed(symbols, extent.name, extent, span);
  if (symbol.lo !== extent.lo || symbol.hi !== extent.hi) {
    module.reporter.report("TF2016", span, { name: extent.name, lo: symbol.lo, hi: symbol.hi, otherLo: extent.lo, otherHi: extent.hi });
  }
  return symbol.var;
}

/** Short names are all one slip from each other: they are meant. */
const SHORT = 2;

function noteSlip(name: string, symbols: Symbols, span: Span, module: ModuleContext): void {
  if (name.length <= SHORT) return;
  const near = slipOf(name, symbols.byName.keys()) ?? slipOf(name, module.constants.values());
  if (near !== undefined) module.reporter.report("TF2012", span, { name, near }, { fixes: [fix(`write \`${near}\``, span, near)] });
}

function slipOf(name: string, defined: Iterable<string>): string | undefined {
  for (const other of defined) {
    if (other.length > SHORT && Math.abs(other.length - name.length) <= 1 && editDistance(name, other) === 1) return other;
  }
  return undefined;
}

// — checks —

function checkSymbols(symbols: Symbols, params: readonly AuthoredParam[], module: ModuleContext): void {
  for (const { var: v } of symbols.all) {
    const twin = params.find((p) => p.var.hint === v.hint);
    if (twin !== undefined) {
      const help = "the extent is read from the shape: drop the parameter, or rename one of the two";
      module.reporter.report("TF2003", twin.syntax.nameSpan, { name: v.hint }, { help, related: place("here it is an extent", v.meta.span) });
    } else if (!params.some((p) => p.var.type.kind === "Unknown" || hasAxis(p.var.type, v))) {
      module.reporter.report("TF2014", v.meta.span, { name: v.hint });
    }
  }
}

function hasAxis(type: Type, symbol: Var): boolean {
  const wanted = dimVar(symbol);
  return type.kind === "Tensor" && type.shape.some((d) => dimsEqual(d, wanted));
}

// — results —

/** `-> T`, `-> tuple[T, U]`, `-> None`. */
function readReturns(def: FunctionDef, at: AnnotationPlace): readonly Type[] | undefined {
  const { returns } = def;
  if (returns === undefined) return undefined;
  if (returns.kind === "Keyword" && returns.word === "None") return [];
  if (returns.kind === "TupleDisplay") {
    const types = returns.items.map((item) => readAnnotation(item, at)?.type);
    return types.every((t): t is Type => t !== undefined) ? types : undefined;
  }
  const type = readAnnotation(returns, at)?.type;
  return type?.kind === "TupleType" ? type.fields : type && [type];
}
