// Templates: the text with its holes, and where a hole may stand.

import { describe, expect, it } from "vitest";
import { parse } from "../src/parse.ts";
import { templateSource } from "../src/template.ts";
import { dump } from "./dump.ts";
import { told } from "./support.ts";

/** As the tag of a template sees it. */
function template(strings: TemplateStringsArray, ..._values: readonly unknown[]) {
  const { source, holes } = templateSource(strings.raw, "template");
  const { value, diagnostics } = parse(source, holes);
  return { tree: dump(value.body), told: told(diagnostics), text: source.text };
}

describe("holes", () => {
  it("stand wherever a name may, each with its index", () => {
    expect(template`x = ${0}.hidden + f(${1}, k=${2})[${3}]`).toMatchObject({
      told: [],
      tree: [["AssignStmt", [["Name", "x"]], [
        "Binary", "+", ["Attribute", ["Hole", 0], "hidden"],
        ["Subscript", ["Call", ["Name", "f"], ["Arg", null, "", ["Hole", 1]], ["Arg", "k", "", ["Hole", 2]]], ["Hole", 3]],
      ]]],
    });
  });

  it("stand in types, decorators and tuples", () => {
    const { tree, told } = template`
      @func(target=${0})
      def f(x: Tensor[(${1}, ${2}), ${3}]): return ${4}, ${5}
    `;
    expect(told).toEqual([]);
    expect(JSON.stringify(tree).match(/\["Hole",(\d)\]/g)).toHaveLength(6);
  });

  it("are shown in the text", () => {
    expect(template`a${1}b`.text).toBe("a${…}b");
  });

  it("may not stand inside a string or a comment, nor touch a name", () => {
    expect(template`x = "a${0}"`.told).toEqual(["1:7 TF1013 a hole may not stand inside a string"]);
    expect(template`x = """
      ${0}
    """`.told).toEqual(["2:7 TF1013 a hole may not stand inside a string"]);
    expect(template`x = f"{${0}}"`.told).toEqual(["1:8 TF1013 a hole may not stand inside a string"]);
    expect(template`x = 1  # ${0} and ${1}`.told).toEqual(["1:10 TF1013 a hole may not stand inside a comment"]);
    expect(template`x = a${0}`.told).toEqual(["1:6 TF1013 a hole may not stand glued to the name before it"]);
    expect(template`x = ${0}a`.told).toEqual(["1:5 TF1013 a hole may not stand glued to what follows it"]);
    expect(template`x = ${0}"a"`.told).toEqual(["1:5 TF1013 a hole may not stand glued to what follows it"]);
  });

  it("may not be assigned to", () => {
    expect(template`${0} = 1`.told).toEqual(["1:1 TF1016 cannot assign to a hole"]);
  });

  it("keep their index behind a line that is read again", () => {
    const { tree } = template`
      x = (${0}
      y = ${1}
      z = ${2}
    `;
    expect(JSON.stringify(tree)).toContain('["AssignStmt",[["Name","y"]],["Hole",1]]');
    expect(JSON.stringify(tree)).toContain('["AssignStmt",[["Name","z"]],["Hole",2]]');
  });

  it("keep their index behind a string that is never closed", () => {
    const { tree, told } = template`
      def f():
        """a ${0}
      def g(): return ${1}
    `;
    expect(told).toEqual(["3:9 TF1008 this string is never closed"]);
    expect(JSON.stringify(tree)).toContain('["ReturnStmt",["Hole",1]]');
  });

  it("do not make a dollar sign part of the language", () => {
    expect(template`x = $a`.told).toEqual(["1:5 TF1010 character `$` is not part of the language"]);
  });
});

describe("the text of a template", () => {
  it("stands for backquotes and dollar signs that are escaped", () => {
    expect(template`a \` b \${c} \n`.text).toBe("a ` b ${c} \\n");
  });

  it("may be indented as a whole", () => {
    const { tree, told } = template`
      x = 1
      if x:
        y = 2
    `;
    expect(told).toEqual([]);
    expect(tree).toHaveLength(2);
  });

  it("may not be indented less later on", () => {
    expect(template`
      x = 1
    y = 2
    `.told).toEqual(["3:1 TF1004 this line is indented less than its block, but matches no outer block"]);
  });

  it("keeps the place it has in its file", () => {
    const { source, holes } = templateSource(["x = ", " +"], "a.ts", { origin: { line: 7, column: 20 } });
    expect(told(parse(source, holes).diagnostics)).toEqual(["7:30 TF1002 expected an expression after `+`, found end of line"]);
  });
});
