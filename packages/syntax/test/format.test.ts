import { make, parse, templateSource, type HoleRange } from "@tilefoundry/grammar";
import { makeSource, type Source } from "@tilefoundry/text";
import { describe, expect, test } from "vitest";
import { format, print } from "../src/index.ts";
import { random, stmt } from "./generate.ts";
import { commentTexts, skeleton } from "./skeleton.ts";

/** Formats a text and checks all laws of formatting on the way. */
function formatted(text: string, source: Source = makeSource("test.tf", text), holes?: readonly HoleRange[]): string {
  const before = parse(source, holes);
  expect(before.diagnostics).toEqual([]);
  const { value } = format(source, holes);
  const again = makeSource("test.tf", value);
  const after = parse(again, holes && holesIn(value));
  expect(after.diagnostics).toEqual([]);
  expect(skeleton(after.value)).toEqual(skeleton(before.value));
  expect(commentTexts(after.value)).toEqual(commentTexts(before.value));
  expect(format(again, holes && holesIn(value)).value).toBe(value);
  expect(value).not.toMatch(/[ \t\r]\n/);
  expect(value.split("#").length).toBe(source.text.split("#").length);
  return value;
}

function holesIn(text: string): readonly HoleRange[] {
  return [...text.matchAll(/\$\{…\}/g)].map((m) => ({ start: m.index, end: m.index + m[0].length }));
}

describe("layout", () => {
  test("blanks, brackets and idle parentheses", () => {
    expect(formatted("x=( a+b )*c  \ny = ((a))\nif (a):\n  pass\nz=f( 1,k = 2 , )\nt=(a)\n")).toMatchInlineSnapshot(`
      "x = (a + b) * c
      y = a
      if a:
          pass
      z = f(1, k=2)
      t = a
      "
    `);
  });

  test("blank lines are kept up to one in a block and two outside", () => {
    expect(formatted("\n\n\nx = 1\n\n\n\n\ny = 2\n\nimport a\nz = 3\n@f\ndef g():\n\n\n    a = 1\n\n\n\n    b = 2\n\n    def h():\n        pass\n    return h\nw = 4\n\n\n\n")).toMatchInlineSnapshot(`
      "x = 1


      y = 2

      import a

      z = 3


      @f
      def g():
          a = 1

          b = 2

          def h():
              pass

          return h


      w = 4
      "
    `);
  });

  test("long lines break at their brackets", () => {
    expect(formatted(`
def kernel(some_long_parameter_name: pl.Tensor[[M, 64], pl.FP32], another_long_name: pl.Out[pl.Tensor[[M, 64], pl.FP32]]) -> pl.Tensor[[M, 64], pl.FP32]:
    for i, (acc, other) in pl.range(0, some_extent_of_the_loop, 64, init_values=(first_initial_value_of_all, second_initial_value)):
        result: pl.Tile[[1, 64], pl.FP32] = pl.matmul_acc(accumulator_of_the_loop, left_operand_of_the_product, right_operand)
        if first_condition_of_this_branch and second_condition_of_this_branch or third_condition_of_this_branch and fourth:
            return first_value_that_is_returned_here, second_value_that_is_returned_here, third_value_that_is_returned_here
    table = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33]
    total = first_operand_of_this_long_sum + second_operand_of_this_long_sum * third_operand_of_this_long_sum - fourth_operand
    from some.module import first_imported_name_of_this_list, second_imported_name_of_this_list, third_imported_name, fourth
`)).toMatchInlineSnapshot(`
  "def kernel(
      some_long_parameter_name: pl.Tensor[[M, 64], pl.FP32],
      another_long_name: pl.Out[pl.Tensor[[M, 64], pl.FP32]],
  ) -> pl.Tensor[[M, 64], pl.FP32]:
      for i, (acc, other) in pl.range(
          0,
          some_extent_of_the_loop,
          64,
          init_values=(first_initial_value_of_all, second_initial_value),
      ):
          result: pl.Tile[[1, 64], pl.FP32] = pl.matmul_acc(
              accumulator_of_the_loop,
              left_operand_of_the_product,
              right_operand,
          )
          if (
              first_condition_of_this_branch and second_condition_of_this_branch
              or third_condition_of_this_branch and fourth
          ):
              return (
                  first_value_that_is_returned_here,
                  second_value_that_is_returned_here,
                  third_value_that_is_returned_here,
              )
      table = [
          1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
          31, 32, 33,
      ]
      total = (
          first_operand_of_this_long_sum
          + second_operand_of_this_long_sum * third_operand_of_this_long_sum
          - fourth_operand
      )
      from some.module import (
          first_imported_name_of_this_list,
          second_imported_name_of_this_list,
          third_imported_name,
          fourth,
      )
  "
`);
  });

  test("comments stay where they are", () => {
    expect(formatted(`
#!shebang
#no blank
#   many blanks

# of f
@deco # on the decorator
# between
@other
# above def
def f(
    a, # of a
    # above b
    b,
    # at the end
): # on the header
    # above x
    x = 1 # behind x

    # alone
    y = [ # opening
        1, # one
        2
        # last
    ]
    z = ( # why
        a + # first
        b
    )
    call(a, # of a
         k=2, # of k
         # end
    )
    if x: # on if
        pass
        # end of if
    # above elif
    elif y: # on elif
        pass
    # above else
    else: # on else
        pass
    # end of f
# end
`)).toMatchInlineSnapshot(`
  "#!shebang
  # no blank
  #   many blanks

  # of f
  @deco  # on the decorator
  # between
  @other
  # above def
  def f(
      a,  # of a
      # above b
      b,
      # at the end
  ):  # on the header
      # above x
      x = 1  # behind x

      # alone
      y = [
          # opening
          1,  # one
          2,
          # last
      ]
      z = (
          # why
          # first
          a + b
      )
      call(
          a,  # of a
          k=2,  # of k
          # end
      )
      if x:  # on if
          pass
          # end of if
      # above elif
      elif y:  # on elif
          pass
      # above else
      else:  # on else
          pass
      # end of f


  # end
  "
`);
  });

  test("strings and numbers keep their spelling", () => {
    expect(formatted("x = 'a' \"b\" r'\\d' + 0x_FF + 1_000. + 1E5\ny = '''two\n  lines'''\n\"\"\"doc\n  string\n\"\"\"\nf('''a\n b''', c)\nx = f'{a!r:>{width}}' rb'x'\n")).toMatchInlineSnapshot(`
      "x = 'a' "b" r'\\d' + 0x_FF + 1_000. + 1E5
      y = '''two
        lines'''
      """doc
        string
      """
      f(
          '''a
       b''',
          c,
      )
      x = f'{a!r:>{width}}' rb'x'
      "
    `);
  });

  test("CRLF, a byte order mark, tabs and joined lines", () => {
    expect(formatted("\ufeffif a:\r\n\tx = 1 # c\r\n\ty = '''a\r\nb'''\r\n\r\n\r\n\tz = a + \\\r\n\t\tb; w = 1\r\n")).toMatchInlineSnapshot(`
      "if a:
          x = 1  # c
          y = '''a
      b'''

          z = a + b
          w = 1
      "
    `);
  });

  test("holes come back as they are written", () => {
    const { source, holes } = templateSource(["\n    def f(x: T[", ", 4]):\n        return  ", "+x\n"], "kernel.ts");
    expect(formatted(source.text, source, holes)).toMatchInlineSnapshot(`
      "def f(x: T[\${…}, 4]):
          return \${…} + x
      "
    `);
    const inFile = makeSource("kernel.ts", "x = ${ a.b }+ 1\n");
    expect(format(inFile, [{ start: 4, end: 12 }]).value).toBe("x = ${ a.b } + 1\n");
  });

  test("statements of every kind", () => {
    expect(formatted(`
import a.b as c, d
from . import x
from ..y import (a as b,)
from z import *
def f(a, /, b: int=1, *args, c=2, **kw) -> None: return
def g(*, a): yield a
def h():
  match a:
    case 1:
      pass
      # inner
    # outer
  # of h
async def h():
    async with a as b, c: await d
    async for x in y: pass
class C(Base, meta=M):
    x: int
    def m(self): pass
    def n(self): pass
try:
    pass
except* (A, B) as e: raise X from e
except:
    pass
else: pass
finally: pass
with (a as b, c as d): pass
global p, q
del a, b[0]
assert a, "b"
a = b = c, d = 1, 2
x += yield
lambda a, *b, c=1: (a, b)
while (n := f()): continue
type A[T] = B
match a:
   case 1:
      pass
   # of case
   case [x, *y]: pass
   # end of match
[x async for x in y if a if b]
x[a:b, ::2, a+1:, :-1], {**a, 'b': c}, {1}, f(x for x in y), (yield)
not (a == b), -(a), (a, ), (), *a, b if c else d
`)).toMatchInlineSnapshot(`
  "import a.b as c, d
  from . import x
  from ..y import a as b
  from z import *


  def f(a, /, b: int = 1, *args, c=2, **kw) -> None:
      return


  def g(*, a):
      yield a


  def h():
      match a:
          case 1:
            pass
            # inner
          # outer
      # of h


  async def h():
      async with a as b, c:
          await d
      async for x in y:
          pass


  class C(Base, meta=M):
      x: int

      def m(self):
          pass

      def n(self):
          pass


  try:
      pass
  except* (A, B) as e:
      raise X from e
  except:
      pass
  else:
      pass
  finally:
      pass
  with a as b, c as d:
      pass
  global p, q
  del a, b[0]
  assert a, "b"
  a = b = c, d = 1, 2
  x += yield
  lambda a, *b, c=1: (a, b)
  while n := f():
      continue
  type A[T] = B
  match a:
      case 1:
         pass
      # of case
      case [x, *y]: pass
      # end of match
  [x async for x in y if a if b]
  x[a:b, ::2, a + 1 :, :-1], {**a, 'b': c}, {1}, f(x for x in y), (yield)
  not a == b, -a, (a,), (), *a, b if c else d
  "
`);
  });
});

test("generated texts keep their meaning and are formatted at once", () => {
  for (let seed = 0; seed < 100; seed++) {
    const r = random(seed);
    const tree = make.moduleOf(Array.from({ length: 3 }, () => stmt(r, 3)), seed % 7 === 0 ? ["the end"] : []);
    const text = print(tree);
    const read = parse(makeSource("test.tf", text));
    expect(read.diagnostics).toEqual([]);
    expect(skeleton(read.value)).toEqual(skeleton(tree));
    expect(formatted(text)).toBe(text);
  }
});

test("line breaks, tabs and a byte order mark make no difference", () => {
  for (let seed = 0; seed < 60; seed++) {
    const text = generated(seed);
    const tabbed = text.replace(/^( {4})+/gm, (blanks) => "\t".repeat(blanks.length / 4));
    expect(format(makeSource("test.tf", `\ufeff${tabbed.replaceAll("\n", "\r\n")}`)).value).toBe(text);
  }
});

test("comments at the end of any line, and on lines of their own, are kept", () => {
  for (let seed = 0; seed < 50; seed++) {
    const r = random(seed);
    const lines = generated(seed).split("\n").slice(0, -1);
    const commented = lines.flatMap((line, n) => {
      const behind = r.below(4) === 0 && !line.includes("#") && line !== "" ? `${line} # behind ${n}` : line;
      return r.below(8) === 0 ? [`${/^ */.exec(line)?.[0] ?? ""}# above ${n}`, behind] : [behind];
    });
    formatted(`${commented.join("\n")}\n`);
  }
});

test("a text of nothing, blanks or comments", () => {
  expect(["", "\n \n", "# a\n\n\n\n# b", "\ufeff"].map((t) => formatted(t))).toEqual(["", "", "# a\n\n\n# b\n", ""]);
});

function generated(seed: number): string {
  const r = random(seed);
  return print(make.moduleOf(Array.from({ length: 3 }, () => stmt(r, 3))));
}

test("a text with syntax errors comes back as it is, with what is wrong", () => {
  const source = makeSource("test.tf", "x  = (\ny = 1\n");
  const { value, diagnostics } = format(source);
  expect(value).toBe(source.text);
  expect(diagnostics.length).toBeGreaterThan(0);
});
