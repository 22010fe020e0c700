import { describe, expect, it } from "vitest";
import { editHookPrompt, hookName, newHookPrompt } from "../../src/extension/hookPrompts.ts";
import { chinese, english } from "../support/localizers.ts";

const hook = {
  event: "PostToolUse",
  matcher: "Write|Edit",
  command: "npm run lint",
  file: "/home/me/app/.wave/settings.json",
  line: 12,
};

describe("the prompts of the settings page", () => {
  it("H28.1 asks for a user hook in the seed's words", () => {
    expect(newHookPrompt(chinese, "user", "app")).toBe(
      "帮我配一个用户级钩子：<事件>时，<matcher 工具>，跑<命令>，<超时/异步>",
    );
    expect(newHookPrompt(english, "user", "app")).toBe(
      "Set up a user hook for me: on <event>, for <matcher tools>, run <command>, <timeout/async>",
    );
  });

  it("H28.2 asks for a project hook with the project's name", () => {
    expect(newHookPrompt(chinese, "project", "我的{0}项目")).toBe(
      "帮我在【我的{0}项目】新建钩子：<事件>时，<matcher 工具>，跑<命令>，<超时/异步>",
    );
    expect(newHookPrompt(english, "project", "app")).toBe(
      "Create a hook in [app] for me: on <event>, for <matcher tools>, run <command>, <timeout/async>",
    );
  });

  it("H29.1 asks for an edit, and names the hook and the absolute path of its file", () => {
    expect(editHookPrompt(chinese, hook)).toBe(
      "帮我编辑钩子：把<事件/匹配/命令/超时>改成<新内容>\n" +
        "钩子：PostToolUse, Write|Edit, `npm run lint`，位于 /home/me/app/.wave/settings.json 第 12 行",
    );
    expect(editHookPrompt(english, hook)).toBe(
      "Edit this hook for me: change <event/matcher/command/timeout> to <new value>\n" +
        "The hook: PostToolUse, Write|Edit, `npm run lint` in /home/me/app/.wave/settings.json, line 12",
    );
  });

  it("names a hook on one line, whatever its command holds", () => {
    expect(hookName({ event: "Stop", command: "a\n\u001b[31mb\u202e" })).toBe("Stop, `a [31mb`");
    expect(hookName({ event: "Stop", matcher: "", command: "😀".repeat(200) })).toBe(
      `Stop, \`${"😀".repeat(120)}…\``,
    );
    expect(hookName({ event: "Stop", command: "" })).toBe("Stop");
  });
});
