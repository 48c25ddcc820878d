export { defineOp } from "./define.ts";
