// Reads a device document: TOML of one schema for all targets.

import { invariant } from "@tilefoundry/text";
import type { Device } from "@tilefoundry/ir";
import { parse } from "smol-toml";

/** The documents are part of the compiler, so a wrong one is a bug of ours. */
export function readDevice(text: string): Device {
  const root = table(parse(text), "the document");
  const vector = table(root["vector"], "[vector]");
  const matmul = table(root["matmul"], "[matmul]");
  const memory = table(root["memory"], "[memory]");
  const arithmetic = table(root["arithmetic"], "[arithmetic]");
  return {
    name: string(root, "name"),
    target: string(root, "target"),
    vectorBits: integer(vector, "bits"),
    vectorRegisters: integer(vector, "registers"),
    matmulBlock: { rows: integer(matmul, "rows"), vectors: integer(matmul, "vectors") },
    l1Bytes: integer(memory, "l1_bytes"),
    l2Bytes: integer(memory, "l2_bytes"),
    arenaBytes: integer(memory, "arena_bytes"),
    cores: integer(root, "cores"),
    fusesMad: boolean(arithmetic, "fuses_mad"),
  };
}

type Table = Readonly<Record<string, unknown>>;

function table(value: unknown, name: string): Table {
  invariant(typeof value === "object" && value !== null, () => `${name} of a device document is missing`);
  return value as Table; // a TOML table is a plain object
}

function string(from: Table, key: string): string {
  const value = from[key];
  invariant(typeof value === "string", () => `${key} of a device document is not a string`);
  return value;
}

function integer(from: Table, key: string): number {
  const value = from[key];
  invariant(typeof value === "number" && Number.isInteger(value) && value > 0, () => `${key} of a device document is not a positive integer`);
  return value;
}

function boolean(from: Table, key: string): boolean {
  const value = from[key];
  invariant(typeof value === "boolean", () => `${key} of a device document is not true or false`);
  return value;
}
