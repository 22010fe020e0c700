import { describe, expect, it } from "vitest";
import { compileMatcher } from "../../src/hooks/hookMatcher.ts";

function takes(pattern: string | undefined, subject: string): boolean {
  const compiled = compileMatcher(pattern);
  if (!compiled.ok) throw new Error(compiled.reason);
  return compiled.matcher.takes(subject);
}

describe("a matcher", () => {
  it.each([undefined, "", "*", "  ", " * "])("%j takes everything", (pattern) => {
    expect([takes(pattern, "Write"), takes(pattern, "")]).toEqual([true, true]);
  });

  it.each([
    ["Write", ["Write"], ["write", "WriteFile", "MultiWrite", ""]],
    ["Edit|Write", ["Edit", "Write"], ["Edit|Write", "Editor"]],
    ["Edit, Write", ["Edit", "Write"], [" Write", "Edit,"]],
    [" Edit | Write ,Read", ["Edit", "Write", "Read"], ["Other"]],
    ["code-reviewer", ["code-reviewer"], ["senior-code-reviewer"]],
    ["mcp__db__query", ["mcp__db__query"], ["mcp__db__query2"]],
    ["mcp__db", [], ["mcp__db__query"]],
    ["|", [], ["", "Write"]],
  ])("%j is a list of exact names", (pattern, yes, no) => {
    for (const subject of yes) expect(takes(pattern, subject), subject).toBe(true);
    for (const subject of no) expect(takes(pattern, subject), subject).toBe(false);
  });

  it.each([
    ["mcp__db__.*", ["mcp__db__query"], ["mcp__web__get"]],
    ["Edit.*", ["Edit", "EditNotebook", "MultiEdit"], ["edit"]],
    ["^Edit$", ["Edit"], ["MultiEdit"]],
    ["^(Edit|Write)$", ["Edit", "Write"], ["Bash"]],
    ["Notebook.", ["MyNotebookX"], ["Notebook"]],
    ["^my-plugin:reviewer$", ["my-plugin:reviewer"], ["reviewer"]],
    ["Bash(git *)", [], ["Bash"]],
  ])("%j is a regular expression, unanchored and case-sensitive", (pattern, yes, no) => {
    for (const subject of yes) expect(takes(pattern, subject), subject).toBe(true);
    for (const subject of no) expect(takes(pattern, subject), subject).toBe(false);
  });

  it.each(["(", "[a", "*Edit", "a{2,1}"])("%j cannot compile and says why", (pattern) => {
    const compiled = compileMatcher(pattern);
    expect(compiled.ok).toBe(false);
    if (!compiled.ok) expect(compiled.reason).toContain("Invalid regular expression");
  });

  it("keeps no state between two questions", () => {
    const compiled = compileMatcher("^W.");
    if (!compiled.ok) throw new Error(compiled.reason);
    expect([1, 2, 3].map(() => compiled.matcher.takes("Write"))).toEqual([true, true, true]);
  });
});
