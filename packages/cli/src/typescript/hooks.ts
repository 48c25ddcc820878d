// How the files of a module that `tf check --exec` runs are loaded: "tilefoundry" is the front door that is running, TypeScript becomes
// JavaScript, and each template tells the place where it stands. Node runs these hooks in a thread of their own.

import { existsSync, readFileSync } from "node:fs";
import type { LoadHook, ResolveHook } from "node:module";
import { fileURLToPath } from "node:url";
import type { MessagePort } from "node:worker_threads";
import { makeSource } from "@tilefoundry/text";
import type TypeScript from "typescript";
import { isScript, typescriptAt } from "./package.ts";
import { FRONT_DOOR, readScript, type TS } from "./script.ts";

export interface HookData {
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
let door = "";
let loaded: MessagePort;

export function initialize({ typescript, names, loaded: port }: HookData): void {
  loaded = port;
  ts = typescriptAt(typescript);
  door = `data:text/javascript,${encodeURIComponent(`export const { ${names.join(", ")} } = globalThis[Symbol.for("${DOOR}")];`)}`;
}

export const resolve: ResolveHook = async (specifier, context, next) => {
  if (specifier === FRONT_DOOR) return { url: door, shortCircuit: true };
  const written = /^\.{0,2}\//.test(specifier) && context.parentURL?.startsWith("file:") === true ? sourceOf(new URL(specifier, context.parentURL)) : undefined;
  return next(written ?? specifier, context);
};

/** What TypeScript finds under a path: `./a` and `./a.js` may be `./a.ts`. */
function sourceOf(url: URL): string | undefined {
  if (existsSync(url)) return undefined;
  const { href } = url;
  const candidates = [href.replace(/\.js$/, ".ts"), href.replace(/\.js$/, ".tsx"), href.replace(/\.mjs$/, ".mts"), `${href}.ts`, `${href}.tsx`, `${href}.js`, `${href}/index.ts`];
  return candidates.find((c) => c !== href && existsSync(new URL(c)));
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
    compilerOptions: {
      module: isCommon ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      jsx: ts.JsxEmit.ReactJSX,
      inlineSourceMap: true,
      esModuleInterop: true,
    },
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
