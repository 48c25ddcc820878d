// Kernels of Python files: laid out like any text, and nothing else is touched.

import { makeSource } from "@tilefoundry/text";
import { expect, test } from "vitest";
import { format, formatKernels } from "../src/index.ts";

const KERNEL = `@pl.function( type = pl.FunctionType.InCore )   # a kernel
def k(x:pl.Tensor[[8],pl.FP32],y:pl.Out[pl.Tensor[[8],pl.FP32]]):
  # as it is
  pl.store( pl.load(x,[0],[8]) , [0],y )  # the copy`;

const host = (kernel: string): string => `import   torch
x=1   # not ours
f = lambda a : a

${kernel}

class Test(  Base ):
  def test( self ):
    print f"not even Python 3 {x}"

if __name__=="__main__":
    k( torch.zeros(8) )
`;

const formatted = (text: string): string => formatKernels(makeSource("k.py", text)).value;

test("only kernels change, and they as in a text of their own", () => {
  const alone = format(makeSource("k.tf", KERNEL)).value.trimEnd();
  expect(alone).not.toBe(KERNEL);
  expect(formatted(host(KERNEL))).toBe(host(alone));
  expect(formatted(host(alone))).toBe(host(alone));
  expect(formatted(host(KERNEL).replaceAll("\n", "\r\n"))).toBe(host(alone).replaceAll("\n", "\r\n"));
});

test("classes and the end of the file too", () => {
  expect(formatted('a=1\n@module( entry="f" )\nclass M:\n  @func\n  def f(x:Tensor[(4,),"f32"]):\n    return x')).toBe(
    'a=1\n@module(entry="f")\nclass M:\n    @func\n    def f(x: Tensor[(4,), "f32"]):\n        return x',
  );
});

test("a file with a kernel that cannot be read stays as it is", () => {
  const text = host(`${KERNEL}\n  z = = 1`);
  const { value, diagnostics } = formatKernels(makeSource("k.py", text));
  expect(value).toBe(text);
  expect(diagnostics).toHaveLength(1);
});
