// A TypeScript file as its own parser reads it, and the templates in it. A template is one of the `tf` that comes from "tilefoundry", under
// whatever name: scopes are resolved by TypeScript's binder, without types and without any other file.

import { templateIn, type TemplateText } from "@tilefoundry/grammar";
import { diagnostic, span, type Diagnostic, type Source } from "@tilefoundry/text";
import { basename } from "node:path";
import type TypeScript from "typescript";

export type TS = typeof TypeScript;

export interface Template {
  readonly node: TypeScript.TaggedTemplateExpression;
  /** As the language reads it. */
  readonly text: TemplateText;
  /** Where in the file its raw strings stand. */
  readonly strings: readonly { readonly start: number; readonly end: number }[];
  /** What stands in its holes. */
  readonly holes: readonly TypeScript.Expression[];
  /** Of the variable or property that it is the value of, or is assigned to. */
  readonly name: string | undefined;
}

export interface Script {
  readonly ts: TS;
  readonly source: Source;
  readonly file: TypeScript.SourceFile;
  /** In the order of the text; those that end before the first syntax error. */
  readonly templates: readonly Template[];
  /** Syntax errors of the TypeScript. */
  readonly diagnostics: readonly Diagnostic[];
  /** The only declaration of what a name means where it stands. */
  declarationOf(name: TypeScript.Identifier): TypeScript.Declaration | undefined;
  /** The name under which "tilefoundry" exports what an expression names. */
  frontDoorName(e: TypeScript.Expression): string | undefined;
}

export function readScript(ts: TS, source: Source): Script {
  const { file, checker, wrong } = parsed(ts, source);
  const declarationOf = (name: TypeScript.Identifier): TypeScript.Declaration | undefined => {
    const symbol = ts.isShorthandPropertyAssignment(name.parent) ? checker.getShorthandAssignmentValueSymbol(name.parent) : checker.getSymbolAtLocation(name);
    const [only, second] = symbol?.declarations ?? [];
    return second === undefined ? only : undefined;
  };
  const frontDoorName = (e: TypeScript.Expression): string | undefined => exportNamed(e, declarationOf, ts);
  const end = Math.min(...wrong.map((d) => d.start ?? 0));
  const templates = templatesIn(file, ts).filter((node) => node.end <= end && frontDoorName(node.tag) === "tf").map((node) => template(node, source, ts));
  const diagnostics = wrong.map((d) => {
    const start = d.start ?? 0;
    return diagnostic("TF1019", span(source, start, start + (d.length ?? 0)), { message: ts.flattenDiagnosticMessageText(d.messageText, "; ") });
  });
  return { ts, source, file, templates, diagnostics, declarationOf, frontDoorName };
}

/** The file as a program of its own: the binder needs no library, and imports are not followed. */
function parsed(ts: TS, { name, text }: Source) {
  const path = `/${basename(name)}`;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const host: TypeScript.CompilerHost = {
    fileExists: (f) => f === path,
    readFile: () => undefined,
    getSourceFile: (f) => (f === path ? file : undefined),
    getDefaultLibFileName: () => "lib.d.ts",
    writeFile: () => undefined,
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (f) => f,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
  };
  const options = { noLib: true, noResolve: true, allowJs: true, target: ts.ScriptTarget.Latest, jsx: ts.JsxEmit.Preserve };
  const program = ts.createProgram({ rootNames: [path], options, host });
  return { file, checker: program.getTypeChecker(), wrong: program.getSyntacticDiagnostics(file) };
}

// — templates —

/** A node and all below it, in no order. Not by recursion: a sum of thousands of terms is as deep. */
export function* nodesIn(root: TypeScript.Node, ts: TS): Iterable<TypeScript.Node> {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    ts.forEachChild(node, (child) => void open.push(child));
  }
}

function templatesIn(file: TypeScript.SourceFile, ts: TS): readonly TypeScript.TaggedTemplateExpression[] {
  const found: TypeScript.TaggedTemplateExpression[] = [];
  for (const node of nodesIn(file, ts)) if (ts.isTaggedTemplateExpression(node)) found.push(node);
  return found.sort((a, b) => a.template.pos - b.template.pos);
}

function template(node: TypeScript.TaggedTemplateExpression, source: Source, ts: TS): Template {
  const { template: literal } = node;
  const spans = ts.isTemplateExpression(literal) ? literal.templateSpans : [];
  const parts = [ts.isTemplateExpression(literal) ? literal.head : literal, ...spans.map((s) => s.literal)];
  // between a backtick or `}` and a backtick or `${`
  const strings = parts.map((part, i) => ({ start: part.getStart() + 1, end: part.end - (i === parts.length - 1 ? 1 : 2) }));
  return { node, text: templateIn(source, strings), strings, holes: spans.map((s) => s.expression), name: nameOf(node, ts) };
}

function nameOf(node: TypeScript.TaggedTemplateExpression, ts: TS): string | undefined {
  let value: TypeScript.Node = node;
  while (ts.isParenthesizedExpression(value.parent) || isAssertion(value.parent, ts)) value = value.parent;
  const { parent } = value;
  const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent);
  const name = isNamed ? parent.name : ts.isBinaryExpression(parent) ? parent.left : undefined;
  const last = name !== undefined && ts.isPropertyAccessExpression(name) ? name.name : name;
  return last !== undefined && ts.isIdentifier(last) ? last.text : undefined;
}

// — names —

/** What only says something of the type of its expression. */
export const isAssertion = (node: TypeScript.Node, ts: TS): node is TypeScript.AsExpression | TypeScript.SatisfiesExpression | TypeScript.NonNullExpression | TypeScript.TypeAssertion =>
  ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node) || ts.isTypeAssertionExpression(node);

/** The package whose `tf` makes programs. */
export const FRONT_DOOR = "tilefoundry";

function exportNamed(e: TypeScript.Expression, declarationOf: Script["declarationOf"], ts: TS, depth = 0): string | undefined {
  if (depth > 8) return undefined;
  if (ts.isParenthesizedExpression(e) || isAssertion(e, ts) || ts.isExpressionWithTypeArguments(e)) return exportNamed(e.expression, declarationOf, ts, depth + 1);
  if (ts.isPropertyAccessExpression(e)) return ts.isIdentifier(e.expression) && isFrontDoor(declarationOf(e.expression), ts) ? e.name.text : undefined;
  const declaration = ts.isIdentifier(e) ? declarationOf(e) : undefined;
  if (declaration === undefined) return undefined;
  if (ts.isImportSpecifier(declaration)) return isFrontDoor(declaration.parent.parent, ts) ? (declaration.propertyName ?? declaration.name).text : undefined;
  if (ts.isBindingElement(declaration)) {
    const name = declaration.propertyName ?? declaration.name;
    return isFrontDoor(declaration.parent.parent, ts) && ts.isIdentifier(name) ? name.text : undefined;
  }
  if (!ts.isVariableDeclaration(declaration) || !isConst(declaration, ts) || declaration.initializer === undefined) return undefined;
  return exportNamed(declaration.initializer, declarationOf, ts, depth + 1);
}

export const isConst = (declaration: TypeScript.VariableDeclaration, ts: TS): boolean => (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;

/** Whether a declaration stands for the whole package: `import * as t`, `const t = await import(…)`, `const t = require(…)`. */
function isFrontDoor(declaration: TypeScript.Node | undefined, ts: TS): boolean {
  if (declaration === undefined) return false;
  if (ts.isNamespaceImport(declaration)) return isFrontDoor(declaration.parent, ts);
  if (ts.isImportClause(declaration)) return isPackageName(declaration.parent.moduleSpecifier, ts);
  if (!ts.isVariableDeclaration(declaration)) return false;
  const value = declaration.initializer;
  const call = value !== undefined && ts.isAwaitExpression(value) ? value.expression : value;
  if (call === undefined || !ts.isCallExpression(call)) return false;
  const loads = call.expression.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(call.expression) && call.expression.text === "require");
  return loads && call.arguments[0] !== undefined && isPackageName(call.arguments[0], ts);
}

const isPackageName = (e: TypeScript.Expression, ts: TS): boolean => ts.isStringLiteral(e) && e.text === FRONT_DOOR;
