import { createTwoFilesPatch } from "diff";
import { describe, expect, it } from "vitest";
import { diffSides } from "../../src/extension/chat/diffSides.ts";

const lines = (count: number, changed = -1, text = ""): string =>
  Array.from({ length: count }, (_, index) => `${index === changed ? text : `line ${index}`}\n`).join("");

describe("the two sides of a change", () => {
  const before = lines(40);
  const after = lines(40, 20, "changed");
  const diff = createTwoFilesPatch("a", "a", before, after);

  it("are the whole file, before and after the change", () => {
    expect(diffSides(diff, before, "pending")).toEqual({ before, after });
    expect(diffSides(diff, after, "done")).toEqual({ before, after });
  });

  it("are a new file and nothing where the file did not exist", () => {
    const created = createTwoFilesPatch("/dev/null", "a", "", "x\ny\n");
    expect(diffSides(created, "", "pending")).toEqual({ before: "", after: "x\ny\n" });
    expect(diffSides(created, "x\ny\n", "done")).toEqual({ before: "", after: "x\ny\n" });
  });

  it("are the changed places alone where the file has changed since", () => {
    const sides = diffSides(diff, "something else\n", "done");
    expect(sides.before).toContain("line 20\n");
    expect(sides.after).toContain("changed\n");
    expect(sides.before.split("\n").length).toBeLessThan(12);
  });

  it("show the file as it is where the diff is none", () => {
    expect(diffSides("", "x", "done")).toEqual({ before: "x", after: "x" });
  });
});
