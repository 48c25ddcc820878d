// Files: host code around kernels, imports of other files, bindings.

import { bindingOf, bindingsOf, check, makeLibrary, print, type Binding, type CheckResult } from "tilefoundry";
import { describe, expect, test } from "vitest";

type Texts = Readonly<Record<string, string>>;

function read(texts: Texts, name: string, bindings: readonly Binding[] = [], folders: readonly string[] = []): CheckResult {
  const library = makeLibrary((path) => (Object.hasOwn(texts, path) ? texts[path] : undefined), folders);
  return check(texts[name] ?? "", name, { library, bindings });
}

const said = ({ diagnostics }: CheckResult): readonly string[] =>
  diagnostics.map((d) => `${d.code} ${d.span?.source.name}:${d.span?.source.text.slice(d.span.start, d.span.end)}`);

function shown(result: CheckResult): string {
  expect(said(result)).toEqual([]);
  return result.program === undefined ? "" : print(result.program);
}

const literal = (text: string): readonly Binding[] => {
  const { value } = bindingOf(text, "--bind");
  return value === undefined ? [] : [value];
};

const KERNEL = '@func\ndef k(x: Tensor[(N,), "f32"]):\n    return tf.exp(x)\n';

describe("host code", () => {
  const HOST = [
    "import torch\nimport numpy as np", "from typing import Tuple\nShape = Tuple[int, int]", "try:\n    import triton\nexcept ImportError:\n    triton = None",
    "import argparse\nargs = argparse.ArgumentParser().parse_args()\nBATCH = args.batch", "f = lambda x: x\ns = {1, 2}\nt = f\"{f}\"", "for i in range(3):\n    print(i)",
    "def golden(x):\n    return torch.exp(x)", "class TestK(Base):\n    def test(self):\n        assert k is not None", "import pytest\n@pytest.mark.slow\ndef test_k():\n    pass",
    "with open('a') as handle:\n    text = handle.read()", "BIG = 10 ** 10 ** 10\nMANY = [i for i in range(10 ** 12)]", "while True:\n    break\nelse:\n    pass", "assert True\ndel print",
    'if __name__ == "__main__":\n    print(k)', "if TORCH:\n    A = 1\nelse:\n    A = 2".replace("TORCH", "__debug__"),
  ];

  test.each(HOST)("is passed over: %s", (host) => {
    for (const text of [`N = 4\n${host}\n${KERNEL}`, `N = 4\n${KERNEL}${host}\n`]) expect(shown(read({ "a.py": text }, "a.py"))).toContain("(4,)");
  });

  test.each([
    ["a host's call", "import torch\nN = torch.size(3)", "torch"],
    ["a loop", "for N in range(3):\n    pass", "for"],
    ["a branch on what is not known", "import os\nif os.name:\n    N = 4", "if"],
    ["a list that it changes", "L = [4]\nL.append(5)\nN = L[0]", "L.append(5)"],
    ["a dict that it changes in a loop", "D = {}\nfor i in range(3):\n    D[i] = i\nN = D[0]", "D"],
    ["a limit", "N = 10 ** 10 ** 10", "10 ** 10 ** 10"],
  ])("is said where a kernel needs what it makes, with its place: %s", (_, host, place) => {
    const result = read({ "a.tf": `${host}\n${KERNEL}` }, "a.tf");
    expect(said(result)).toEqual(["TF2101 a.tf:N"]);
    expect(result.diagnostics[0]?.help).toContain("--bind N=VALUE");
    expect(result.diagnostics[0]?.related.map((r) => r.span.source.text.slice(r.span.start, r.span.end)).join(" ")).toContain(place);
  });

  test("is said once for a name, and for a function that a kernel calls", () => {
    const text = `import torch\nN = torch.n\ndef h(x):\n    return x\n${KERNEL}${KERNEL.replace("def k", "def j").replace("tf.exp(x)", "h(x)")}`;
    expect(said(read({ "a.tf": text }, "a.tf"))).toEqual(["TF2101 a.tf:N", "TF2102 a.tf:h"]);
  });

  test("may hold what cannot be read, in Python files", () => {
    const text = `print "hello"\nN = 4\nM = 3 ! 4\n${KERNEL}`;
    expect(shown(read({ "a.py": text }, "a.py"))).toContain("(4,)");
    expect(read({ "a.tf": text }, "a.tf").program).toBeUndefined();
    expect(said(read({ "a.py": text.replaceAll("(N,)", "(M,)") }, "a.py"))).toEqual(["TF2101 a.py:M"]);
    expect(read({ "a.py": text.replace("tf.exp(x)", "tf.exp(x") }, "a.py").diagnostics.map((d) => d.code)).toEqual(["TF1006"]);
  });

  test("does not hide what Python refuses too", () => {
    expect(said(read({ "a.tf": `N = 4\nA = BLOK + 1\nB = 1 // 0\n${KERNEL}` }, "a.tf"))).toEqual(["TF2001 a.tf:BLOK", "TF2005 a.tf:1 // 0"]);
  });

  test("makes no kernels: a file of factories says so", () => {
    const [d] = read({ "a.py": "def make(n):\n    @pl.function\n    def k(x: pl.Tensor[[8], pl.FP32]):\n        pass\n    return k\n" }, "a.py").diagnostics;
    expect(d?.code).toBe("TF1015");
    expect(d?.help).toContain("`make`");
  });
});

describe("classes of values", () => {
  const CONFIG = "from dataclasses import dataclass, replace\n@dataclass(frozen=True)\nclass Config:\n    hidden: int\n    heads: int = 4\n    kinds: tuple = (pl.FP32,)\n    @property\n    def size(self) -> int:\n        return self.hidden // self.heads\n";
  const extent = (expression: string): string => shown(read({ "a.tf": `${CONFIG}N = ${expression}\n${KERNEL}` }, "a.tf"));

  test.each([["Config(64).heads", 4], ["Config(hidden=64, heads=8).size", 8], ["replace(Config(64), heads=2).size", 32], ["Config.heads", 4]])("%s is %i", (e, n) => expect(extent(e)).toContain(`(${n},)`));

  test("are constants by name too, and complain of what they lack", () => {
    expect(shown(read({ "a.tf": `class S:\n    A = 3\n    B = A * 2\nN = S.B\n${KERNEL}` }, "a.tf"))).toContain("(6,)");
    expect(read({ "a.tf": `${CONFIG}C = Config()\nN = 4\n${KERNEL}` }, "a.tf").diagnostics.map((d) => d.code)).toEqual(["TF2009"]);
    expect(said(read({ "a.tf": `${CONFIG}N = Config(64).hiden\n${KERNEL}` }, "a.tf"))).toEqual(["TF2101 a.tf:N"]);
  });
});

describe("imports", () => {
  const LIB = 'BLOCK = 64\nM = DimVar("M", 1, 9)\n@func(target="cpu")\ndef helper(x: Tensor[(n,), "f32"]):\n    return tf.exp(x)\n@func(target="cpu")\ndef scale(x: Tensor[(n,), "f32"]):\n    return helper(tf.neg(x))\n@pl.inline\ndef twice(t):\n    return pl.add(t, t)\n';
  const over = (imports: string, body: string, shape = "BLOCK"): Texts => ({ "lib.tf": LIB, "a.tf": `${imports}\n@func(target="wasm")\ndef main(x: Tensor[(${shape},), "f32"]):\n    return ${body}\n` });

  test.each([
    ["names", over("from .lib import BLOCK, scale", "scale(x)")],
    ["names under other names", over("from lib import BLOCK as B, scale as helper", "helper(x)", "B")],
    ["all names", over("from .lib import *", "scale(x)")],
    ["a file", over("import lib", "lib.scale(x)", "lib.BLOCK")],
    ["a file under another name", over("from . import lib as l", "l.scale(x)", "l.BLOCK")],
    ["a file of a file", { ...over("from .mid import BLOCK, scale", "scale(x)"), "mid.tf": "from .lib import *\n" }],
    ["a package", { "a.tf": over("import p.q.lib", "p.q.lib.scale(x)", "p.q.lib.BLOCK")["a.tf"] ?? "", "p/q/lib.py": LIB }],
  ])("bring %s, and what is called becomes the program's", (_, texts) => {
    const result = read(texts, "a.tf");
    const text = shown(result);
    expect(text).toContain("(64,)");
    expect(text.includes("_1")).toBe(text.includes("return helper(x)")); // the name of another function of the file
    expect(text.match(/^def /gm)).toHaveLength(3);
    expect(said(check(text, "a.tf"))).toEqual([]);
    expect(result.program?.({ x: new Float32Array(64) })["out"]?.data[0]).toBe(1);
  });

  test("bring symbolic extents, templates, classes and records", () => {
    expect(shown(read(over("from .lib import M", "tf.exp(x)", "M"), "a.tf"))).toContain('M = DimVar("M", 1, 9)');
    const twice = { "lib.tf": LIB, "a.tf": "from .lib import twice\n@pl.function\ndef k(x: pl.Tensor[[8], pl.FP32], y: pl.Out[pl.Tensor[[8], pl.FP32]]):\n    pl.store(twice(pl.load(x, [0], [8])), [0], y)\n" };
    expect(shown(read(twice, "a.tf"))).toContain("def twice(");
    const layer = '@module(entry="f")\nclass Layer:\n    @func\n    def f(x: Tensor[(8,), "f32"]):\n        return tf.exp(x)\n';
    const placed = { "lib.tf": layer, "a.tf": 'from .lib import Layer\n@module(entry="g")\nclass Net:\n    first = Layer\n    @func\n    def g(x: Tensor[(8,), "f32"]):\n        return first(x)\n' };
    expect(shown(read(placed, "a.tf"))).toContain("class first:");
  });

  test("look beside the file, above it, and in the folders that are given", () => {
    const texts: Texts = { "x/y/a.tf": `from ..sizes import N\nfrom far import K\n${KERNEL}`, "x/sizes.tf": "N = 4\n", "inc/far.py": "K = 1\n" };
    expect(shown(read(texts, "x/y/a.tf", [], ["inc"]))).toContain("(4,)");
    const [d] = read({ "x/y/a.tf": texts["x/y/a.tf"] ?? "" }, "x/y/a.tf").diagnostics;
    expect(d?.code).toBe("TF2110");
    expect(d?.help).toContain("x/sizes.tf, x/sizes.py");
  });

  test("say the nearest name, and point into the file that is wrong", () => {
    const result = read({ "lib.tf": "BLOCK = 64\n", "a.tf": `from .lib import BLOK\nN = 4\n${KERNEL}` }, "a.tf");
    expect(said(result)).toEqual(["TF2111 a.tf:BLOK"]);
    expect(result.diagnostics[0]?.fixes[0]?.edits[0]?.text).toBe("BLOCK");
    // a kernel that uses the right name is not wrong besides
    expect(said(read({ "lib.tf": "SIZE = 4\n", "a.tf": `from .lib import SIZ\n${KERNEL.replaceAll("N", "SIZE")}` }, "a.tf"))).toEqual(["TF2111 a.tf:SIZ"]);
    expect(said(read({ "lib.tf": "A = 1 // 0\nN = 4\n", "a.tf": `from .lib import N\n${KERNEL}` }, "a.tf"))).toEqual(["TF2005 lib.tf:1 // 0"]);
    expect(said(read({ "a.tf": `from tilefoundry.tf import rsqr\nN = 4\n${KERNEL}` }, "a.tf"))).toEqual(["TF2111 a.tf:rsqr"]);
  });

  test("in a circle are refused with each import of it", () => {
    const result = read({ "a.tf": `from .b import X\nN = 4\n${KERNEL}`, "b.tf": "from .c import X\n", "c.tf": "from .a import N\nX = 1\n" }, "a.tf");
    expect(said(result)).toEqual(["TF2112 c.tf:from .a import N"]);
    expect(result.diagnostics[0]?.message).toContain("a.tf → b.tf → c.tf → a.tf");
    expect(result.diagnostics[0]?.related).toHaveLength(2);
  });

  test("of what is not read are fine until a kernel needs them", () => {
    expect(said(read({ "a.tf": "import torch\n@func\ndef k(x: Tensor[(4,), \"f32\"]):\n    return torch.exp(x)\n" }, "a.tf"))).toEqual(["TF2101 a.tf:torch"]);
  });
});

describe("bindings", () => {
  const TEXT: Texts = { "a.py": `import cfg\nN = cfg.n\n${KERNEL}` };

  test.each([["N=8", "(8,)"], ["N=2 ** 3 + 1", "(9,)"]])("%s stands for what the host would make", (text, shape) => expect(shown(read(TEXT, "a.py", literal(text)))).toContain(shape));

  test("win over what a file says, in imported files too", () => {
    expect(shown(read({ "a.tf": `N = 4\n${KERNEL}` }, "a.tf", literal("N=16")))).toContain("(16,)");
    expect(shown(read({ "a.tf": `from .b import N\n${KERNEL}`, "b.tf": "M = 1\nN = M * 4\n" }, "a.tf", literal("M=5")))).toContain("(20,)");
  });

  test("may be a JSON object, whose objects are records", () => {
    const { value } = bindingsOf('{"config": {"n": 6, "names": ["a"]}}', "b.json");
    expect(shown(read({ "a.py": `import cfg\nconfig = cfg.load()\nN = config.n + len(config["names"])\n${KERNEL}` }, "a.py", value))).toContain("(7,)");
  });

  test("may be dtypes and words", () => {
    const text: Texts = { "a.py": '@func\ndef k(x: Tensor[(4,), D]):\n    return tf.exp(x)\n' };
    for (const dtype of ["f64", "pl.FP64", '"f64"']) expect(shown(read(text, "a.py", literal(`D=${dtype}`)))).toContain('"f64"');
  });

  test("that name nothing get the nearest spelling, and malformed ones are refused", () => {
    const result = read({ "a.tf": `BLOCK = 4\nN = 4\n${KERNEL}` }, "a.tf", literal("BLOK=3"));
    expect(said(result)).toEqual(["TF2120 --bind:BLOK"]);
    expect(result.diagnostics[0]?.help).toContain("`BLOCK`");
    for (const { diagnostics } of [bindingOf("N", "--bind"), bindingOf("N.x=3", "--bind"), bindingsOf("[1]", "b.json")]) expect(diagnostics.map((d) => d.code)).toEqual(["TF2121"]);
  });
});
