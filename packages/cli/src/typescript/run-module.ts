// The process that runs a module for `tf check --exec`: it writes to file descriptor 3 what the holes of each template hold.
// A template with errors is no exception here: what it gives throws them when it is used, so that the module may come to its other templates.

import { writeSync } from "node:fs";
import { register } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import * as door from "tilefoundry";
import { AT, DOOR, type HookData } from "./hooks.ts";
import { encode, type Message, type Place, type Programs } from "./messages.ts";

const OUT = 3;
/** So many different values of the holes of one template are told. */
const EVALUATIONS = 64;

function tell(message: Message): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let at = 0; at < bytes.length; ) at += writeSync(OUT, bytes, at);
}

// — templates —

type Tag = (strings: TemplateStringsArray, ...values: readonly unknown[]) => unknown;

const ids = new Map<door.AnyProgram, number>();
const standIns = new WeakSet();
/** Errors of templates: they are reported where these stand. */
const faults = new WeakSet();
const told = new Set<string>();
const counts = new Map<string, number>();

const programs: Programs = {
  isWrong: (value) => typeof value === "function" && standIns.has(value),
  idOf: (program) => {
    const known = ids.get(program);
    if (known !== undefined) return known;
    const id = ids.size;
    ids.set(program, id);
    tell({ kind: "program", id, json: door.toJson(program) });
    return id;
  },
};

/** The tag of a template that stands at an offset of a file. */
function tagAt(file: string, at: number, tag: Tag): Tag {
  return (strings, ...values) => {
    try {
      const program = tag(strings, ...values);
      tellTemplate(file, at, values, false);
      return program;
    } catch (error) {
      if (!(error instanceof door.TileFoundryError)) throw error;
      faults.add(error);
      tellTemplate(file, at, values, true);
      return standIn(error);
    }
  };
}

function tellTemplate(file: string, at: number, values: readonly unknown[], wrong: boolean): void {
  const message: Message = { kind: "template", file, at, values: values.map((value) => encode(value, programs)), wrong };
  const text = JSON.stringify(message);
  const site = `${file}:${at}`;
  const count = counts.get(site) ?? 0;
  if (told.has(text) || count >= EVALUATIONS) return;
  told.add(text);
  counts.set(site, count + 1);
  tell(message);
}

/** What stands for a program with errors: whoever uses it gets them. */
function standIn(error: door.TileFoundryError): object {
  const refuse = (): never => {
    throw error;
  };
  const made = new Proxy(refuse, { get: (_, key) => (key === "then" ? undefined : refuse()), has: () => false });
  standIns.add(made);
  return made;
}

// — the end —

/** Files of the module, as the hooks load them. */
const loaded = new MessageChannel();
loaded.port1.unref();

function threw(error: unknown): void {
  const isError = error instanceof Error;
  const message = isError ? `${error.name}: ${error.message.split("\n")[0]}` : `it threw ${String(error)}`;
  end({ kind: "threw", message, ours: isError && faults.has(error), place: isError ? placeOf(error.stack ?? "") : undefined });
}

/** The first frame in a file of the module. */
function placeOf(stack: string): Place | undefined {
  const files = new Set<unknown>();
  for (let next = receiveMessageOnPort(loaded.port1); next !== undefined; next = receiveMessageOnPort(loaded.port1)) files.add(next.message);
  for (const [, at = "", line, column] of stack.matchAll(/(file:\/\/[^()]+?|\/[^()]+?|[A-Z]:[^()]+?):(\d+):(\d+)\)?$/gm)) {
    const file = at.startsWith("file:") ? fileURLToPath(at) : at;
    if (files.has(file)) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}

let ended = false;

function end(message: Message): never {
  ended = true;
  tell(message);
  process.exit(0);
}

async function main([file = "", typescript = ""]: readonly string[]): Promise<void> {
  Object.assign(globalThis, { [Symbol.for(DOOR)]: door, [Symbol.for(AT)]: tagAt });
  const data: HookData = { file, typescript, names: Object.keys(door), loaded: loaded.port2 };
  register<HookData>(new URL("./hooks.cjs", import.meta.url), { data, transferList: [loaded.port2] });
  process.on("uncaughtException", threw);
  process.on("beforeExit", () => end({ kind: "waits" }));
  process.on("exit", (status) => {
    if (!ended) tell({ kind: "exit", status });
  });
  await import(pathToFileURL(file).href);
  end({ kind: "end" });
}

main(process.argv.slice(2)).catch(threw);
