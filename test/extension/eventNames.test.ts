import { describe, expect, it } from "vitest";
import { eventName } from "../../src/extension/settingsPage/eventNames.ts";

describe("what the page says of an event", () => {
  it.each([
    ["PostToolUse", "wave", { label: "After a tool ran", otherName: "postToolUse" }],
    ["WorktreeCreate", "wave", { label: "When a worktree is created" }],
    ["postToolUse", "copilot", { label: "After a tool ran", otherName: "PostToolUse" }],
    ["agentStop", "copilot", { label: "When the agent stops", otherName: "Stop" }],
    ["Stop", "copilot", { label: "When the agent stops", otherName: "agentStop" }],
    ["errorOccurred", "copilot", { label: "When an error occurs", otherName: "ErrorOccurred" }],
    ["userPromptTransformed", "copilot", { label: "When a prompt becomes model input" }],
    [
      "notification",
      "copilot",
      { label: "When the agent notifies the user", otherName: "Notification", notFiredByCloudAgent: true },
    ],
  ] as const)("C25 knows %s of the %s format", (name, dialect, known) => {
    expect(eventName(name, dialect)).toEqual(known);
  });

  it("knows nothing of names that the format does not have", () => {
    expect(eventName("postToolUse", "wave")).toBeUndefined();
    expect(eventName("ErrorOccurred", "wave")).toBeUndefined();
    expect(eventName("constructor", "wave")).toBeUndefined();
    expect(eventName("NoSuchEvent", "copilot")).toBeUndefined();
  });
});
