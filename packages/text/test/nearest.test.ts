// Which spelling is offered for a name that nothing has.

import { editDistance, nearest } from "@tilefoundry/text";
import { describe, expect, it } from "vitest";

const KNOWN = ["add", "row_max", "row_min", "softmax", "int", "x", "FP32", "FP64"];

describe("the nearest spelling", () => {
  it.each([
    ["row_maxx", "row_max"], ["sofmtax", "softmax"], ["addd", "add"], ["FP33", "FP32"], ["Softmax", "softmax"], ["ad", "add"], ["X", "x"],
  ])("of %s is %s", (name, meant) => expect(nearest(name, KNOWN)).toBe(meant));

  it.each(["print", "q", "whatever", "yz", "f"])("of %s is none", (name) => expect(nearest(name, KNOWN)).toBeUndefined());

  it("is the first of equals, and never the name itself", () => {
    expect(nearest("FP3", ["FP32", "FP31"])).toBe("FP32");
    expect(nearest("add", ["add"])).toBeUndefined();
  });
});

describe("the distance of two words", () => {
  it.each([["", "", 0], ["abc", "abc", 0], ["abc", "ab", 1], ["abc", "axc", 1], ["abc", "acb", 1], ["kitten", "sitting", 3], ["", "abc", 3]] as const)(
    "from '%s' to '%s' is %d, in both directions",
    (a, b, n) => expect([editDistance(a, b), editDistance(b, a)]).toEqual([n, n]),
  );
});
