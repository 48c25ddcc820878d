import { make, type SExpr } from "@tilefoundry/grammar";
import { describe, expect, test } from "vitest";
import { layOut, layOutFully } from "../src/docs.ts";
import { expression } from "../src/expressions.ts";
import { print, printExpr } from "../src/print.ts";
import { expr, random } from "./generate.ts";

const { name, integer, binary, unary, call, compare, boolOp } = make;
const [a, b, c] = [name("a"), name("b"), name("c")];

describe("parentheses", () => {
  const cases: readonly (readonly [string, SExpr])[] = [
    ["a - b - c", binary("-", binary("-", a, b), c)],
    ["a - (b - c)", binary("-", a, binary("-", b, c))],
    ["(a + b) * c", binary("*", binary("+", a, b), c)],
    ["a ** b ** c", binary("**", a, binary("**", b, c))],
    ["(a ** b) ** c", binary("**", binary("**", a, b), c)],
    ["-a ** b", unary("-", binary("**", a, b))],
    ["(-a) ** -b", binary("**", unary("-", a), unary("-", b))],
    ["-(a + b)", unary("-", binary("+", a, b))],
    ["not a == b", unary("not", compare("==", a, b))],
    ["(not a) == b", compare("==", unary("not", a), b)],
    ["(a < b) < c", compare("<", compare("<", a, b), c)],
    ["a < (b < c)", compare("<", a, compare("<", b, c))],
    ["a and b or c", boolOp("or", boolOp("and", a, b), c)],
    ["a and (b or c)", boolOp("and", a, boolOp("or", b, c))],
    ["a and (b and c)", boolOp("and", a, boolOp("and", b, c))],
    ["a & b == c", compare("==", binary("&", a, b), c)],
    ["a & (b == c)", binary("&", a, compare("==", b, c))],
    ["(a + b).x(c)[1, 2]", make.subscript(call(make.attribute(binary("+", a, b), "x"), [c]), [integer(1), integer(2)])],
    ["a - -5", binary("-", a, integer(-5))],
    ["(-5)[a]", make.subscript(integer(-5), [a])],
    ["(5).x", make.attribute(integer(5), "x")],
    ["(a,)", make.tupleOf([a])],
    ["a[b,]", make.subscript(a, [make.tupleOf([b], false)])],
    ["f(a, k=b)", call(name("f"), [a], [make.keyword("k", b)])],
  ];
  test.each(cases)("%s", (text, tree) => expect(printExpr(tree)).toBe(text));
});

describe("statements", () => {
  test("a long call has one argument a line", () => {
    const long = call(make.dotted("pl.something"), Array.from({ length: 12 }, (_, i) => name(`argument_${i}`)));
    expect(print(make.moduleOf([make.assignStmt(a, long)]))).toBe(
      ["a = pl.something(", ...Array.from({ length: 12 }, (_, i) => `    argument_${i},`), ")", ""].join("\n"),
    );
  });

  test("a long sum gets parentheses", () => {
    const sum = Array.from({ length: 14 }, (_, i): SExpr => name(`operand_${i}`)).reduce((x, y) => binary("+", x, y));
    expect(print(make.moduleOf([make.assignStmt(a, sum)]))).toBe(
      ["a = (", "    operand_0", ...Array.from({ length: 13 }, (_, i) => `    + operand_${i + 1}`), ")", ""].join("\n"),
    );
  });

  test("definitions stand apart and comments stay above what they are about", () => {
    const f = (title: string) =>
      make.functionDef(
        { decorators: [name("func")], name: title, params: [make.param("x", a)], returns: b, body: make.block([make.returnStmt(c, { comments: ["why"] })], ["end"]) },
        { comments: ["what"] },
      );
    expect(print(make.moduleOf([f("f"), f("g")]))).toMatchInlineSnapshot(`
      "# what
      @func
      def f(x: a) -> b:
          # why
          return c
          # end


      # what
      @func
      def g(x: a) -> b:
          # why
          return c
          # end
      "
    `);
  });
});

test("what fits on its line is written as the layout algorithm would write it", () => {
  for (let seed = 0; seed < 2000; seed++) {
    const doc = expression(expr(random(seed), 1 + (seed % 4)));
    for (const depth of [0, 3, 20]) expect(layOut(doc, depth)).toBe(layOutFully(doc, depth));
  }
});
