import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { fileGlobs, rankPaths } from "../../src/extension/chat/fileMatch.ts";

const found = (query: string, path: string): boolean => picomatch([...fileGlobs(query)], { dot: true })(path);

describe("the search behind an @-mention", () => {
  it.each([
    ["", "a/b.ts"],
    ["set", "src/Settings.ts"],
    ["SET", "src/settings.ts"],
    ["src/ext", "src/extension/a.ts"],
    ["extension/", "src/extension/chat/a.ts"],
    ["\\src", "x/src/a.ts"],
    ["a[1", "docs/a[1].md"],
  ])("finds with %j the file %s", (query, path) => expect(found(query, path)).toBe(true));

  it("finds nothing else", () => {
    expect(found("abc", "src/ab/c.ts")).toBe(false);
    expect(found("*", "src/ab.ts")).toBe(false);
  });

  it("puts the nearest first", () => {
    expect(rankPaths(["lib/x/main.ts", "main/deep/a.ts", "remain.ts", "src/main.ts"], "MAIN")).toEqual([
      "src/main.ts",
      "lib/x/main.ts",
      "remain.ts",
      "main/deep/a.ts",
    ]);
  });
});
