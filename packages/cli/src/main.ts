// The tf command: arguments in, an exit status out. Commands are loaded when they are called, so that a check starts fast.

import { Command, CommanderError, Option } from "commander";
import metadata from "../package.json" with { type: "json" };
import { EXIT, type Exit } from "./exit.ts";
import type { ReadingFlags } from "./reading.ts";

let status: Exit = EXIT.fine;

/** An option that may be given several times; its default is shown as none. */
const several = (flags: string, description: string): Option =>
  new Option(flags, `${description}; may be repeated`).argParser((value, before: readonly string[]) => [...before, value]).default([], "none");

/** Options of commands that read programs. */
const reading = (command: Command): Command => command
  .addOption(several("--bind <name=value>", "a Python literal for a name that host code would make"))
  .option("--bindings <file.json>", "the same for each member of a JSON object")
  .addOption(several("--path <dir>", "a folder where imports are looked for"));

function program(): Command {
  const tf = new Command("tf");
  tf.version(metadata.version, "-V, --version", "the version");
  tf.description("TileFoundry: check, print, format, build and run tile kernels").exitOverride().showHelpAfterError("(tf --help shows what there is)");
  tf.configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "tf: ")) });

  reading(tf.command("check")).argument("<files...>", ".tf, .py and .ts files, or - for standard input").description("find what is wrong")
    .option("--exec", "run .ts files, and check their templates with the values that their holes then have")
    .option("--json", "one JSON document on standard output")
    .action(async (files: string[], flags: ReadingFlags & { exec?: boolean; json?: boolean }) => {
      status = (await import("./commands/check.ts")).checkFiles(files, flags);
    });
  reading(tf.command("print")).argument("[file]", "a .tf, .py, .ts or .json file, or -", "-").description("the program's canonical text after a stage or a pass")
    .option("--stage <name>", "a stage, a pass, or list")
    .option("--entry <name>", "of several programs in a .ts file: the one, or a function of it")
    .option("--target <name>", "the machine that mapping works for, as in cpu:generic")
    .option("--json", "one JSON document on standard output, the program in it; print and diff read it")
    .action(async (file: string, flags: ReadingFlags & { stage?: string; entry?: string; target?: string; json?: boolean }) => {
      status = (await import("./commands/print.ts")).printFile(file, flags);
    });
  tf.command("fmt").argument("<files...>", ".tf and .ts files, or -").description("canonical form, in .ts files of the templates; comments and blank lines are kept")
    .option("--py", ".py files too: their kernels and nothing else")
    .option("--check", "say which files are not formatted; exit 1 if any")
    .option("--write", "rewrite the files")
    .option("--json", "one JSON document on standard output")
    .action(async (files: string[], flags: { py?: boolean; check?: boolean; write?: boolean; json?: boolean }) => {
      status = (await import("./commands/fmt.ts")).formatFiles(files, flags);
    });
  reading(tf.command("build")).argument("<file>", "a .tf, .py or .ts file, or -").description("kernel source for a target")
    .option("--target <name>", "wasm, cpu, or with a device: cpu:generic")
    .option("--entry <name>", "the function; in a .ts file also the program")
    .addOption(several("--dim <name=number>", "compile for this value of a symbolic extent"))
    .option("-o, --output <dir>", "folder to write to; without it the kernel is printed")
    .option("--json", "one JSON document on standard output")
    .action(async (file: string, flags: ReadingFlags & { target?: string; entry?: string; output?: string; dim: string[]; json?: boolean }) => {
      status = (await import("./commands/build.ts")).buildFile(file, flags);
    });
  reading(tf.command("run")).argument("<file>", "a .tf, .py or .ts file, or -").description("compile, run, summarize the outputs")
    .option("--target <name>", "interp, wasm, cpu, or with a device")
    .option("--entry <name>", "the function; in a .ts file also the program")
    .addOption(several("--arg <name=value>", "a number, FILE.npy, zeros, ones, arange, randn, randint:LO:HI"))
    .addOption(several("--out <name=file.npy>", "save an output"))
    .addOption(several("--dim <name=number>", "a symbolic extent"))
    .addOption(new Option("--seed <number>", "of random arguments").default("0", "0"))
    .option("--json", "one JSON document on standard output")
    .action(async (file: string, flags: ReadingFlags & { target?: string; entry?: string; arg: string[]; out: string[]; dim: string[]; seed: string; json?: boolean }) => {
      status = (await import("./commands/run.ts")).runFile(file, flags);
    });
  reading(tf.command("diff")).argument("<a>").argument("<b>").description("structural comparison; exit 1 and the first difference")
    .option("--entry <name>", "of several programs in a .ts file: the one, or a function of it")
    .option("--json", "one JSON document on standard output")
    .action(async (a: string, b: string, flags: ReadingFlags & { entry?: string; json?: boolean }) => {
      status = (await import("./commands/diff.ts")).diffFiles(a, b, flags);
    });
  tf.command("targets").description("the targets, what each needs, and whether it is here")
    .option("--json", "one JSON document on standard output")
    .action(async (flags: { json?: boolean }) => {
      status = (await import("./commands/targets.ts")).listTargets(flags);
    });
  return tf;
}

async function main(): Promise<void> {
  try {
    await program().parseAsync(process.argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    status = error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  }
  process.exitCode = status;
}

void main();
