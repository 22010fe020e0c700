import { describe, expect, it } from "vitest";
import { assistantMessage, userMessage, withToolBlock } from "../../src/agent/messages/message.ts";
import { firstDifference, MessageViews } from "../../src/extension/chat/messageViews.ts";

describe("messages as the chat shows them", () => {
  it("H13.2 H14.3 hides what hooks and the runtime tell the model", () => {
    const views = new MessageViews("/app").of([
      userMessage("fix it"),
      userMessage("<system-reminder>context</system-reminder>", { isMeta: true }),
      assistantMessage([]),
      assistantMessage([{ type: "text", content: "done" }]),
    ]);
    expect(views.map(({ role, blocks }) => [role, blocks])).toEqual([
      ["user", [{ type: "text", content: "fix it" }]],
      ["assistant", [{ type: "text", content: "done" }]],
    ]);
  });

  it("H25.1 shows notices by level, compactions and background tasks in their place", () => {
    const [view] = new MessageViews("/app").of([
      assistantMessage([
        { type: "text", content: "a" },
        { type: "notice", level: "warning", content: "careful" },
        { type: "compact", content: "so far" },
        {
          type: "task_notification",
          taskId: "1",
          taskType: "shell",
          status: "completed",
          summary: "Build ended",
          content: "ok",
          outputFile: "/tmp/out",
        },
      ]),
    ]);
    expect(view?.blocks).toEqual([
      { type: "text", content: "a" },
      { type: "notice", level: "warning", content: "careful" },
      { type: "compact", content: "so far" },
      { type: "taskNotification", title: "Build ended", content: "ok\n\n/tmp/out" },
    ]);
  });

  it("converts a message once, and anew when it changed", () => {
    const views = new MessageViews("/app");
    const first = userMessage("a");
    const call = assistantMessage([
      {
        type: "tool",
        id: "1",
        name: "Bash",
        parameters: { command: "ls" },
        result: "",
        success: false,
        stage: "running",
      },
    ]);
    const before = views.of([first, call]);
    expect(firstDifference(before, views.of([first, call]))).toBeUndefined();
    const after = views.of([first, withToolBlock(call, "1", { stage: "end", success: true, result: "x" })]);
    expect(firstDifference(before, after)).toBe(1);
    expect(firstDifference(after, views.of([first]))).toBe(1);
    expect(firstDifference([], after)).toBe(0);
  });
});
