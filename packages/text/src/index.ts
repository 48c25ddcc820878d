// Source text, spans, diagnostic codes and their rendering. Depends on nothing.
export { CODES, type Code, type CodeParams, type Severity } from "./codes.ts";
export {
  diagnostic,
  hasErrors,
  inTextOrder,
  Reporter,
  type Diagnostic,
  type DiagnosticExtras,
  type Edit,
  type Fix,
  type Outcome,
  type Related,
} from "./diagnostic.ts";
export { JSON_DEPTH_LIMIT, parseJson, type Json, type JsonArray, type JsonLiteral, type JsonNumber, type JsonObject, type JsonString } from "./json.ts";
export { invariant, unreachable } from "./invariant.ts";
export { codePoints, cover, inFile, lineIndex, lineText, makeSource, position, span, type Position, type Source, type SourceOptions, type Span } from "./source.ts";
export { editDistance, nearest } from "./nearest.ts";
export { PLAIN, type Paint, type Palette } from "./palette.ts";
export { renderDiagnostic, renderDiagnostics, summary } from "./render.ts";
