import { describe, expect, it } from "vitest";
import type { PermissionQuestion } from "../../src/agent/agentOptions.ts";
import { PermissionQuestions } from "../../src/extension/chat/permissionQuestions.ts";
import { chinese } from "../support/localizers.ts";

function setUp(addRule: (rule: string) => Promise<void> = async () => {}) {
  const failures: string[] = [];
  const questions = new PermissionQuestions({
    l10n: chinese,
    fileLabel: ".wave/settings.local.json",
    addRule,
    onRuleFailed: (rule, error) => failures.push(`${rule}: ${error}`),
    onChange: () => {},
  });
  const question = (more: Partial<PermissionQuestion> = {}): PermissionQuestion => ({
    id: "call-1",
    toolName: "Bash",
    toolInput: {},
    summary: "npm test",
    signal: new AbortController().signal,
    ...more,
  });
  return { questions, question, failures };
}

describe("permission questions", () => {
  it("show what it will do, and are answered once", async () => {
    const { questions, question } = setUp();
    const answer = questions.ask(question({ suggestedRule: "Bash(npm test)" }));
    expect(questions.views).toEqual([
      {
        id: "call-1",
        toolName: "Bash",
        summary: "npm test",
        always: { rule: "Bash(npm test)", fileLabel: ".wave/settings.local.json" },
      },
    ]);
    questions.answer("call-1", "allow");
    questions.answer("call-1", "deny");
    expect(await answer).toEqual({ behavior: "allow" });
    expect(questions.views).toEqual([]);
  });

  it("show the path of the file once, in the summary", async () => {
    const { questions, question } = setUp();
    const file = "/home/ann/app/.wave/settings.json";
    void questions.ask(question({ file, summary: file, reason: `${file}: it configures hooks.` }));
    expect(questions.views[0]).toMatchObject({
      summary: file,
      reason: "settings.json: it configures hooks.",
    });
    questions.answer("call-1", "deny");
  });

  it("carry the user's word to the model with a refusal", async () => {
    const { questions, question } = setUp();
    const answer = questions.ask(question());
    questions.answer("call-1", "deny", "use pnpm");
    expect(await answer).toEqual({ behavior: "deny", message: "use pnpm" });
  });

  it("write the rule of always before the call goes on", async () => {
    const rules: string[] = [];
    const { questions, question } = setUp(async (rule) => void rules.push(rule));
    const answer = questions.ask(question({ suggestedRule: "Bash(npm test)" }));
    questions.answer("call-1", "always");
    expect(await answer).toEqual({ behavior: "allow", rule: "Bash(npm test)" });
    expect(rules).toEqual(["Bash(npm test)"]);
  });

  it("allow once where the rule cannot be written, and say so", async () => {
    const { questions, question, failures } = setUp(() => Promise.reject(new Error("disk full")));
    const answer = questions.ask(question({ suggestedRule: "Write" }));
    questions.answer("call-1", "always");
    expect(await answer).toEqual({ behavior: "allow" });
    expect(failures).toEqual(["Write: Error: disk full"]);
  });

  it("never allow always what may not be allowed always", async () => {
    const rules: string[] = [];
    const { questions, question } = setUp(async (rule) => void rules.push(rule));
    const reason = "It configures hooks and permissions.";
    const answer = questions.ask(question({ diff: "+hook", file: "/app/.wave/settings.json", reason }));
    expect(questions.views[0]).not.toHaveProperty("always");
    expect(questions.views[0]?.reason).toBe("它配置钩子和权限。");
    questions.answer("call-1", "always");
    expect(await answer).toEqual({ behavior: "allow" });
    expect(rules).toEqual([]);
  });

  it("are void when the turn is interrupted", async () => {
    const { questions, question } = setUp();
    const controller = new AbortController();
    const answer = questions.ask(question({ signal: controller.signal }));
    const second = questions.ask(question());
    expect(questions.views.map(({ id }) => id)).toEqual(["call-1", "call-1#2"]);
    controller.abort();
    expect(await answer).toEqual({ behavior: "deny" });
    questions.answer("call-1#2", "allow");
    expect(await second).toEqual({ behavior: "allow" });
    expect(await questions.ask(question({ signal: controller.signal }))).toEqual({ behavior: "deny" });
  });
});
