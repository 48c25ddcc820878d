import { describe, expect, test } from "vitest";
import { diagnostic, makeSource, PLAIN, renderDiagnostic, renderDiagnostics, span, summary, type DiagnosticExtras, type Palette, type Source } from "../src/index.ts";

const at = (source: Source, text: string, from = 0) => {
  const start = source.text.indexOf(text, from);
  return span(source, start, start + text.length);
};

const fault = (source: Source, text: string, extras: DiagnosticExtras = {}) => diagnostic("TF1010", at(source, text), { text: "`?`" }, extras);

describe("a diagnostic", () => {
  const kernel = makeSource("kernel.tf", "@func\ndef f(x):\n    y = x ? 1\n    return y\n");

  test("shows the place under its line", () => {
    expect(renderDiagnostic(fault(kernel, "?"))).toMatchInlineSnapshot(`
      "error[TF1010]: character \`?\` is not part of the language
       --> kernel.tf:3:11
        |
      3 |     y = x ? 1
        |           ^
        |
        = help: remove it"
    `);
  });

  test("without a place is heading and help", () => {
    expect(renderDiagnostic(diagnostic("TF1015", undefined, {}))).toMatchInlineSnapshot(`
      "error[TF1015]: the text holds no kernel
        = help: define a function decorated with \`@func\`, \`@prim_func\` or \`@pl.function\`"
    `);
  });

  test("shows related places beside it or apart", () => {
    const far = makeSource("far.tf", `a = 1\n\n\nb = 2\n${"\n".repeat(20)}c = a ? b`);
    const extras = { related: [{ message: "`a` is made here", span: at(far, "a = 1") }, { message: "and `b` here", span: at(far, "b = 2") }, { message: "used", span: at(far, "b", 30) }, { message: "elsewhere", span: at(kernel, "x") }] };
    expect(renderDiagnostic(fault(far, "?", extras))).toMatchInlineSnapshot(`
      "error[TF1010]: character \`?\` is not part of the language
        --> far.tf:25:7
         |
      25 | c = a ? b
         |       ^
         |         - used
        ::: far.tf:1:1
         |
       1 | a = 1
         | ----- \`a\` is made here
      ...
       4 | b = 2
         | ----- and \`b\` here
        ::: kernel.tf:2:7
         |
       2 | def f(x):
         |       - elsewhere
         |
         = help: remove it"
    `);
  });

  test("shows what a fix writes", () => {
    const fixes = [
      { title: "write `+`", edits: [{ span: at(kernel, "?"), text: "+" }] },
      { title: "name the sum", edits: [{ span: span(kernel, kernel.text.indexOf("return"), kernel.text.indexOf("return")), text: "s = x\n    " }, { span: at(kernel, "y", 40), text: "s" }] },
    ];
    expect(renderDiagnostic(fault(kernel, "?", { fixes }))).toMatchInlineSnapshot(`
      "error[TF1010]: character \`?\` is not part of the language
       --> kernel.tf:3:11
        |
      3 |     y = x ? 1
        |           ^
        |
        = help: remove it
        = fix: write \`+\`
        |
      3 |     y = x + 1
        |           ~
        = fix: name the sum
        |
      4 |     s = x
        |     +++++
      5 |     return s
        |            ~"
    `);
  });

  test("shows places of several lines by their ends", () => {
    const source = makeSource("long.tf", "x = f(\n    a,\n\n    b,\n)\ny = [\n  1,\n]\n");
    expect(renderDiagnostic(fault(source, "f(\n    a,\n\n    b,\n)"))).toMatchInlineSnapshot(`
      "error[TF1010]: character \`?\` is not part of the language
       --> long.tf:1:5
        |
      1 | x = f(
        |     ^^
      ...
      5 | )
        | ^
        |
        = help: remove it"
    `);
    expect(renderDiagnostic(fault(source, "[\n  1,\n]\n", { related: [{ message: "all of it", span: at(source, "y = [\n  1,\n]") }] }))).toMatchInlineSnapshot(`
      "error[TF1010]: character \`?\` is not part of the language
       --> long.tf:6:5
        |
      6 | y = [
        | -----
        |     ^
      7 |   1,
        |   --
        |   ^^
      8 | ]
        | - all of it
        | ^
        |
        = help: remove it"
    `);
  });

  test("counts tabs and wide characters as the terminal does", () => {
    const source = makeSource("wide.tf", "\tx = \"漢字\" ? e\u0301 ? 1\u0007");
    expect(renderDiagnostic(fault(source, "?"))).toMatchInlineSnapshot(`
      "error[TF1010]: character \`?\` is not part of the language
       --> wide.tf:1:11
        |
      1 |     x = "漢字" ? é ? 1␇
        |                ^
        |
        = help: remove it"
    `);
    expect(renderDiagnostic(fault(source, "1\u0007"))).toMatchInlineSnapshot(`
      "error[TF1010]: character \`?\` is not part of the language
       --> wide.tf:1:18
        |
      1 |     x = "漢字" ? é ? 1␇
        |                      ^^
        |
        = help: remove it"
    `);
  });

  test("cuts long lines around the place", () => {
    const source = makeSource("line.tf", `x = ${"a + ".repeat(100)}? + ${"b + ".repeat(100)}c`);
    expect(renderDiagnostic(fault(source, "?"))).toMatchInlineSnapshot(`
      "error[TF1010]: character \`?\` is not part of the language
       --> line.tf:1:405
        |
      1 | … a + a + a + a + a + a + a + ? + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b…
        |                               ^
        |
        = help: remove it"
    `);
    expect(renderDiagnostic(fault(source, "x = "))).toMatchInlineSnapshot(`
      "error[TF1010]: character \`?\` is not part of the language
       --> line.tf:1:1
        |
      1 | x = a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a +…
        | ^^^^
        |
        = help: remove it"
    `);
  });

  test("shows a long line again for a mark far from the first one", () => {
    const source = makeSource("line.tf", `x = ${"a + ".repeat(60)}? + ${"b + ".repeat(20)}c`);
    const far = { related: [{ message: "the first", span: span(source, 0, 1) }, { message: "the last", span: span(source, source.text.length - 1, source.text.length) }] };
    expect(renderDiagnostic(fault(source, "?", far))).toMatchInlineSnapshot(`
      "error[TF1010]: character \`?\` is not part of the language
       --> line.tf:1:245
        |
      1 | x = a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a +…
        | - the first
      1 | …+ a + a + a + a + a + a + a + a + ? + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + c
        |                                    ^
        |                                                                                                                        - the last
        |
        = help: remove it"
    `);
  });

  test("lays out no more of a line of ten megabytes than it shows", () => {
    const source = makeSource("line.tf", `${"a + ".repeat(2_500_000)}?${" + b".repeat(1000)}`);
    expect(renderDiagnostic(fault(source, "?"))).toMatchInlineSnapshot(`
      "error[TF1010]: character \`?\` is not part of the language
       --> line.tf:1:10000001
        |
      1 | … a + a + a + a + a + a + a + ? + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b…
        |                               ^
        |
        = help: remove it"
    `);
  });

  test("says when a column counts within a template", () => {
    const source = makeSource("kernel.ts", "a ? 1\n  b ! ${…} & 3", { origin: { line: 10, column: 7 }, exactColumns: false });
    expect(["?", "!", "&"].map((c) => renderDiagnostic(fault(source, c)).split("\n")[1])).toEqual([
      "  --> kernel.ts:10:9 (column in the template)",
      "  --> kernel.ts:11:5",
      "  --> kernel.ts:11:12 (column in the template)",
    ]);
  });

  test("at the end of a text and in an empty one has one mark", () => {
    const [full, empty] = [makeSource("a.tf", "x = (\n"), makeSource("b.tf", "")];
    expect(renderDiagnostic(diagnostic("TF1006", span(full, 6, 6), { opener: "`(`", closer: "`)`" }))).toMatchInlineSnapshot(`
      "error[TF1006]: \`(\` is never closed
       --> a.tf:2:1
        |
      2 |
        | ^
        |
        = help: add the matching \`)\`"
    `);
    expect(renderDiagnostic(diagnostic("TF1015", span(empty, 0, 0), {}))).toMatchInlineSnapshot(`
      "error[TF1015]: the text holds no kernel
       --> b.tf:1:1
        |
      1 |
        | ^
        |
        = help: define a function decorated with \`@func\`, \`@prim_func\` or \`@pl.function\`"
    `);
  });

  test("is painted by role", () => {
    const palette = Object.fromEntries(Object.keys(PLAIN).map((role) => [role, (text: string) => `<${role}>${text}</>`])) as unknown as Palette; // the same roles
    expect(renderDiagnostic(fault(kernel, "?", { related: [{ message: "here", span: at(kernel, "x") }] }), palette)).toMatchInlineSnapshot(`
      "<error>error[TF1010]</><title>: character \`?\` is not part of the language</>
      <frame> --></> kernel.tf:3:11
      <frame>  |</>
      <frame>2 |</> def f(x):
      <frame>  |</>       <related>- here</>
      <frame>3 |</>     y = x ? 1
      <frame>  |</>           <error>^</>
      <frame>  |</>
        <frame>=</> <help>help:</> remove it"
    `);
  });
});

test("several diagnostics stand apart and are counted", () => {
  const source = makeSource("a.tf", "? ?");
  const two = [fault(source, "?"), fault(source, "?")];
  expect(renderDiagnostics(two)).toBe(`${renderDiagnostic(fault(source, "?"))}\n\n${renderDiagnostic(fault(source, "?"))}`);
  expect(summary(two)).toBe("2 errors");
  expect(summary([fault(source, "?"), { ...fault(source, "?"), severity: "warning" }])).toBe("1 error, 1 warning");
  expect(summary([])).toBe("no errors");
});

test("no line is wider than the limit and marks stay below what they mark", () => {
  for (let length = 0; length < 300; length += 7) {
    const source = makeSource("a.tf", `${"字".repeat(length)}?${"\t".repeat(length % 5)}${"x".repeat(300 - length)}`);
    const [, , , line = "", marks = ""] = renderDiagnostic(fault(source, "?")).split("\n");
    const column = (text: string): number => [...text].reduce((width, c) => width + (c === "字" ? 2 : 1), 0);
    expect(column(line)).toBeLessThanOrEqual(124);
    expect(column(line.slice(0, line.indexOf("?")))).toBe(column(marks.slice(0, marks.indexOf("^"))));
  }
});
