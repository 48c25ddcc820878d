// Values that can be told without running a file: literals, constants made of them by JavaScript's own operators, and what the front door makes
// for holes. What comes from elsewhere, or may have changed since, is not told.

import type { AnyProgram } from "tilefoundry";
import type TypeScript from "typescript";
import { assignedIn } from "./assigned.ts";
import { apply, BINARY, FRONT_DOOR, FUNCTIONS, UNARY } from "./operators.ts";
import { isAssertion, type Script, type Template, type TS } from "./script.ts";

/** A value that is told; undefined where it is not. */
export interface Told {
  readonly value: unknown;
}

interface Telling {
  readonly script: Script;
  /** The program of a template, if it is known. */
  programOf(template: Template): AnyProgram | undefined;
}

interface Place extends Telling {
  readonly ts: TS;
  ofDeclaration(declaration: TypeScript.Declaration): Told | undefined;
}

/** Stands in arrays and records for what is not told. */
const UNTOLD = Symbol("untold");
/** More elements, characters or bits than this are not computed. */
const LARGE = 1 << 16;

const told = (value: unknown): Told | undefined => (value === UNTOLD ? undefined : { value });

/** Evaluates expressions of one script. */
export function evaluator({ script, programOf }: Telling): (e: TypeScript.Expression) => Told | undefined {
  const assigned = assignedIn(script);
  const known = new Map<TypeScript.Declaration, Told | undefined>();
  const at: Place = {
    script, programOf, ts: script.ts,
    ofDeclaration: (declaration) => {
      if (!known.has(declaration)) {
        known.set(declaration, undefined); // while it is looked at: what needs itself is not told
        known.set(declaration, assigned.has(declaration) ? undefined : declared(declaration, at));
      }
      return known.get(declaration);
    },
  };
  return (e) => {
    try {
      const found = evaluate(e, at);
      return found === undefined || holdsUntold(found.value) ? undefined : found;
    } catch {
      return undefined; // it throws when it is run too: a bigint beside a number, say
    }
  };
}

const holdsUntold = (value: unknown): boolean =>
  value === UNTOLD || (Array.isArray(value) && value.some(holdsUntold)) || (isRecord(value) && Object.values(value).some(holdsUntold));

const isRecord = (value: unknown): value is object => typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function evaluate(e: TypeScript.Expression, at: Place): Told | undefined {
  const { ts } = at;
  if (ts.isParenthesizedExpression(e) || isAssertion(e, ts)) return evaluate(e.expression, at);
  if (ts.isNumericLiteral(e)) return told(Number(e.text));
  if (ts.isBigIntLiteral(e)) return told(BigInt(e.text.replace(/n$/, "")));
  if (ts.isStringLiteralLike(e)) return told(e.text);
  if (e.kind === ts.SyntaxKind.TrueKeyword || e.kind === ts.SyntaxKind.FalseKeyword) return told(e.kind === ts.SyntaxKind.TrueKeyword);
  if (e.kind === ts.SyntaxKind.NullKeyword) return told(null);
  if (ts.isIdentifier(e)) return named(e, at);
  if (ts.isArrayLiteralExpression(e)) return array(e, at);
  if (ts.isObjectLiteralExpression(e)) return record(e, at);
  if (ts.isPropertyAccessExpression(e)) return member(e.expression, told(e.name.text), at);
  if (ts.isElementAccessExpression(e)) return member(e.expression, evaluate(e.argumentExpression, at), at);
  if (ts.isPrefixUnaryExpression(e)) return unary(e, at);
  if (ts.isBinaryExpression(e)) return binary(e, at);
  if (ts.isConditionalExpression(e)) {
    const condition = evaluate(e.condition, at);
    return condition && evaluate(condition.value ? e.whenTrue : e.whenFalse, at);
  }
  if (ts.isTemplateExpression(e)) return text(e, at);
  if (ts.isTaggedTemplateExpression(e)) return program(e, at);
  return ts.isCallExpression(e) ? call(e, at) : undefined;
}

// — names —

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([["undefined", undefined], ["NaN", NaN], ["Infinity", Infinity]]);
const GLOBALS: ReadonlyMap<string, object> = new Map<string, object>([["Math", Math], ["Number", Number]]);

function named(name: TypeScript.Identifier, at: Place): Told | undefined {
  const declaration = at.script.declarationOf(name);
  if (declaration !== undefined) return at.ofDeclaration(declaration);
  return WORDS.has(name.text) ? told(WORDS.get(name.text)) : undefined;
}

function declared(declaration: TypeScript.Declaration, at: Place): Told | undefined {
  const { ts } = at;
  if (ts.isVariableDeclaration(declaration)) return declaration.initializer && evaluate(declaration.initializer, at);
  if (ts.isBindingElement(declaration)) return bound(declaration, at);
  return ts.isEnumDeclaration(declaration) ? enumeration(declaration, at) : undefined;
}

/** A part of what a pattern takes apart. */
function bound(element: TypeScript.BindingElement, at: Place): Told | undefined {
  const { ts } = at;
  const { parent: pattern, propertyName, name, dotDotDotToken } = element;
  if (dotDotDotToken !== undefined || ts.isParameter(pattern.parent)) return undefined;
  const whole = ts.isVariableDeclaration(pattern.parent) ? declared(pattern.parent, at) : bound(pattern.parent, at);
  const key = ts.isArrayBindingPattern(pattern) ? told(pattern.elements.indexOf(element)) : keyOf(propertyName ?? name, at);
  const part = whole && key && memberOf(whole.value, key.value);
  return part?.value === undefined && part !== undefined && element.initializer !== undefined ? evaluate(element.initializer, at) : part;
}

function enumeration(declaration: TypeScript.EnumDeclaration, at: Place): Told | undefined {
  const members: (readonly [string, unknown])[] = [];
  let next: unknown = 0;
  for (const { name, initializer } of declaration.members) {
    const key = keyOf(name, at);
    const value = initializer === undefined ? next : (evaluate(initializer, at)?.value ?? UNTOLD);
    if (key === undefined) return undefined;
    members.push([String(key.value), value]);
    next = typeof value === "number" ? value + 1 : UNTOLD;
  }
  return told(Object.fromEntries(members));
}

// — arrays and records —

function array(e: TypeScript.ArrayLiteralExpression, at: Place): Told | undefined {
  const items: unknown[] = [];
  for (const element of e.elements) {
    const isSpread = at.ts.isSpreadElement(element);
    const item = evaluate(isSpread ? element.expression : element, at) ?? { value: UNTOLD };
    if (!isSpread) items.push(item.value);
    else if (Array.isArray(item.value)) items.push(...item.value);
    else return undefined;
    if (items.length > LARGE) return undefined;
  }
  return told(items);
}

function record(e: TypeScript.ObjectLiteralExpression, at: Place): Told | undefined {
  const { ts } = at;
  const entries: (readonly [string, unknown])[] = [];
  for (const property of e.properties) {
    if (ts.isSpreadAssignment(property)) {
      const value = evaluate(property.expression, at)?.value;
      if (!isRecord(value)) return undefined;
      entries.push(...Object.entries(value));
      continue;
    }
    const key = keyOf(property.name, at);
    if (key === undefined) return undefined;
    const value = ts.isShorthandPropertyAssignment(property) ? named(property.name, at) : ts.isPropertyAssignment(property) ? evaluate(property.initializer, at) : undefined;
    entries.push([String(key.value), value === undefined ? UNTOLD : value.value]);
  }
  return told(Object.fromEntries(entries));
}

function keyOf(name: TypeScript.PropertyName | TypeScript.BindingName, at: Place): Told | undefined {
  const { ts } = at;
  if (ts.isComputedPropertyName(name)) return evaluate(name.expression, at);
  return ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name) ? told(name.text) : undefined;
}

function member(owner: TypeScript.Expression, key: Told | undefined, at: Place): Told | undefined {
  if (key === undefined) return undefined;
  const global = globalCalled(owner, at);
  const whole = global === undefined ? evaluate(owner, at) : told(global);
  const found = whole && memberOf(whole.value, key.value);
  return global !== undefined && typeof found?.value === "function" ? undefined : found;
}

/** What an object has of its own; what it inherits is not told. */
function memberOf(owner: unknown, key: unknown): Told | undefined {
  if (owner === null || owner === undefined || !(typeof key === "string" || typeof key === "number")) return undefined;
  const object: object = Object(owner); // so that texts have their length
  if (Object.hasOwn(object, key)) return told(Reflect.get(object, key));
  return key in object ? undefined : told(undefined);
}

function globalCalled(e: TypeScript.Expression, at: Place): object | undefined {
  return at.ts.isIdentifier(e) && at.script.declarationOf(e) === undefined ? GLOBALS.get(e.text) : undefined;
}

// — operators —

function unary(e: TypeScript.PrefixUnaryExpression, at: Place): Told | undefined {
  const operator = UNARY.get(at.ts.tokenToString(e.operator) ?? "");
  const operand = evaluate(e.operand, at);
  return operator === undefined || !isPrimitive(operand) ? undefined : told(apply(operator, [operand.value]));
}

function binary({ left, operatorToken, right }: TypeScript.BinaryExpression, at: Place): Told | undefined {
  const text = at.ts.tokenToString(operatorToken.kind) ?? "";
  const a = evaluate(left, at);
  if (text === "&&" || text === "||" || text === "??") {
    const goesOn = text === "&&" ? a?.value : text === "||" ? !a?.value : a?.value === null || a?.value === undefined;
    return a && (goesOn ? evaluate(right, at) : a);
  }
  const operator = BINARY.get(text);
  const b = operator && evaluate(right, at);
  if (operator === undefined || !isPrimitive(a) || !isPrimitive(b)) return undefined;
  const grows = (text === "**" || text === "<<") && typeof b.value === "bigint" && b.value > LARGE;
  const value = grows ? UNTOLD : apply(operator, [a.value, b.value]);
  return typeof value === "string" && value.length > LARGE ? undefined : told(value);
}

const isPrimitive = (a: Told | undefined): a is Told => a !== undefined && (a.value === null || (typeof a.value !== "object" && typeof a.value !== "function"));

function text(e: TypeScript.TemplateExpression, at: Place): Told | undefined {
  let made = e.head.text;
  for (const { expression, literal } of e.templateSpans) {
    const value = evaluate(expression, at);
    if (!isPrimitive(value) || made.length > LARGE) return undefined;
    made += `${String(value.value)}${literal.text}`;
  }
  return told(made);
}

// — calls and programs —

function call(e: TypeScript.CallExpression, at: Place): Told | undefined {
  const args: unknown[] = [];
  for (const arg of e.arguments) {
    const value = evaluate(arg, at);
    if (value === undefined) return undefined;
    args.push(value.value);
  }
  const name = at.script.frontDoorName(e.expression);
  const made = name === undefined ? FUNCTIONS.get(globalName(e.expression, at) ?? "") : FRONT_DOOR.get(name);
  return made && told(apply(made, args));
}

/** `Number`, `Math.ceil`: what nothing in the file declares. */
function globalName(callee: TypeScript.Expression, at: Place): string | undefined {
  const { ts } = at;
  const owner = ts.isPropertyAccessExpression(callee) ? callee.expression : callee;
  if (!ts.isIdentifier(owner) || at.script.declarationOf(owner) !== undefined) return undefined;
  return ts.isPropertyAccessExpression(callee) ? `${owner.text}.${callee.name.text}` : owner.text;
}

function program(e: TypeScript.TaggedTemplateExpression, at: Place): Told | undefined {
  const template = at.script.templates.find((t) => t.node === e);
  const made = template && at.programOf(template);
  return made && told(made);
}
