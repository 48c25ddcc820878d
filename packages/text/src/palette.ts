// Colours come in from outside: a palette says how each role of a rendered diagnostic is painted.

import type { Severity } from "./codes.ts";

export type Paint = (text: string) => string;

/** Roles: the severities paint the heading's first word and the carets under the place itself. */
export interface Palette extends Readonly<Record<Severity, Paint>> {
  /** The message in the heading. */
  readonly title: Paint;
  /** Line numbers, bars and arrows. */
  readonly frame: Paint;
  /** Places that have to do with the fault, and their messages. */
  readonly related: Paint;
  readonly help: Paint;
  /** What a fix writes. */
  readonly inserted: Paint;
}

const plain: Paint = (text) => text;

export const PLAIN: Palette = { error: plain, warning: plain, note: plain, title: plain, frame: plain, related: plain, help: plain, inserted: plain };
