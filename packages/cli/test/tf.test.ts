// The command as a user meets it: exit statuses, JSON, files; each case runs scripts/tf.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const sample = (name: string): string => join(ROOT, "samples", name, `${name}.tf`);
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tf-test-"));
  execFileSync(process.execPath, [join(ROOT, "scripts", "bootstrap.mjs"), "build"], { cwd: ROOT });
});

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

function tf(args: readonly string[], options: { readonly input?: string | Uint8Array; readonly env?: Record<string, string> } = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "scripts", "tf"), ...args], {
    cwd: folder,
    input: options.input ?? "",
    env: { ...process.env, ...options.env },
    maxBuffer: 1 << 28,
  });
  return { status, out: stdout.toString(), err: stderr.toString() };
}

function file(name: string, contents: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, contents);
  return path;
}

const WRONG = '@prim_func\ndef f(x: Tensor[(N,), "f32"], y: Out[Tensor[(N,), "f32"]]):\n    for i in T.range(N):\n        pl.write(y, (i,), pl.raed(x, (i,)))\n';

describe("tf check", () => {
  test("is silent and 0 for a right program", () => {
    expect(tf(["check", sample("softmax")])).toMatchObject({ status: 0, out: "", err: "" });
  });

  test("shows the place, the excerpt and the nearest spelling, and is 1", () => {
    const { status, err } = tf(["check", file("wrong.tf", WRONG)]);
    expect(status).toBe(1);
    expect(err).toContain("wrong.tf:4:27");
    expect(err).toContain("pl.read");
  });

  test("--json is one document with lines and columns from 1", () => {
    const { out } = tf(["check", file("wrong.tf", WRONG), "--json"]);
    const [first] = (JSON.parse(out) as { files: { diagnostics: { line: number; column: number; code: string; fixes: unknown[] }[] }[] }).files;
    expect(first?.diagnostics).toMatchObject([{ line: 4, column: 27 }]);
  });

  test("reads standard input and several files", () => {
    expect(tf(["check", "-"], { input: WRONG }).status).toBe(1);
    expect(tf(["check", sample("softmax"), sample("matmul")]).status).toBe(0);
  });

  test.each([
    ["a file that is not there", () => "missing.tf", "missing.tf"],
    ["a folder", () => folder, "/*.tf"],
    ["an empty file", () => file("empty.tf", ""), "empty"],
    ["a file that is not UTF-8", () => file("latin.tf", Uint8Array.of(0x23, 0x20, 0xe9, 0x0a)), "not UTF-8"],
    ["10,000 brackets", () => file("deep.tf", `x = ${"(".repeat(10000)}1${")".repeat(10000)}\n`), "too deep"],
  ])("says what is wrong with %s", (_title, make, words) => {
    const { status, err } = tf(["check", make()]);
    expect(status).toBe(1);
    expect(err).toContain(words);
    expect(err).not.toContain("    at ");
  });

  test("reads 10 MB of source, half a megabyte of it kernels", { timeout: 300_000 }, () => {
    const text = readFileSync(sample("vector_add"), "utf8");
    const kernels = Array.from({ length: 1000 }, (_, i) => text.replace("def vector_add", `def vector_add_${i}`)).join("\n");
    const { status, err } = tf(["check", "-"], { input: `${"# a line of a comment\n".repeat(430_000)}${kernels}` });
    expect(err).toBe("");
    expect(status).toBe(0);
  });
});

describe("programs of several files", () => {
  test("are checked in one run with one summary; a fault that they share is said once, and a file that others import needs no kernel", () => {
    const kernel = (n: string): string => `from .shared import ${n}\n@func\ndef k(x: Tensor[(${n},), "f32"]):\n    return tf.exp(x)\n`;
    const files = [file("one.tf", kernel("N")), file("two.tf", kernel("N")), file("shared.tf", "N = 4\n")];
    expect(tf(["check", ...files])).toMatchObject({ status: 0, out: "", err: "3 files, no errors\n" });
    file("shared.tf", "N = 4\nA = 1 // 0\n");
    const { status, err } = tf(["check", ...files]);
    expect(status).toBe(1);
    expect(err).toContain("shared.tf:2:5");
    expect(err).toContain("3 files, 1 error\n");
    expect(JSON.parse(tf(["check", ...files, "--json"]).out)).toMatchObject({ files: [{ diagnostics: [{ code: "TF2005" }] }, { diagnostics: [] }, { diagnostics: [] }] });
  });

  test("take bindings and folders of imports; host code in .py is passed over", () => {
    const text = "import torch\nfrom far import M\nN = torch.n\n@func\ndef k(x: Tensor[(N, M), \"f32\"]):\n    return tf.exp(x)\n";
    const py = file("host.py", text);
    mkdirSync(join(folder, "inc"), { recursive: true });
    file(join("inc", "far.py"), "M = 2\n");
    expect(tf(["check", py]).err).toContain("TF2101");
    expect(tf(["run", py, "--bind", "N=3", "--path", join(folder, "inc")]).out).toContain("f32[3, 2]");
    const bindings = file("bindings.json", '{"N": 5, "M": 1}');
    expect(tf(["print", py, "--bindings", bindings]).out).toContain("(5, 1)");
    expect(tf(["print", py, "--bind", "N"])).toMatchObject({ status: 1, err: expect.stringContaining("TF2121") as string });
  });

  test("tell their version", () => expect(tf(["--version"]).out).toMatch(/^\d+\.\d+\.\d+\n$/));
});

describe("tf print", () => {
  test.each(["parsed", "ssa", "outlined", "lowered", "mapped", "placed", "to-ssa", "expand-math"])("--stage %s parses back", (stage) => {
    const first = tf(["print", sample("softmax"), "--stage", stage]);
    expect(first).toMatchObject({ status: 0, err: "" });
    const again = tf(["print", "-", "--stage", "parsed"], { input: first.out });
    expect(again.out).toBe(first.out);
  });

  test("lists stages, and names the nearest to a wrong one", () => {
    expect(tf(["print", "--stage", "list"]).out).toContain("lower-ops");
    expect(tf(["print", sample("softmax"), "--stage", "lowerd"])).toMatchObject({ status: 2, err: expect.stringContaining("lowered") as string });
  });
});

describe("a program as JSON", () => {
  test.each(["parsed", "lowered"])("is written by print --json at stage %s, and read by print, diff and run", (stage) => {
    const { out } = tf(["print", sample("vector_add"), "--stage", stage, "--json"]);
    const json = file(`vector_add-${stage}.json`, out);
    const text = tf(["print", sample("vector_add"), "--stage", stage]).out;
    expect(tf(["print", json])).toMatchObject({ status: 0, out: text, err: "" });
    expect(tf(["print", "-"], { input: out }).out).toBe(text);
    expect(tf(["diff", json, file("same.tf", text)])).toMatchObject({ status: 0, out: "the programs are equal\n" });
    expect(tf(["run", json, "--dim", "N=3", "--json"]).status).toBe(0);
  });

  test("is refused with a place in it", () => {
    const bad = file("bad.json", '{"format": "tilefoundry-ir", "version": 1,\n "nodes": [{"kind": "Goto"}], "root": 0}');
    expect(tf(["print", bad])).toMatchObject({ status: 1, err: expect.stringContaining("bad.json:2:21") as string });
  });
});

describe("tf fmt", () => {
  test("keeps comments, is idempotent, rewrites only with --write", () => {
    const messy = file("messy.tf", "# first\n@prim_func\ndef f( x:Tensor[(N,),'f32'] , y : Out[Tensor[(N,), 'f32']] ):\n\n\n    for i in T.range( N ):  # each\n        pl.write( y,(i,) ,pl.read(x,(i,)) )\n    # end\n");
    const before = readFileSync(messy, "utf8");
    const { out } = tf(["fmt", messy]);
    for (const comment of ["# first", "# each", "# end"]) expect(out).toContain(comment);
    expect(readFileSync(messy, "utf8")).toBe(before);
    expect(tf(["fmt", "--check", messy]).status).toBe(1);
    expect(tf(["fmt", "--write", messy]).status).toBe(0);
    expect(readFileSync(messy, "utf8")).toBe(out);
    expect(tf(["fmt", "--check", messy]).status).toBe(0);
  });

  test("leaves a text with syntax errors alone", () => {
    const broken = file("broken.tf", "def f(:\n    pass\n");
    expect(tf(["fmt", "--write", broken]).status).toBe(1);
    expect(readFileSync(broken, "utf8")).toBe("def f(:\n    pass\n");
  });

  test("touches a Python file only if it is asked to, and there only kernels", () => {
    const host = file("host.py", "x=1\n@func\ndef f(x:Tensor[(4,), \"f32\"]):\n  return x\n");
    expect(tf(["fmt", host]).status).toBe(2);
    expect(tf(["fmt", "--py", host]).out).toBe("x=1\n@func\ndef f(x: Tensor[(4,), \"f32\"]):\n    return x\n");
  });
});

describe("tf build", () => {
  test.each([["wasm", ["softmax.wasm", "softmax.wat"]], ["cpu", ["softmax.c", "softmax.h", "softmax_launch.c"]]])("writes the files of %s", (target, names) => {
    const out = join(folder, `build-${target}`);
    expect(tf(["build", sample("softmax"), "--target", target, "-o", out]).status).toBe(0);
    expect(readdirSync(out).sort()).toEqual([...names].sort());
  });

  test("without a folder prints the kernel, and needs no compiler", () => {
    expect(tf(["build", sample("softmax"), "--target", "cpu"], { env: { PATH: "" } }).out).toContain("int softmax(");
  });

  test("--dim compiles for one value of an extent", () => {
    const { out } = tf(["build", sample("vector_add"), "--target", "cpu", "--dim", "N=2048"]);
    expect(out).not.toContain("int64_t N");
    expect(tf(["build", sample("vector_add"), "--dim", "N=-1"]).status).toBe(2);
    expect(tf(["build", sample("vector_add"), "--dim", "N=4294967296"]).err).toContain("TF6029");
    expect(tf(["build", sample("vector_add"), "--dim", "Q=3"]).err).toContain("TF6028");
  });

  test("--target cuda is not in this version", () => {
    expect(tf(["build", sample("softmax"), "--target", "cuda"])).toMatchObject({ status: 1, err: expect.stringContaining("not in this version") as string });
  });

  test("writes nothing where it may not", () => {
    const blocked = file("blocked", "a file, not a folder");
    const { status, err } = tf(["build", sample("softmax"), "--target", "cpu", "-o", join(blocked, "out")]);
    expect(status).toBe(1);
    expect(err).toContain("cannot be written");
    expect(readFileSync(blocked, "utf8")).toBe("a file, not a folder");
  });

  test.runIf(existsSync("/proc/self"))("ends where a folder lets nobody write, as /proc", () => {
    const { status, err } = tf(["build", sample("softmax"), "-o", "/proc/here/out"]);
    expect(status).toBe(1);
    expect(err).toContain("cannot be written");
  });
});

describe("tf run", () => {
  test("gives the same numbers on every target, from a seed", () => {
    const run = (target: string): string => tf(["run", sample("vector_add"), "--target", target, "--dim", "N=1500", "--seed", "7"]).out;
    expect(run("wasm")).toContain("f32[1500]");
    expect(run("wasm")).toBe(run("interp"));
  });

  test("reads and writes .npy", () => {
    const out = join(folder, "z.npy");
    expect(tf(["run", sample("vector_add"), "--dim", "N=3", "--arg", "x=arange", "--arg", "y=ones", "--out", `z=${out}`]).status).toBe(0);
    const { out: text } = tf(["run", sample("vector_add"), "--arg", `x=${out}`, "--arg", "y=zeros", "--dim", "N=3", "--json"]);
    expect(JSON.parse(text)).toMatchObject({ outputs: [{ name: "z", first: [1, 2, 3] }] });
  });

  test.each([
    ["an unknown argument", ["--arg", "q=ones", "--dim", "N=3"], 1, "q"],
    ["an extent that nothing gives", [], 1, "--dim N="],
    ["a value that is none", ["--arg", "x=onse", "--dim", "N=3"], 1, "onse"],
    ["an argument without a value", ["--arg", "x"], 2, "NAME=VALUE"],
    ["an unknown flag", ["--frobnicate"], 2, "frobnicate"],
  ])("says what is wrong with %s", (_title, args, status, words) => {
    const ran = tf(["run", sample("vector_add"), ...args]);
    expect(ran.status).toBe(status);
    expect(ran.err).toContain(words);
    expect(ran.err).not.toContain("    at ");
  });

  test("without a C compiler names what to install, and that wasm needs nothing; 3", () => {
    const ran = tf(["run", sample("vector_add"), "--target", "cpu", "--dim", "N=3"], { env: { PATH: "", CC: "" } });
    expect(ran.status).toBe(3);
    expect(ran.err).toContain("gcc");
    expect(ran.err).toContain("wasm");
  });

  test("a truncated .npy is named, and nothing is written", () => {
    const good = join(folder, "g.npy");
    tf(["run", sample("vector_add"), "--dim", "N=50", "--out", `z=${good}`]);
    const cut = file("cut.npy", readFileSync(good).subarray(0, 150));
    const out = join(folder, "never.npy");
    const ran = tf(["run", sample("vector_add"), "--arg", `x=${cut}`, "--out", `z=${out}`]);
    expect(ran.status).toBe(1);
    expect(ran.err).toContain("cut.npy");
    expect(existsSync(out)).toBe(false);
  });
});

describe("tf diff and targets", () => {
  test("equal programs are 0, others 1 with a path", () => {
    const other = file("other.tf", readFileSync(sample("vector_add"), "utf8").replace("pl.add(a, b)", "pl.sub(a, b)"));
    expect(tf(["diff", sample("vector_add"), sample("vector_add")]).status).toBe(0);
    expect(tf(["diff", sample("vector_add"), other])).toMatchObject({ status: 1, out: expect.stringContaining("vector_add") as string });
  });

  test("targets are listed with what they need", () => {
    expect(tf(["targets"]).out).toContain("wasm");
    expect((JSON.parse(tf(["targets", "--json"]).out) as { targets: unknown[] }).targets).toHaveLength(3);
  });

  test("no command, or a wrong one, is one line and 2", () => {
    expect(tf(["chekc", "x.tf"]).status).toBe(2);
  });
});

describe("scripts/tf", () => {
  const built = (): number => statSync(join(ROOT, "dist", "tf", "main.cjs")).mtimeMs;

  test("keeps what was compiled for a subcommand, and does without it when it is damaged", () => {
    const cache = join(ROOT, "dist", "tf", "fmt.cache");
    tf(["fmt", "--check", sample("softmax")]);
    const kept = readFileSync(cache);
    writeFileSync(cache, kept.subarray(0, 100));
    expect(tf(["fmt", "--check", sample("softmax")]).status).toBe(0);
    expect(readFileSync(cache).length).toBeGreaterThan(1000);
  });

  test("builds anew when a source has changed, and only then", () => {
    const before = built();
    tf(["targets"]);
    expect(built()).toBe(before);
    utimesSync(join(ROOT, "packages", "cli", "src", "exit.ts"), new Date(), new Date());
    expect(tf(["targets"]).status).toBe(0);
    expect(built()).toBeGreaterThan(before);
  });
});
