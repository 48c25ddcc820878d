// How the files of a module that `tf check --exec` runs are loaded: "tilefoundry" is the front door that is running, TypeScript becomes
// JavaScript, and each template tells the place where it stands. Node runs these hooks in a thread of their own.

import { readFileSync } from "node:fs";
import type { LoadHook, ResolveHook } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { MessagePort } from "node:worker_threads";
import { makeSource } from "@tilefoundry/text";
import type TypeScript from "typescript";
import { isScript, typescriptAt } from "./package.ts";
import { FRONT_DOOR, readScript, type TS } from "./script.ts";

export interface HookData {
  /** The module that is run. */
  readonly file: string;
  /** Where the package typescript lies. */
  readonly typescript: string;
  /** What the front door exports. */
  readonly names: readonly string[];
  /** Is told the path of each file that is loaded. */
  readonly loaded: MessagePort;
}

/** Globals of the thread that runs the module: the front door, and what tells where a template stands. */
export const DOOR = "tilefoundry.frontDoor";
export const AT = "tilefoundry.at";

let ts: TS;
let options: TypeScript.CompilerOptions = {};
let door = "";
let loaded: MessagePort;

export function initialize({ file, typescript, names, loaded: port }: HookData): void {
  loaded = port;
  ts = typescriptAt(typescript);
  options = optionsFor(file);
  door = `data:text/javascript,${encodeURIComponent(`export const { ${names.join(", ")} } = globalThis[Symbol.for("${DOOR}")];`)}`;
}

/** Options that change what a module means when it runs, or what it imports. */
const SHARED = [
  "paths", "baseUrl", "pathsBasePath", "rootDirs", "customConditions", "experimentalDecorators", "emitDecoratorMetadata", "useDefineForClassFields",
  "jsxImportSource", "jsxFactory", "jsxFragmentFactory",
] as const;

/** How the project of a file is compiled, as far as what runs depends on it. */
function optionsFor(file: string): TypeScript.CompilerOptions {
  const config = ts.findConfigFile(dirname(file), ts.sys.fileExists);
  const json: unknown = config === undefined ? {} : ts.readConfigFile(config, ts.sys.readFile).config;
  const host = { ...ts.sys, readDirectory: () => [] }; // its files are of no matter
  const { options: own } = ts.parseJsonConfigFileContent(json, host, dirname(config ?? file), undefined, config);
  return {
    ...Object.fromEntries(SHARED.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]]))),
    jsx: own.jsx === undefined || own.jsx === ts.JsxEmit.Preserve ? ts.JsxEmit.ReactJSX : own.jsx,
    target: ts.ScriptTarget.ES2022,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowJs: true,
    allowImportingTsExtensions: true,
    esModuleInterop: true,
    inlineSourceMap: true,
  };
}

export const resolve: ResolveHook = async (specifier, context, next) => {
  if (specifier === FRONT_DOOR) return { url: door, shortCircuit: true };
  const from = context.parentURL?.startsWith("file:") === true ? fileURLToPath(context.parentURL) : undefined;
  const source = from === undefined || from.includes("/node_modules/") ? undefined : sourceOf(specifier, from);
  return next(source ?? specifier, context);
};

/** The source that TypeScript finds for an import: `./a` and `./a.js` may be `./a.ts`, `@/a` what the project says. */
function sourceOf(specifier: string, from: string): string | undefined {
  const found = ts.resolveModuleName(specifier, from, { ...options, module: ts.ModuleKind.ESNext }, ts.sys).resolvedModule;
  if (found === undefined || found.isExternalLibraryImport === true || !isScript(found.resolvedFileName) || /\.d\.[cm]?ts$/.test(found.resolvedFileName)) return undefined;
  return pathToFileURL(found.resolvedFileName).href;
}

export const load: LoadHook = async (url, context, next) => {
  const path = url.startsWith("file:") ? fileURLToPath(url) : "";
  if (!isScript(path) || path.includes("/node_modules/")) return next(url, context);
  loaded.postMessage(path);
  const text = readFileSync(path, "utf8");
  const mayHold = text.includes(FRONT_DOOR);
  if (!mayHold && /\.[cm]?js$/.test(path)) return next(url, context);
  const templates = mayHold ? readScript(ts, makeSource(path, text)).templates : [];
  const places = new Map(templates.map(({ node }) => [node.template.pos, node.getStart()]));
  const isCommon = /\.c[tj]s$/.test(path);
  const { outputText } = ts.transpileModule(text, {
    fileName: path,
    compilerOptions: { ...options, module: isCommon ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext },
    transformers: { before: [placed(path, places)], after: isCommon ? [withFrontDoor] : [] },
  });
  return { format: isCommon ? "commonjs" : "module", source: outputText, shortCircuit: true };
};

const globalCalled = (name: string, factory: TypeScript.NodeFactory): TypeScript.Expression =>
  factory.createElementAccessExpression(
    factory.createIdentifier("globalThis"),
    factory.createCallExpression(factory.createPropertyAccessExpression(factory.createIdentifier("Symbol"), "for"), undefined, [factory.createStringLiteral(name)]),
  );

/** `tf` of a template becomes `at(file, offset, tf)`. */
function placed(path: string, places: ReadonlyMap<number, number>): TypeScript.TransformerFactory<TypeScript.SourceFile> {
  return ({ factory }) => (file) => {
    const visit = (node: TypeScript.Node): TypeScript.Node => {
      const offset = ts.isTaggedTemplateExpression(node) ? places.get(node.template.pos) : undefined;
      if (!ts.isTaggedTemplateExpression(node) || offset === undefined) return ts.visitEachChild(node, visit, undefined);
      const tag = factory.createCallExpression(globalCalled(AT, factory), undefined, [factory.createStringLiteral(path), factory.createNumericLiteral(offset), node.tag]);
      return factory.updateTaggedTemplateExpression(node, ts.setTextRange(tag, node.tag), node.typeArguments, ts.visitNode(node.template, visit, ts.isTemplateLiteral));
    };
    return ts.visitNode(file, visit, ts.isSourceFile);
  };
}

/** In CommonJS, which asks no hook: `require("tilefoundry")` becomes the front door. */
const withFrontDoor: TypeScript.TransformerFactory<TypeScript.SourceFile> = ({ factory }) => (file) => {
  const visit = (node: TypeScript.Node): TypeScript.Node => {
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== "require") return ts.visitEachChild(node, visit, undefined);
    const [name] = node.arguments;
    return name !== undefined && ts.isStringLiteral(name) && name.text === FRONT_DOOR ? globalCalled(DOOR, factory) : node;
  };
  return ts.visitNode(file, visit, ts.isSourceFile);
};
