import { describe, expect, it } from "vitest";
import {
  AgentWorld,
  hooksFor,
  metaTexts,
  notices,
  recordTo,
  requestText,
  toolBlocks,
} from "../support/agentWorld.ts";
import type { ScriptedAnswer } from "../support/modelService.ts";

const done: ScriptedAnswer = { text: "Done." };
const writes: ScriptedAnswer = {
  toolCalls: [{ name: "Write", arguments: { file_path: "new.txt", content: "fresh\n" }, id: "call-w" }],
};
const context = (event: string, text: string) =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })}'`;

async function runWrite(hooks: Record<string, unknown>, answers: readonly ScriptedAnswer[] = [writes, done]) {
  const world = await AgentWorld.open(answers);
  world.settings({ hooks: hooks as never });
  const agent = await world.agent();
  await agent.sendMessage("Write it");
  return { world, agent };
}

describe("hooks around tools", () => {
  it("H1.1 an Edit of a file runs the PostToolUse hook that a project sets for it", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Read", arguments: { file_path: "a.txt" } }] },
      {
        toolCalls: [
          { name: "Edit", arguments: { file_path: "a.txt", old_string: "old", new_string: "new" } },
        ],
      },
      done,
    ]);
    world.write("a.txt", "old text\n");
    world.settings({
      hooks: hooksFor("PostToolUse", { matcher: "Edit", command: "echo checked >> quality.log" }),
    });
    const agent = await world.agent();
    await agent.sendMessage("Edit it");
    expect(world.read("a.txt")).toBe("new text\n");
    expect(world.read("quality.log")).toBe("checked\n");
  });

  it("H1.2 all matching hooks of an event run, in the order in which they are defined", async () => {
    const { world } = await runWrite(
      hooksFor(
        "PostToolUse",
        "echo 1 >> order",
        { matcher: "Write|Edit", command: "echo 2 >> order" },
        "echo 3 >> order",
      ),
    );
    expect(world.read("order")).toBe("1\n2\n3\n");
  });

  it("H1.3 E1 a failing and a timed-out command are reported, and the tool and the turn go on", async () => {
    const { world, agent } = await runWrite(
      hooksFor("PostToolUse", "echo broken >&2; exit 7", { command: "sleep 30", timeout: 0.2 }),
    );
    expect(world.read("new.txt")).toBe("fresh\n");
    expect(toolBlocks(agent.messages)[0]?.success).toBe(true);
    const [failed, timedOut] = notices(agent.messages, "error");
    expect(failed).toContain("broken");
    expect(timedOut).toContain("0.2 s");
    expect(requestText(world.service, 1)).not.toContain("broken");
  });

  it("H4.1 PreToolUse gets session, transcript path, cwd, event, tool name and the input of Write", async () => {
    const { world, agent } = await runWrite(hooksFor("PreToolUse", recordTo("pre.jsonl")));
    expect(world.records("pre.jsonl")).toEqual([
      {
        session_id: agent.sessionId,
        transcript_path: `${world.home}/.wave/sessions/session_${agent.sessionId}.json`,
        cwd: world.project,
        hook_event_name: "PreToolUse",
        permission_mode: "bypassPermissions",
        tool_name: "Write",
        tool_input: { file_path: "new.txt", content: "fresh\n" },
        tool_use_id: "call-w",
      },
    ]);
  });

  it("H4.2 PreToolUse gets the input of Read", async () => {
    const { world } = await runWrite(
      hooksFor("PreToolUse", { matcher: "Read", command: recordTo("pre.jsonl") }),
      [{ toolCalls: [{ name: "Read", arguments: { file_path: "some.txt", offset: 2, limit: 5 } }] }, done],
    );
    expect(world.records("pre.jsonl")[0]).toMatchObject({
      tool_name: "Read",
      tool_input: { file_path: "some.txt", offset: 2, limit: 5 },
    });
  });

  it("H5.1 PostToolUse gets the input and Claude Code's response of Write, with success and path", async () => {
    const { world } = await runWrite(hooksFor("PostToolUse", recordTo("post.jsonl")));
    expect(world.records("post.jsonl")[0]).toMatchObject({
      hook_event_name: "PostToolUse",
      tool_name: "Write",
      tool_input: { file_path: "new.txt", content: "fresh\n" },
      tool_use_id: "call-w",
      tool_response: {
        success: true,
        type: "create",
        filePath: `${world.project}/new.txt`,
        content: "fresh\n",
        structuredPatch: [],
        originalFile: null,
        userModified: false,
      },
    });
  });

  it("H5.2 PostToolUse of a failed tool gets the error in its response", async () => {
    const { world } = await runWrite(hooksFor("PostToolUse", recordTo("post.jsonl")), [
      { toolCalls: [{ name: "Bash", arguments: { command: "echo said; echo wrong >&2; exit 3" } }] },
      done,
    ]);
    expect(world.records("post.jsonl")[0]?.tool_response).toMatchObject({
      success: false,
      error: "Exit code 3\nsaid\nwrong",
      stdout: "said\n",
      stderr: "wrong\n",
      interrupted: false,
    });
  });

  it("H11.1 J1 J2 additionalContext of PostToolUse becomes one isMeta message in a reminder, and no error", async () => {
    const { world, agent } = await runWrite(
      hooksFor("PostToolUse", context("PostToolUse", "mind the tests")),
    );
    expect(metaTexts(agent.messages)).toHaveLength(1);
    expect(metaTexts(agent.messages)[0]).toMatch(
      /^<system-reminder>[\s\S]*mind the tests[\s\S]*<\/system-reminder>$/,
    );
    expect(toolBlocks(agent.messages)[0]).toMatchObject({ success: true, stage: "end" });
    expect(notices(agent.messages)).toEqual([]);
    expect(requestText(world.service, 1)).toContain("mind the tests");
  });

  it("H11.2 additionalContext of PreToolUse is injected, and the tool runs", async () => {
    const { world, agent } = await runWrite(hooksFor("PreToolUse", context("PreToolUse", "be careful")));
    expect(metaTexts(agent.messages)[0]).toContain("be careful");
    expect(world.read("new.txt")).toBe("fresh\n");
  });

  it("H11.5 exit code 2 keeps its effect and additionalContext is injected all the same", async () => {
    const { world, agent } = await runWrite(
      hooksFor("PreToolUse", `${context("PreToolUse", "read the rules")}; echo no >&2; exit 2`),
    );
    expect(toolBlocks(agent.messages)[0]?.error).toBe("PreToolUse:Write hook error: no");
    expect(metaTexts(agent.messages)[0]).toContain("read the rules");
    expect(world.has("new.txt")).toBe(false);
  });

  it("H11.6 J7 a hookEventName of another event is an error for the user, and nothing is injected", async () => {
    const { agent } = await runWrite(hooksFor("PostToolUse", context("PreToolUse", "not for here")));
    expect(metaTexts(agent.messages)).toEqual([]);
    expect(notices(agent.messages, "error")[0]).toContain("hookEventName");
  });

  it("H11.8 an empty additionalContext is none", async () => {
    const { agent } = await runWrite(hooksFor("PostToolUse", context("PostToolUse", "")));
    expect(metaTexts(agent.messages)).toEqual([]);
  });

  it("H13.2 H13.3 H16.4 E8 at exit 0 of a tool's hook neither stdout nor stderr reaches model or user", async () => {
    const both = "echo out-text; echo err-text >&2";
    const { world, agent } = await runWrite({
      ...hooksFor("PreToolUse", both),
      ...hooksFor("PostToolUse", both),
    });
    expect(requestText(world.service, 1)).not.toMatch(/out-text|err-text/);
    expect(notices(agent.messages)).toEqual([]);
    expect(metaTexts(agent.messages)).toEqual([]);
  });

  it("H14.1 H16.1 V2 X1 PreToolUse exit 2: the tool does not run and its result is the failure in the exact wording", async () => {
    const { world, agent } = await runWrite(hooksFor("PreToolUse", "echo 'not here' >&2; exit 2"));
    const text = "PreToolUse:Write hook error: not here";
    expect(toolBlocks(agent.messages)[0]).toMatchObject({
      success: false,
      error: text,
      result: text,
      stage: "end",
    });
    expect(world.has("new.txt")).toBe(false);
    const result = world.service.requests[1]?.messages.find((message) => message.role === "tool");
    expect(JSON.stringify(result)).toContain(text);
  });

  it("H14.2 H16.2 V3 X2 E17 PostToolUse exit 2: one isMeta message in the exact wording, the result untouched, the agent goes on", async () => {
    const command = "echo 'lint failed' >&2; exit 2";
    const { world, agent } = await runWrite(hooksFor("PostToolUse", command));
    expect(metaTexts(agent.messages)).toEqual([
      `PostToolUse:Write hook blocking error from command: "${command}": lint failed`,
    ]);
    expect(toolBlocks(agent.messages)[0]).toMatchObject({
      success: true,
      result: `${world.project}/new.txt was created.`,
    });
    expect(world.service.requests).toHaveLength(2);
    expect(requestText(world.service, 1)).toContain("lint failed");
  });

  it("H15.1 H15.2 H16.3 another exit code of a tool's hook: stderr to the user alone, stdout to nobody", async () => {
    const { world, agent } = await runWrite(hooksFor("PreToolUse", "echo hid''den; echo seen >&2; exit 1"));
    expect(notices(agent.messages, "error")[0]).toContain("seen");
    expect(JSON.stringify(agent.messages)).not.toContain("hidden");
    expect(requestText(world.service, 1)).not.toContain("seen");
    expect(toolBlocks(agent.messages)[0]?.success).toBe(true);
    expect(metaTexts(agent.messages)).toEqual([]);
  });

  it("H16.5 E3 several hooks block: all run, the first in definition order is heard", async () => {
    const { world, agent } = await runWrite(
      hooksFor(
        "PreToolUse",
        "echo ran1 >> ran; exit 0",
        "echo first >&2; exit 2",
        "echo ran3 >> ran; echo third >&2; exit 2",
      ),
    );
    expect(toolBlocks(agent.messages)[0]?.error).toBe("PreToolUse:Write hook error: first");
    expect(world.read("ran")).toBe("ran1\nran3\n");
  });

  it("H12.1 H12.2 PermissionRequest gets the tool's name and input, and can decide by them", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "rm -rf /tmp/nothing-here" }, id: "call-b" }] },
      done,
    ]);
    world.settings({
      hooks: hooksFor(
        "PermissionRequest",
        recordTo("permission.jsonl"),
        `grep -q '"command":"rm -rf' && { echo 'no rm' >&2; exit 2; } || exit 0`,
      ),
    });
    const asked: string[] = [];
    const agent = await world.agent({
      permissionMode: "default",
      canUseTool: (question) => {
        asked.push(question.toolName);
        return Promise.resolve({ behavior: "allow" });
      },
    });
    await agent.sendMessage("Clean up");
    expect(world.records("permission.jsonl")[0]).toMatchObject({
      session_id: agent.sessionId,
      hook_event_name: "PermissionRequest",
      permission_mode: "default",
      tool_name: "Bash",
      tool_input: { command: "rm -rf /tmp/nothing-here" },
    });
    expect(asked).toEqual([]);
    expect(toolBlocks(agent.messages)[0]?.success).toBe(false);
  });

  it("X6 PermissionRequest exit 2: refused, and stderr goes to the user alone", async () => {
    const world = await AgentWorld.open([writes, done]);
    world.settings({ hooks: hooksFor("PermissionRequest", "echo 'only for the user' >&2; exit 2") });
    const agent = await world.agent({
      permissionMode: "default",
      canUseTool: () => Promise.resolve({ behavior: "allow" }),
    });
    await agent.sendMessage("Write it");
    expect(notices(agent.messages, "error")).toEqual(["only for the user"]);
    expect(requestText(world.service, 1)).not.toContain("only for the user");
    expect(toolBlocks(agent.messages)[0]?.success).toBe(false);
    expect(world.has("new.txt")).toBe(false);
  });

  it("J3 additionalContext of PermissionRequest counts for nothing", async () => {
    const world = await AgentWorld.open([writes, done]);
    world.settings({ hooks: hooksFor("PermissionRequest", context("PermissionRequest", "ignored words")) });
    const agent = await world.agent({
      permissionMode: "default",
      canUseTool: () => Promise.resolve({ behavior: "allow" }),
    });
    await agent.sendMessage("Write it");
    expect(metaTexts(agent.messages)).toEqual([]);
    expect(requestText(world.service, 1)).not.toContain("ignored words");
  });

  it("J6 J8 systemMessage of tool events, and every way to change inputs or results, are ignored", async () => {
    const output = (event: string) =>
      `echo '${JSON.stringify({
        systemMessage: "not shown",
        hookSpecificOutput: {
          hookEventName: event,
          updatedInput: { file_path: "other.txt", content: "x" },
          updatedToolOutput: "changed",
          updatedMCPToolOutput: "changed",
        },
      })}'`;
    const { world, agent } = await runWrite({
      ...hooksFor("PreToolUse", output("PreToolUse")),
      ...hooksFor("PostToolUse", output("PostToolUse")),
    });
    expect(notices(agent.messages)).toEqual([]);
    expect(world.has("other.txt")).toBe(false);
    expect(toolBlocks(agent.messages)[0]?.result).toBe(`${world.project}/new.txt was created.`);
  });

  it("H24.3 H24.4 H22.5 every event says the permission mode; tool events say nothing of Stop", async () => {
    const all = [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PermissionRequest",
      "PostToolUse",
      "Stop",
    ];
    const world = await AgentWorld.open([writes, done]);
    world.settings({
      hooks: Object.assign({}, ...all.map((event) => hooksFor(event, recordTo("all.jsonl")))),
    });
    const agent = await world.agent({
      permissionMode: "default",
      canUseTool: () => Promise.resolve({ behavior: "allow" }),
    });
    await agent.sendMessage("Write it");
    const records = world.records("all.jsonl");
    expect(records.map((record) => record.hook_event_name)).toEqual(all);
    expect(new Set(records.map((record) => record.permission_mode))).toEqual(new Set(["default"]));
    for (const record of records.slice(0, -1)) {
      expect(Object.keys(record)).not.toContain("stop_hook_active");
      expect(Object.keys(record)).not.toContain("last_assistant_message");
      expect(Object.keys(record)).not.toContain("background_tasks");
    }
    expect(records.at(-1)).toMatchObject({ stop_hook_active: false, last_assistant_message: "Done." });
  });
});
