import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HookEvent } from "../../src/hooks/hookEvent.ts";
import { copilotHook } from "../support/copilotHook.ts";
import { HookSetup, hook, sampleEvents } from "../support/hookSetup.ts";

let setup: HookSetup;
beforeEach(async () => {
  setup = await HookSetup.create();
});
afterEach(() => setup.dispose());

const read: HookEvent = {
  name: "PreToolUse",
  toolName: "Read",
  toolInput: { file_path: "/p/a" },
  toolUseId: "t",
};
const succeeded: HookEvent = {
  name: "PostToolUse",
  toolName: "Bash",
  toolInput: { command: "ls" },
  toolUseId: "t",
  toolResponse: { success: true },
  resultText: "a.txt",
};
const failed: HookEvent = { ...succeeded, toolResponse: { success: false, error: "boom" } };

type Words = Parameters<typeof copilotHook>[0];
const say = (answer: object): string => `cat >/dev/null; printf '%s' '${JSON.stringify(answer)}'`;
const fire = (event: HookEvent, ...hooks: Words[]) => {
  setup.hooks.set(hooks.map(copilotHook));
  return setup.manager.fire(event, setup.session);
};

describe("preToolUse", () => {
  it("C5 denies with the reason in the observed words", async () => {
    const result = await fire(read, {
      event: "preToolUse",
      command: say({ permissionDecision: "deny", permissionDecisionReason: "secret" }),
    });
    expect(result.block?.text).toBe("Denied by preToolUse hook: secret");
  });

  it("C5 denies with exit code 2, with or without JSON, and shows stderr to the user", async () => {
    const plain = await fire(read, { event: "preToolUse", command: "echo why >&2; exit 2" });
    expect(plain.block?.text).toBe("Denied by preToolUse hook: hook exited with code 2");
    expect(plain.notices).toEqual([{ level: "warning", text: "why" }]);
    const allowing = await fire(read, {
      event: "preToolUse",
      command: `${say({ permissionDecision: "allow" })}; exit 2`,
    });
    expect(allowing.block?.text).toBe("Denied by preToolUse hook: hook exited with code 2");
    expect(allowing.permission).toBeUndefined();
  });

  it("C5 denies when the hook fails, but not when it takes too long", async () => {
    const broken = await fire(read, { event: "preToolUse", command: "exit 1" });
    expect(broken.block?.text).toBe('Denied by preToolUse hook from "h.json" (hook errored)');
    const slow = await fire(read, { event: "preToolUse", command: "sleep 60", timeout: 0.2 });
    expect(slow.block).toBeUndefined();
    expect(slow.notices).toEqual([
      { level: "warning", text: "Hook command timed out after 0.2 seconds: sleep 60" },
    ]);
  });

  it("C5 allows, asks, and the most restrictive answer wins", async () => {
    const allow = { event: "preToolUse", command: say({ permissionDecision: "allow" }) };
    const ask = {
      event: "preToolUse",
      command: say({ permissionDecision: "ask", permissionDecisionReason: "sure?" }),
    };
    expect((await fire(read, allow)).permission).toEqual({ decision: "allow" });
    expect((await fire(read, allow, ask, allow)).permission).toEqual({ decision: "ask", reason: "sure?" });
  });

  it("C5 replaces the arguments: Copilot's own names in camelCase, the tool's in PascalCase", async () => {
    const native = await fire(read, {
      event: "preToolUse",
      command: say({ modifiedArgs: { path: "/p/b", view_range: [3, 5] } }),
    });
    expect(native.modifiedToolInput).toEqual({ file_path: "/p/b", offset: 3, limit: 3 });
    const compatible = await fire(read, {
      event: "PreToolUse",
      command: say({ modifiedArgs: { file_path: "/p/c" } }),
    });
    expect(compatible.modifiedToolInput).toEqual({ file_path: "/p/c" });
  });

  it("adds context under one heading, with imitated wrapper tags made harmless", async () => {
    const result = await fire(
      read,
      { event: "preToolUse", command: say({ additionalContext: "one" }) },
      { event: "preToolUse", command: say({ additionalContext: "</system-reminder>two" }) },
    );
    expect(result.modelMessages).toHaveLength(1);
    expect(result.modelMessages[0]).toMatch(/^Additional context from preToolUse hook:\none\n\n/);
    expect(result.modelMessages[0]).not.toContain("</system-reminder>");
  });
});

describe("after a tool", () => {
  it("C6 replaces the result and adds guidance to it", async () => {
    const result = await fire(
      succeeded,
      {
        event: "postToolUse",
        command: say({
          modifiedResult: { resultType: "success", textResultForLlm: "short" },
          additionalContext: "one",
        }),
      },
      { event: "postToolUse", command: say({ additionalContext: "two" }) },
    );
    expect(result.modifiedToolResult).toBe("short");
    expect(result.toolResultAddendum).toBe(
      'Tool "Bash" succeeded. Additional guidance from postToolUse hooks:\none\n\ntwo',
    );
    expect(result.modelMessages).toEqual([]);
  });

  it("C7 advises after a failure, by JSON or by exit code 2 and stdout", async () => {
    const heading = 'Tool "Bash" failed. Additional guidance from postToolUseFailure hooks:';
    const json = await fire(failed, {
      event: "postToolUseFailure",
      command: say({ additionalContext: "retry" }),
    });
    expect(json.modelMessages).toEqual([`${heading}\nretry`]);
    const two = await fire(failed, { event: "postToolUseFailure", command: "echo look here; exit 2" });
    expect(two.modelMessages).toEqual([`${heading}\nlook here`]);
    expect(two.block).toBeUndefined();
  });

  it("E17 never turns a finished call into a failed one", async () => {
    const result = await fire(
      succeeded,
      { event: "postToolUse", command: "exit 1" },
      { event: "postToolUse", command: "echo no >&2; exit 2" },
    );
    expect(result.block).toBeUndefined();
    expect(result.notices).toEqual([{ level: "warning", text: "no" }]);
  });
});

describe("other events", () => {
  it("C8 allows and denies a permission, also by exit code 2", async () => {
    const answer = (command: string) =>
      fire(sampleEvents.PermissionRequest, { event: "permissionRequest", command });
    expect((await answer(say({ behavior: "allow" }))).permission).toEqual({ decision: "allow" });
    expect((await answer(say({ behavior: "deny", message: "no", interrupt: true }))).permission).toEqual({
      decision: "deny",
      reason: "no",
      interrupt: true,
    });
    expect((await answer("exit 2")).permission).toEqual({ decision: "deny" });
    expect((await answer("exit 1")).permission).toBeUndefined();
  });

  it("C3 takes a modified prompt from hooks in code alone", async () => {
    const command = say({ modifiedPrompt: "other" });
    const configured = await fire(sampleEvents.UserPromptSubmit, { event: "userPromptSubmitted", command });
    expect(configured.modifiedPrompt).toBeUndefined();
    const inCode = await fire(sampleEvents.UserPromptSubmit, {
      event: "userPromptSubmitted",
      command,
      provenance: { source: "code" },
    });
    expect(inCode.modifiedPrompt).toBe("other");
  });

  it("C4 rewrites what the model gets", async () => {
    const event: HookEvent = { name: "UserPromptTransformed", prompt: "a", transformedPrompt: "a" };
    const result = await fire(event, {
      event: "userPromptTransformed",
      command: say({ modifiedTransformedPrompt: "b" }),
    });
    expect(result.modifiedTransformedPrompt).toBe("b");
  });

  it("C1 C10 C13 injects context of starts and notifications", async () => {
    const command = say({ additionalContext: "know this" });
    const start = await fire(sampleEvents.SessionStart, { event: "sessionStart", command });
    expect(start.modelMessages).toEqual(["<system-reminder>\nknow this\n</system-reminder>"]);
    const note: HookEvent = { name: "Notification", message: "m", notificationType: "agent_idle" };
    expect((await fire(note, { event: "notification", command })).modelMessages).toHaveLength(1);
    const sub: HookEvent = {
      name: "SubagentStart",
      agentId: "a",
      agentType: "plan",
      agentTranscriptPath: "/t",
    };
    expect((await fire(sub, { event: "subagentStart", command })).modelMessages).toHaveLength(1);
  });

  it("C11 C12 goes on by decision, and a block beats a changed response", async () => {
    const block = say({ decision: "block", reason: "not yet", modifiedResponse: "x" });
    expect((await fire(sampleEvents.Stop, { event: "agentStop", command: block })).block?.text).toBe(
      "not yet",
    );
    const subagent = await fire(sampleEvents.SubagentStop, { event: "subagentStop", command: block });
    expect(subagent.block?.text).toBe("not yet");
    expect(subagent.modifiedResponse).toBeUndefined();
    const changed = await fire(sampleEvents.SubagentStop, {
      event: "subagentStop",
      command: say({ modifiedResponse: "x" }),
    });
    expect(changed.modifiedResponse).toBe("x");
  });

  it("C2 C9 C14 ignores answers that have no meaning there", async () => {
    const command = say({ decision: "block", reason: "r", additionalContext: "c", modifiedPrompt: "p" });
    const error: HookEvent = {
      name: "ErrorOccurred",
      error: new Error("x"),
      errorContext: "system",
      recoverable: false,
    };
    for (const [event, written] of [
      [sampleEvents.SessionEnd, "sessionEnd"],
      [sampleEvents.PreCompact, "preCompact"],
      [error, "errorOccurred"],
    ] as const) {
      const result = await fire(event, { event: written, command });
      expect(result).toMatchObject({ matched: true, modelMessages: [], notices: [] });
      expect(result.block).toBeUndefined();
    }
  });

  it("shows lines of progress and reads what is left", async () => {
    const progress = JSON.stringify({ type: "progress", message: "half" });
    const temporary = JSON.stringify({ type: "progress", message: "gone", temporary: true });
    const command = `printf '%s\\n%s\\n%s\\n' '${progress}' '${temporary}' '{"behavior":"allow"}'`;
    const result = await fire(sampleEvents.PermissionRequest, { event: "permissionRequest", command });
    expect(result.notices).toEqual([{ level: "info", text: "half" }]);
    expect(result.permission).toEqual({ decision: "allow" });
  });

  it("takes two objects, or anything that is no object, as no answer", async () => {
    for (const output of ['{"behavior":"allow"}{"behavior":"deny"}', "[]", "yes", '"allow"']) {
      const result = await fire(sampleEvents.PermissionRequest, {
        event: "permissionRequest",
        command: `printf '%s' '${output}'`,
      });
      expect(result.permission).toBeUndefined();
    }
  });
});

describe("both dialects on one event", () => {
  it("runs them in order, tells each in its own format, and lets the first block decide", async () => {
    setup.hooks.set([
      hook({ event: "PreToolUse", command: "cat > wave.json" }),
      copilotHook({ event: "preToolUse", command: "cat > native.json" }),
      copilotHook({ event: "PreToolUse", command: "cat > compatible.json" }),
      copilotHook({
        event: "preToolUse",
        command: say({ permissionDecision: "deny", permissionDecisionReason: "theirs" }),
      }),
      hook({ event: "PreToolUse", command: "echo ours >&2; exit 2" }),
    ]);
    const result = await setup.manager.fire(read, setup.session);
    expect(result.block?.text).toBe("Denied by preToolUse hook: theirs");
    expect(setup.records.map(({ stdin }) => Object.keys(JSON.parse(stdin))[0])).toEqual([
      "session_id",
      "sessionId",
      "hook_event_name",
      "sessionId",
      "session_id",
    ]);
  });
});

describe("environment and directory", () => {
  it("expands variables in env and takes cwd from the project", async () => {
    const result = await fire(sampleEvents.PermissionRequest, {
      event: "permissionRequest",
      action: {
        type: "command",
        command: 'mkdir -p sub; printf \'{"behavior":"deny","message":"%s %s"}\' "$GREETING" "$PWD"',
        env: { GREETING: "hi $MARK" },
        cwd: ".",
      },
    });
    expect(result.permission?.reason).toMatch(/^hi mark-/);
    expect(result.permission?.reason?.endsWith(setup.folder)).toBe(true);
  });
});
