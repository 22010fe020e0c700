import { describe, expect, it } from "vitest";
import type { ToolBlock } from "../../src/agent/messages/message.ts";
import { toolCard, toolSummary } from "../../src/extension/chat/toolCards.ts";

const block: ToolBlock = {
  type: "tool",
  id: "call-1",
  name: "Edit",
  parameters: { file_path: "/app/src/a.ts", old_string: "a", new_string: "b" },
  result: "done",
  success: true,
  stage: "end",
};

describe("tool cards", () => {
  it("say what, where and in which state", () => {
    expect(toolCard({ ...block, diff: "@@ -1 +1 @@" }, "/app")).toEqual({
      id: "call-1",
      name: "Edit",
      summary: "src/a.ts",
      state: "done",
      result: "done",
      diff: "@@ -1 +1 @@",
      file: "/app/src/a.ts",
    });
    expect(toolCard({ ...block, result: "", stage: "running" }, "/other")).toEqual({
      id: "call-1",
      name: "Edit",
      summary: "/app/src/a.ts",
      state: "running",
      file: "/app/src/a.ts",
    });
    expect(toolCard({ ...block, result: "", success: false, error: "no" }, "/app")).toMatchObject({
      state: "failed",
      error: "no",
    });
  });

  it.each([
    ["Bash", { command: "npm test\n&& echo ok", timeout: 3 }, "npm test && echo ok"],
    ["Grep", { pattern: "a.*b", path: "src" }, "a.*b"],
    ["Agent", { prompt: "look", description: "find it" }, "find it"],
    ["CronCreate", { cron: "0 9 * * *", prompt: "report" }, "0 9 * * * report"],
    ["CronList", {}, ""],
    ["mcp__files__stat", { path: "x" }, '{"path":"x"}'],
    ["Bash", '{"command": broken', '{"command": broken'],
    ["Bash", null, ""],
    ["Read", { file_path: 7 }, '{"file_path":7}'],
  ])("sum up a call of %s in one line", (name, parameters, summary) => {
    expect(toolSummary(name, parameters, "/app")).toBe(summary);
  });

  it("are bounded, and cut no character apart", () => {
    const result = `start ${"😀".repeat(40_000)} end`;
    const shown = toolCard({ ...block, result }, "/app").result ?? "";
    expect(shown.length).toBeLessThan(20_100);
    expect(shown.startsWith("start ")).toBe(true);
    expect(shown.endsWith(" end")).toBe(true);
    expect(shown).not.toMatch(/\p{Cs}/u);
    expect([...toolSummary("Bash", { command: "x".repeat(100_000) }, "/app")].length).toBe(201);
  });
});
