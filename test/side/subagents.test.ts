import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PermissionQuestion } from "../../src/agent/agentOptions.ts";
import { AgentWorld, hooksFor, notices, recordTo, textIn, toolBlocks, until } from "../support/agentWorld.ts";
import type { AnswerScript, ScriptedAnswer } from "../support/modelService.ts";

type Request = Parameters<AnswerScript>[0];

const agentCall = (input: Record<string, unknown> = {}) => ({
  name: "Agent",
  arguments: { description: "Count", prompt: "count the files", ...input },
});
const sent = (request: Request): string => JSON.stringify(request.messages);
const toolNames = (request: Request): string[] =>
  (request as unknown as { tools?: { function: { name: string } }[] }).tools?.map(
    (tool) => tool.function.name,
  ) ?? [];

/** The main conversation starts one subagent and then reports; the subagent answers as scripted. */
function delegating(
  subagent: (request: Request) => ScriptedAnswer,
  input: Record<string, unknown> = {},
): AnswerScript {
  return (request) => {
    if (!sent(request).includes("main prompt")) return subagent(request);
    return sent(request).includes("tool_call_id") ? { text: "Reported." } : { toolCalls: [agentCall(input)] };
  };
}

describe("subagents", { timeout: 60_000 }, () => {
  it("work in a conversation and a file of their own and give back their answer", async () => {
    const world = await AgentWorld.open(
      delegating((request) =>
        sent(request).includes("tool_call_id")
          ? { text: "Two files.", usage: { input: 20, output: 3 } }
          : { text: "Let me see.", toolCalls: [{ name: "Bash", arguments: { command: "echo a b" } }] },
      ),
    );
    world.settings({ hooks: hooksFor("PostToolUse", { matcher: "Agent", command: recordTo("post.jsonl") }) });
    const agent = await world.agent();
    await agent.sendMessage("main prompt");
    expect(toolBlocks(agent.messages)).toMatchObject([
      { name: "Agent", success: true, result: "Two files." },
    ]);
    const [post] = world.records("post.jsonl");
    const response = post?.tool_response as Record<string, unknown>;
    expect(response).toMatchObject({
      success: true,
      status: "completed",
      prompt: "count the files",
      content: [{ type: "text", text: "Two files." }],
      totalToolUseCount: 1,
    });
    const file = join(
      dirname(agent.transcriptPath),
      `session_${agent.sessionId}.subagent_${response.agentId as string}.json`,
    );
    const document = JSON.parse(readFileSync(file, "utf8")) as { state: { messages: { role: string }[] } };
    expect(document.state.messages.map(({ role }) => role)).toEqual(["user", "assistant", "assistant"]);
    // The main conversation saw the answer alone.
    expect(JSON.stringify(agent.messages)).not.toContain("Let me see.");
  });

  it("E21 their tool calls pass the same hooks", async () => {
    const world = await AgentWorld.open(
      delegating((request) =>
        sent(request).includes("tool_call_id")
          ? { text: `Saw: ${sent(request).includes("PreToolUse:Bash hook error: not here")}` }
          : { toolCalls: [{ name: "Bash", arguments: { command: "touch forbidden" } }] },
      ),
    );
    world.write("guard.sh", `cat >> "$WAVE_PROJECT_DIR/pre.jsonl"; echo "not here" >&2; exit 2`);
    world.settings({ hooks: hooksFor("PreToolUse", { matcher: "Bash", command: "sh guard.sh" }) });
    const agent = await world.agent();
    await agent.sendMessage("main prompt");
    expect(world.has("forbidden")).toBe(false);
    expect(toolBlocks(agent.messages)[0]?.result).toBe("Saw: true");
    expect(world.records("pre.jsonl")).toMatchObject([
      { tool_name: "Bash", session_id: agent.sessionId, transcript_path: agent.transcriptPath },
    ]);
  });

  it("E21 a deny rule and the user's refusal count inside a subagent", async () => {
    const world = await AgentWorld.open(
      delegating((request) =>
        sent(request).includes("tool_call_id")
          ? { text: "Both refused." }
          : {
              toolCalls: [
                { name: "Bash", arguments: { command: "touch denied-by-rule" } },
                { name: "Bash", arguments: { command: "mkdir refused" } },
              ],
            },
      ),
    );
    world.settings({ permissions: { deny: ["Bash(touch *)"] } });
    const questions: PermissionQuestion[] = [];
    const agent = await world.agent({
      permissionMode: "default",
      canUseTool: async (question) => {
        questions.push(question);
        return { behavior: "deny" };
      },
    });
    await agent.sendMessage("main prompt");
    expect(world.has("denied-by-rule")).toBe(false);
    expect(world.has("refused")).toBe(false);
    expect(questions.map(({ summary, agentType }) => [summary, agentType])).toEqual([
      ["mkdir refused", "general-purpose"],
    ]);
  });

  it("X5 H22.2 exit 2 of SubagentStop: the subagent goes on, and reads stderr", async () => {
    const world = await AgentWorld.open(
      delegating((request) =>
        sent(request).includes("add the totals") ? { text: "Two files, 14 bytes." } : { text: "Two files." },
      ),
    );
    world.write(
      "stop.sh",
      `input=$(cat); echo "$input" >> "$WAVE_PROJECT_DIR/sub.jsonl"
case $input in *'"stop_hook_active":true'*) exit 0 ;; esac
echo "add the totals" >&2; exit 2`,
    );
    world.settings({ hooks: hooksFor("SubagentStop", "sh stop.sh") });
    const agent = await world.agent();
    await agent.sendMessage("main prompt");
    expect(toolBlocks(agent.messages)[0]?.result).toBe("Two files, 14 bytes.");
    expect(world.records("sub.jsonl")).toMatchObject([
      { stop_hook_active: false, last_assistant_message: "Two files." },
      { stop_hook_active: true, last_assistant_message: "Two files, 14 bytes." },
    ]);
    const [input] = world.records("sub.jsonl");
    const transcript = JSON.parse(readFileSync(input?.agent_transcript_path as string, "utf8")) as {
      state: { messages: { isMeta?: boolean; blocks: { content: string }[] }[] };
    };
    expect(
      transcript.state.messages.filter(({ isMeta }) => isMeta).map(({ blocks }) => blocks[0]?.content),
    ).toEqual(["add the totals"]);
  });

  it("H23.2 decision block of SubagentStop: the same, with reason", async () => {
    const world = await AgentWorld.open(
      delegating((request) =>
        sent(request).includes("be precise") ? { text: "Exactly two." } : { text: "Some." },
      ),
    );
    world.write(
      "stop.sh",
      `case $(cat) in *'"stop_hook_active":true'*) exit 0 ;; esac
echo '{"decision":"block","reason":"be precise"}'`,
    );
    world.settings({
      hooks: hooksFor("SubagentStop", { matcher: "general-purpose", command: "sh stop.sh" }),
    });
    const agent = await world.agent();
    await agent.sendMessage("main prompt");
    expect(toolBlocks(agent.messages)[0]?.result).toBe("Exactly two.");
  });

  it("H22.5 H24.3 other events carry permission_mode and no last_assistant_message, inside a subagent too", async () => {
    const world = await AgentWorld.open(
      delegating((request) =>
        sent(request).includes("tool_call_id")
          ? { text: "Done." }
          : { text: "Working.", toolCalls: [{ name: "Bash", arguments: { command: "true" } }] },
      ),
    );
    world.settings({
      hooks: {
        ...hooksFor("PreToolUse", recordTo("all.jsonl")),
        ...hooksFor("PostToolUse", recordTo("all.jsonl")),
        ...hooksFor("UserPromptSubmit", recordTo("all.jsonl")),
        ...hooksFor("SessionStart", recordTo("all.jsonl")),
      },
    });
    const agent = await world.agent({ permissionMode: "bypassPermissions" });
    await agent.sendMessage("main prompt");
    const all = world.records("all.jsonl");
    expect(all.map(({ hook_event_name }) => hook_event_name)).toEqual([
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PreToolUse",
      "PostToolUse",
      "PostToolUse",
    ]);
    for (const input of all) {
      expect(input.permission_mode).toBe("bypassPermissions");
      expect(Object.keys(input)).not.toContain("last_assistant_message");
      expect(Object.keys(input)).not.toContain("stop_hook_active");
    }
  });

  it("a model that fails half way is reported to the parent, with what was said before", async () => {
    const world = await AgentWorld.open(
      delegating((request) =>
        sent(request).includes("tool_call_id")
          ? { error: { status: 400, message: "the model has no more to say" } }
          : { text: "I begin.", toolCalls: [{ name: "Bash", arguments: { command: "true" } }] },
      ),
    );
    const agent = await world.agent();
    await agent.sendMessage("main prompt");
    const [block] = toolBlocks(agent.messages);
    expect(block?.success).toBe(false);
    expect(block?.error).toContain("The agent could not go on");
    expect(block?.error).toContain("I begin.");
    expect(textIn(agent.messages.at(-1) as never)).toBe("Reported.");
  });

  it("interrupting the parent ends them and what they run", async () => {
    const world = await AgentWorld.open(
      delegating(() => ({ toolCalls: [{ name: "Bash", arguments: { command: "touch begun; sleep 300" } }] })),
    );
    const agent = await world.agent();
    const turn = agent.sendMessage("main prompt");
    await until(() => world.has("begun"), "the subagent's command");
    await agent.abortMessage();
    await turn;
    expect(toolBlocks(agent.messages)).toMatchObject([{ name: "Agent", success: false, stage: "end" }]);
  });

  it("one in the background tells its answer when it has ended, and TaskStop ends another", async () => {
    const world = await AgentWorld.open((request) => {
      const text = sent(request);
      if (text.includes("main prompt")) {
        if (text.includes("task-notification")) return { text: "Thanks." };
        if (text.includes("was stopped")) return { text: "One stopped." };
        const id =
          /(subagent_[0-9a-f]{8})[^"]*?You will be notified with its answer[\s\S]*?(subagent_[0-9a-f]{8})/.exec(
            text,
          )?.[2];
        if (id) return { toolCalls: [{ name: "TaskStop", arguments: { task_id: id } }] };
        return {
          toolCalls: [
            agentCall({ run_in_background: true, prompt: "first" }),
            agentCall({ run_in_background: true, prompt: "second", description: "Wait" }),
          ],
        };
      }
      if (text.includes("second"))
        return { toolCalls: [{ name: "Bash", arguments: { command: "sleep 300" } }] };
      if (text.includes("tool_call_id")) return { text: "The first is done." };
      return {
        toolCalls: [{ name: "Bash", arguments: { command: "until [ -e go ]; do sleep 0.05; done" } }],
      };
    });
    const agent = await world.agent();
    await agent.sendMessage("main prompt");
    expect(textIn(agent.messages.at(-1) as never)).toBe("One stopped.");
    expect(agent.backgroundTasks.map(({ description }) => description)).toEqual(["Count"]);
    world.write("go", "");
    await until(() => textIn(agent.messages.at(-1) as never) === "Thanks.", "the notification's turn");
    const told = agent.messages.flatMap(({ blocks }) =>
      blocks.filter(({ type }) => type === "task_notification"),
    );
    expect(told).toMatchObject([
      {
        taskType: "subagent",
        status: "completed",
        summary: 'Background agent "Count" completed',
        content: "The first is done.",
      },
    ]);
  });

  it("a subagent starts subagents, and those none", async () => {
    const seen = new Map<string, string[]>();
    const world = await AgentWorld.open((request) => {
      const text = sent(request);
      const isNested = text.includes("nested prompt") && !text.includes("outer prompt");
      const level = text.includes("main prompt") ? "main" : isNested ? "nested" : "outer";
      seen.set(level, toolNames(request));
      if (text.includes("tool_call_id") || level === "nested") return { text: `${level} done` };
      return { toolCalls: [agentCall({ prompt: level === "main" ? "outer prompt" : "nested prompt" })] };
    });
    const agent = await world.agent();
    await agent.sendMessage("main prompt");
    expect(seen.get("main")).toContain("Agent");
    expect(seen.get("outer")).toContain("Agent");
    expect(seen.get("outer")).not.toContain("CronCreate");
    expect(seen.get("outer")).not.toContain("EnterWorktree");
    expect(seen.get("nested")).not.toContain("Agent");
    expect(seen.get("nested")).toContain("Bash");
    const files = readdirSync(dirname(agent.transcriptPath)).filter((name) => name.includes(".subagent_"));
    expect(files).toHaveLength(2);
  });

  it("those of the project and of the user are offered, with their own tools, text and model", async () => {
    let request: Request | undefined;
    let offered = "";
    const world = await AgentWorld.open((current) => {
      if (!sent(current).includes("main prompt")) {
        request = current;
        return { text: "Reviewed." };
      }
      offered = JSON.stringify((current as unknown as { tools: unknown }).tools);
      return sent(current).includes("tool_call_id")
        ? { text: "Reported." }
        : { toolCalls: [agentCall({ subagent_type: "reviewer" })] };
    });
    world.write(
      ".wave/agents/reviewer.md",
      "---\nname: reviewer\ndescription: Reviews a change\ntools: Read, Grep\nmodel: small-model\n---\nYou review with care.\n",
    );
    world.write(".wave/agents/broken.md", "---\nname: broken\ntools: [Read\n---\nText\n");
    const agent = await world.agent();
    await agent.sendMessage("main prompt");
    expect(offered).toContain("reviewer: Reviews a change");
    expect(request && toolNames(request)).toEqual(["Read", "Grep"]);
    expect(request?.model).toBe("small-model");
    expect(sent(request as Request)).toContain("You review with care.");
    expect(notices(agent.messages).join()).toContain(`${world.project}/.wave/agents/broken.md:3`);
  });

  it("an unknown type is a clear failure", async () => {
    const world = await AgentWorld.open(delegating(() => ({ text: "never" }), { subagent_type: "nobody" }));
    const agent = await world.agent();
    await agent.sendMessage("main prompt");
    expect(toolBlocks(agent.messages)[0]?.error).toBe(
      'There is no agent "nobody". The kinds are: general-purpose, explore, plan.',
    );
  });
});
