#!/usr/bin/env node
// Runs the tf command from a checkout, in this process; installs and builds first when needed.
import { build, bundleOf, install, stale } from "./bootstrap.mjs";

if (stale("tf")) {
  install();
  await build("tf");
}
await import(bundleOf("tf"));
