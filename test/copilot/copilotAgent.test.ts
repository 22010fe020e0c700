import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "../../src/agent/messages/message.ts";
import { MessageViews } from "../../src/extension/chat/messageViews.ts";
import {
  AgentWorld,
  hooksFor,
  metaTexts,
  notices,
  requestText,
  toolBlocks,
  until,
} from "../support/agentWorld.ts";
import type { ScriptedAnswer } from "../support/modelService.ts";

const done: ScriptedAnswer = { text: "Done." };
const call = (name: string, input: unknown): ScriptedAnswer => ({ toolCalls: [{ name, arguments: input }] });
const say = (answer: object): string => `cat >/dev/null; printf '%s' '${JSON.stringify(answer)}'`;
const log = (name: string): string =>
  `cat >> "$WAVE_PROJECT_DIR/${name}"; echo >> "$WAVE_PROJECT_DIR/${name}"`;

/** A repository's Copilot hooks: event -> commands or whole entries. */
function copilotHooks(world: AgentWorld, hooks: Record<string, (string | object)[]>, file = "h.json"): void {
  const entries = Object.entries(hooks).map(([event, list]) => [
    event,
    list.map((entry) => (typeof entry === "string" ? { type: "command", bash: entry } : entry)),
  ]);
  world.write(`.github/hooks/${file}`, JSON.stringify({ version: 1, hooks: Object.fromEntries(entries) }));
}

async function open(answers: readonly ScriptedAnswer[], hooks: Record<string, (string | object)[]>) {
  const world = await AgentWorld.open(answers);
  copilotHooks(world, hooks);
  return world;
}

describe("sessions and prompts", () => {
  it("C1 C2 C16 fires sessionStart and sessionEnd in both formats, with context for the model", async () => {
    const world = await open([done], {
      sessionStart: [log("start"), say({ additionalContext: "house rules" })],
      SessionStart: [log("start")],
      sessionEnd: [log("end"), say({ additionalContext: "ignored" })],
      SessionEnd: [log("end")],
    });
    const before = Date.now();
    const agent = await world.agent();
    await agent.sendMessage("hi");
    await agent.destroy();
    const [native, compatible] = world.records("start");
    expect(native).toEqual({
      sessionId: agent.sessionId,
      timestamp: expect.any(Number),
      cwd: world.project,
      source: "new",
    });
    expect(native?.timestamp).toBeGreaterThanOrEqual(before);
    expect(compatible).toEqual({
      hook_event_name: "SessionStart",
      session_id: agent.sessionId,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      cwd: world.project,
      source: "new",
    });
    expect(world.records("end").map(({ reason }) => reason)).toEqual(["complete", "complete"]);
    expect(requestText(world.service, 0)).toContain("house rules");
  });

  it("C1 calls a start-up restore and a switch of sessions resume", async () => {
    const world = await open([done], { sessionStart: [log("start")] });
    const first = await world.agent();
    await first.sendMessage("hi");
    const id = first.sessionId;
    await first.destroy();
    const second = await world.agent({ restoreSessionId: id });
    await second.clearMessages();
    await second.restoreSession(id);
    expect(world.records("start").map(({ source }) => source)).toEqual(["new", "resume", "new", "resume"]);
  });

  it("C2 says error where the last turn failed, and abort where it was interrupted", async () => {
    const world = await open([{ error: { status: 401, message: "no" } }], { sessionEnd: [log("end")] });
    const failed = await world.agent();
    await failed.sendMessage("hi");
    await failed.destroy();
    world.service.script([call("Bash", { command: "sleep 30" })]);
    const aborted = await world.agent();
    const turn = aborted.sendMessage("hi");
    await until(() => world.statuses.some(({ activity }) => activity?.kind === "tool"), "the tool");
    await aborted.abortMessage();
    await turn;
    await aborted.destroy();
    expect(world.records("end").map(({ reason }) => reason)).toEqual(["error", "abort"]);
  });

  it("C21 ends a cleared session with user_exit in the background, and the next prompt does not wait", async () => {
    const world = await open([done], {
      sessionEnd: [
        // the session that ends with the agent is awaited: only the cleared one takes its time
        `${log("end")}; [ -e "$WAVE_PROJECT_DIR/cleared" ] && exit; touch "$WAVE_PROJECT_DIR/cleared"; sleep 30; touch "$WAVE_PROJECT_DIR/late"`,
      ],
    });
    const agent = await world.agent();
    await agent.sendMessage("one");
    const old = agent.sessionId;
    await agent.clearMessages();
    await agent.sendMessage("two");
    await until(() => world.records("end").length === 1, "the hook of the old session");
    expect(world.records("end")[0]).toMatchObject({ sessionId: old, reason: "user_exit" });
    await agent.destroy();
    expect(world.has("late")).toBe(false);
  });

  it("C3 C17 tells the prompt, and a configured hook cannot change it while one in code can", async () => {
    const world = await open([done], {
      userPromptSubmitted: [log("prompts"), say({ modifiedPrompt: "changed by a file" })],
      UserPromptSubmit: [log("prompts")],
    });
    const agent = await world.agent();
    await agent.sendMessage("as written");
    expect(world.records("prompts").map(({ prompt }) => prompt)).toEqual(["as written", "as written"]);
    expect(requestText(world.service, -1)).toContain("as written");
    const inCode = {
      userPromptSubmitted: [{ type: "command", command: say({ modifiedPrompt: "changed in code" }) }],
    };
    const other = await world.agent({ hooks: inCode as never });
    await other.sendMessage("as written");
    expect(requestText(world.service, -1)).toContain("changed in code");
    expect(requestText(world.service, -1)).not.toContain("as written");
  });

  it("C4 changes what model and history get, not the timeline, and replays it after a restore", async () => {
    const world = await open([done], {
      userPromptTransformed: [log("transformed"), say({ modifiedTransformedPrompt: "rewritten" })],
    });
    const agent = await world.agent();
    await agent.sendMessage("original");
    expect(world.records("transformed")[0]).toMatchObject({
      prompt: "original",
      transformedPrompt: "original",
    });
    const timeline = () => JSON.stringify(new MessageViews(world.project).of(agent.messages));
    expect(requestText(world.service, -1)).toContain("rewritten");
    expect(requestText(world.service, -1)).not.toContain("original");
    expect(agent.messages.map(textOf)).toContain("rewritten");
    expect(timeline()).toContain("original");
    expect(timeline()).not.toContain("rewritten");
    const id = agent.sessionId;
    await agent.clearMessages();
    await agent.restoreSession(id);
    expect(timeline()).toContain("original");
    await agent.sendMessage("more");
    expect(requestText(world.service, -1)).toContain("rewritten");
    expect(requestText(world.service, -1)).not.toContain("original");
  });
});

describe("tools", () => {
  const read = call("Read", { file_path: "a.txt" });

  it("C5 C18 denies, and tells Copilot's names and arguments", async () => {
    const world = await open([read, done], {
      preToolUse: [log("pre"), say({ permissionDecision: "deny", permissionDecisionReason: "secret" })],
    });
    world.write("a.txt", "content\n");
    const agent = await world.agent();
    await agent.sendMessage("read");
    expect(world.records("pre")[0]).toEqual({
      sessionId: agent.sessionId,
      timestamp: expect.any(Number),
      cwd: world.project,
      toolName: "view",
      toolArgs: { path: "a.txt" },
    });
    const [block] = toolBlocks(agent.messages);
    expect(block).toMatchObject({ success: false, error: "Denied by preToolUse hook: secret" });
    expect(requestText(world.service, -1)).toContain("Denied by preToolUse hook: secret");
  });

  it("C5 replaces the arguments, also in what goes back to the model, and checks them again", async () => {
    const world = await open([read, done], { preToolUse: [say({ modifiedArgs: { path: "b.txt" } })] });
    world.write("a.txt", "from a\n");
    world.write("b.txt", "from b\n");
    const agent = await world.agent();
    await agent.sendMessage("read");
    expect(toolBlocks(agent.messages)[0]?.result).toContain("from b");
    expect(requestText(world.service, -1)).toContain("b.txt");
    expect(requestText(world.service, -1)).not.toContain("a.txt");

    copilotHooks(world, { preToolUse: [say({ modifiedArgs: { path: 7 } })] });
    world.service.script([read, done]);
    await agent.sendMessage("read");
    expect(toolBlocks(agent.messages)[1]).toMatchObject({
      success: false,
      error: expect.stringContaining("A hook changed the arguments"),
    });
  });

  it("C5 a deny rule beats allow and changed arguments", async () => {
    const world = await open([read, done], {
      preToolUse: [say({ permissionDecision: "allow", modifiedArgs: { path: "secret.txt" } })],
    });
    world.settings({ permissions: { deny: ["Read(secret.txt)"] } });
    world.write("secret.txt", "hidden\n");
    const agent = await world.agent();
    await agent.sendMessage("read");
    expect(toolBlocks(agent.messages)[0]?.success).toBe(false);
    expect(requestText(world.service, -1)).not.toContain("hidden");
  });

  it("C5 allow skips the question, ask brings it", async () => {
    const asked: string[] = [];
    const canUseTool = async ({ toolName }: { toolName: string }) => {
      asked.push(toolName);
      return { behavior: "allow" as const };
    };
    const bash = call("Bash", { command: "touch made" });
    const world = await open([bash, done], { preToolUse: [say({ permissionDecision: "allow" })] });
    const agent = await world.agent({ permissionMode: "default", canUseTool });
    await agent.sendMessage("go");
    expect(asked).toEqual([]);
    expect(world.has("made")).toBe(true);
    copilotHooks(world, { preToolUse: [say({ permissionDecision: "ask" })] });
    world.service.script([read, done]);
    world.write("a.txt", "x");
    await agent.sendMessage("go");
    expect(asked).toEqual(["Read"]);
  });

  it("C5 exit codes: 2 and failures refuse, a timeout does not", async () => {
    const world = await open([read, done], { preToolUse: ["exit 1"] });
    world.write("a.txt", "x");
    const agent = await world.agent();
    await agent.sendMessage("read");
    copilotHooks(world, { preToolUse: ["exit 2"] });
    world.service.script([read, done]);
    await agent.sendMessage("read");
    copilotHooks(world, { preToolUse: [{ type: "command", bash: "sleep 30", timeoutSec: 0.2 }] });
    world.service.script([read, done]);
    await agent.sendMessage("read");
    expect(toolBlocks(agent.messages).map(({ success, error }) => error ?? success)).toEqual([
      'Denied by preToolUse hook from "h.json" (hook errored)',
      "Denied by preToolUse hook: hook exited with code 2",
      true,
    ]);
    expect(notices(agent.messages, "warning")).toContain(
      "Hook command timed out after 0.2 seconds: sleep 30",
    );
  });

  it("C5 gives context to the model after the results", async () => {
    const world = await open([read, done], { preToolUse: [say({ additionalContext: "mind the gap" })] });
    world.write("a.txt", "x");
    const agent = await world.agent();
    await agent.sendMessage("read");
    expect(metaTexts(agent.messages)).toEqual(["Additional context from preToolUse hook:\nmind the gap"]);
    const roles = world.service.requests.at(-1)?.messages.map(({ role }) => role);
    expect(roles?.slice(-2)).toEqual(["tool", "user"]);
  });

  it("C6 C20 after success alone: tells the result, replaces it, adds guidance", async () => {
    const world = await open([call("Bash", { command: "echo out" }), done], {
      postToolUse: [
        log("post"),
        say({
          modifiedResult: { resultType: "success", textResultForLlm: "short" },
          additionalContext: "go on",
        }),
      ],
      postToolUseFailure: [log("failure")],
    });
    const agent = await world.agent();
    await agent.sendMessage("run");
    expect(world.records("post")[0]).toMatchObject({
      toolName: "bash",
      toolArgs: { command: "echo out" },
      toolResult: { resultType: "success", textResultForLlm: expect.stringContaining("out") },
    });
    expect(world.has("failure")).toBe(false);
    const result = world.service.requests.at(-1)?.messages.find(({ role }) => role === "tool")?.content;
    expect(result).toBe('short\n\nTool "Bash" succeeded. Additional guidance from postToolUse hooks:\ngo on');
  });

  it("C7 C20 after failure alone: tells the error and brings advice", async () => {
    const world = await open([call("Read", { file_path: "missing.txt" }), done], {
      postToolUse: [log("post")],
      postToolUseFailure: [log("failure"), say({ additionalContext: "look in src" })],
      PostToolUseFailure: [log("failure")],
    });
    const agent = await world.agent();
    await agent.sendMessage("read");
    expect(world.has("post")).toBe(false);
    const [native, compatible] = world.records("failure");
    expect(native).toMatchObject({
      toolName: "view",
      toolArgs: { path: "missing.txt" },
      error: expect.stringContaining("missing.txt"),
    });
    expect(compatible).toMatchObject({
      tool_name: "Read",
      tool_input: { file_path: "missing.txt" },
      error: native?.error,
    });
    expect(metaTexts(agent.messages)).toEqual([
      'Tool "Read" failed. Additional guidance from postToolUseFailure hooks:\nlook in src',
    ]);
  });

  it("C8 C24 answers a permission question before the user is asked", async () => {
    const asked: string[] = [];
    const canUseTool = async () => {
      asked.push("asked");
      return { behavior: "deny" as const };
    };
    const bash = call("Bash", { command: "touch made" });
    const world = await open([bash, done], {
      permissionRequest: [log("requests")],
      PermissionRequest: [
        { type: "command", bash: log("requests"), matcher: "Edit|Write" },
        { type: "command", bash: `${log("requests")}; ${say({ behavior: "allow" })}`, matcher: "Bash" },
      ],
    });
    const agent = await world.agent({ permissionMode: "default", canUseTool });
    await agent.sendMessage("go");
    expect(asked).toEqual([]);
    expect(world.has("made")).toBe(true);
    expect(world.records("requests")).toEqual([
      {
        hookName: "permissionRequest",
        sessionId: agent.sessionId,
        timestamp: expect.any(Number),
        cwd: world.project,
        toolName: "bash",
        toolInput: { command: "touch made" },
        permissionSuggestions: [],
      },
      {
        hook_event_name: "PermissionRequest",
        session_id: agent.sessionId,
        timestamp: expect.any(String),
        cwd: world.project,
        tool_name: "Bash",
        tool_input: { command: "touch made" },
        permission_suggestions: [],
      },
    ]);
    copilotHooks(world, { permissionRequest: [say({ behavior: "deny", message: "not here" })] });
    world.service.script([bash, done]);
    await agent.sendMessage("go");
    expect(toolBlocks(agent.messages)[1]).toMatchObject({ success: false, error: "not here" });
  });

  it("C19 C22 C23 runs only hooks whose whole matcher fits, and leaves an invalid one out alone", async () => {
    const world = await open([read, done], {
      preToolUse: [
        { type: "command", bash: "echo vie >> ran", matcher: "vie" },
        { type: "command", bash: "echo broken >> ran", matcher: "(" },
        { type: "command", bash: "echo view >> ran", matcher: "view" },
      ],
    });
    world.write("a.txt", "x");
    const agent = await world.agent();
    await agent.sendMessage("read");
    expect(world.read("ran")).toBe("view\n");
    expect(toolBlocks(agent.messages)[0]?.success).toBe(true);
  });
});

describe("turns, subagents, compaction, notifications, errors", () => {
  it("C12 C17 agentStop makes the agent go on with its reason as the next prompt", async () => {
    const once =
      'cat > stop.json; [ -e stopped ] && exit 0; touch stopped; echo \'{"decision":"block","reason":"run the tests"}\'';
    const world = await open([done, { text: "Tests pass." }], { agentStop: [once], Stop: [log("stops")] });
    const agent = await world.agent();
    await agent.sendMessage("work");
    expect(metaTexts(agent.messages)).toEqual(["run the tests"]);
    expect(requestText(world.service, -1)).toContain("run the tests");
    expect(world.records("stops").map((stop) => [stop.stop_reason, stop.stop_hook_active])).toEqual([
      ["end_turn", false],
      ["end_turn", true],
    ]);
  });

  const delegate = (type: string) =>
    call("Agent", { description: "look", prompt: "Look around.", subagent_type: type });

  it("C10 C11 subagents get context at their start, and their answer may be replaced or continued", async () => {
    const world = await open([delegate("explore"), { text: "found it" }, { text: "found more" }, done], {
      subagentStart: [log("sub"), say({ additionalContext: "stay in src" })],
      subagentStop: [
        log("sub"),
        'cat >/dev/null; [ -e once ] && exit 0; touch once; echo \'{"decision":"block","reason":"look again"}\'',
        say({ modifiedResponse: "all of it" }),
      ],
    });
    const agent = await world.agent();
    await agent.sendMessage("delegate");
    expect(requestText(world.service, 1)).toContain("stay in src");
    expect(requestText(world.service, 2)).toContain("look again");
    expect(toolBlocks(agent.messages)[0]?.result).toContain("all of it");
    expect(world.records("sub").map(({ agentName, response }) => [agentName, response ?? "start"])).toEqual([
      ["explore", "start"],
      ["explore", "found it"],
      ["explore", "found more"],
    ]);
  });

  it("C15 the general-purpose subagent fires neither", async () => {
    const world = await open([delegate("general-purpose"), { text: "found" }, done], {
      subagentStart: [log("sub")],
      subagentStop: [log("sub")],
    });
    const agent = await world.agent();
    await agent.sendMessage("delegate");
    expect(toolBlocks(agent.messages)[0]?.result).toContain("found");
    expect(world.has("sub")).toBe(false);
  });

  it("C9 preCompact is told the trigger and changes nothing", async () => {
    const world = await open([done, { text: "a summary" }, done], {
      preCompact: [log("compact"), say({ decision: "block", reason: "no" })],
      PreCompact: [{ type: "command", bash: log("compact"), matcher: "auto" }],
    });
    const agent = await world.agent();
    await agent.sendMessage("hi");
    await agent.compact("keep names");
    expect(world.records("compact")).toEqual([
      {
        sessionId: agent.sessionId,
        timestamp: expect.any(Number),
        cwd: world.project,
        transcriptPath: agent.transcriptPath,
        trigger: "manual",
        customInstructions: "keep names",
      },
    ]);
    expect(JSON.stringify(agent.messages)).toContain("a summary");
  });

  it("C13 notification hooks run beside the turn and may add context", async () => {
    const world = await open([call("Bash", { command: "echo hi", run_in_background: true }), done, done], {
      notification: [
        log("notes"),
        {
          type: "command",
          bash: say({ additionalContext: "the shell is done" }),
          matcher: "shell_completed",
        },
      ],
    });
    const agent = await world.agent();
    await agent.sendMessage("start");
    await until(
      () => metaTexts(agent.messages).some((text) => text.includes("the shell is done")),
      "the context",
    );
    expect(world.records("notes")[0]).toMatchObject({
      hook_event_name: "Notification",
      notification_type: "shell_completed",
      sessionId: agent.sessionId,
    });
  });

  it("C14 errorOccurred tells a failed model call, and its output is ignored", async () => {
    const world = await open([{ error: { status: 400, message: "bad request" } }], {
      errorOccurred: [log("errors"), say({ decision: "block", reason: "x", additionalContext: "y" })],
    });
    const agent = await world.agent();
    await agent.sendMessage("hi");
    expect(world.records("errors")[0]).toMatchObject({
      errorContext: "model_call",
      recoverable: true,
      error: { message: expect.any(String), name: expect.any(String), stack: expect.any(String) },
    });
    expect(metaTexts(agent.messages)).toEqual([]);
  });
});

describe("files, HTTP and both dialects together", () => {
  it("runs hooks of the user's and the repository's files in order, also Claude's groups, and honours disableAllHooks per file", async () => {
    const world = await open([call("Read", { file_path: "a.txt" }), done], {
      preToolUse: ["echo repo-h >> ran"],
    });
    world.write("a.txt", "x");
    copilotHooks(
      world,
      { preToolUse: [{ matcher: "view", hooks: [{ type: "command", command: "echo repo-a >> ran" }] }] },
      "a.json",
    );
    world.write(
      ".github/hooks/off.json",
      JSON.stringify({ disableAllHooks: true, hooks: { preToolUse: [{ bash: "echo off >> ran" }] } }),
    );
    world.settings({ hooks: hooksFor("PreToolUse", "echo wave >> ran") });
    const agent = await world.agent();
    await agent.sendMessage("read");
    expect(world.read("ran")).toBe("wave\nrepo-a\nrepo-h\n");
  });

  it("lets the most restrictive answer of both dialects win", async () => {
    const world = await open([call("Bash", { command: "touch made" }), done], {
      preToolUse: [say({ permissionDecision: "allow" })],
    });
    world.settings({ hooks: hooksFor("PreToolUse", "echo no >&2; exit 2") });
    const agent = await world.agent();
    await agent.sendMessage("go");
    expect(toolBlocks(agent.messages)[0]?.error).toBe("PreToolUse:Bash hook error: no");
    expect(world.has("made")).toBe(false);
  });

  it("posts the same payload to an HTTP hook on this machine where that is allowed", async () => {
    const bodies: unknown[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (part: string) => {
        body += part;
      });
      request.on("end", () => {
        bodies.push(JSON.parse(body));
        response.end(JSON.stringify({ permissionDecision: "deny", permissionDecisionReason: "by http" }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const read = call("Read", { file_path: "a.txt" });
    const world = await open([read, done], { preToolUse: [{ type: "http", url }] });
    world.write("a.txt", "x");
    const refused = await world.agent();
    await refused.sendMessage("read");
    expect(bodies).toEqual([]);
    expect(toolBlocks(refused.messages)[0]?.success).toBe(true);
    expect(notices(refused.messages, "warning").join()).toContain("COPILOT_HOOK_ALLOW_LOCALHOST");
    world.env.COPILOT_HOOK_ALLOW_LOCALHOST = "1";
    world.service.script([read, done]);
    const agent = await world.agent();
    await agent.sendMessage("read");
    expect(bodies).toEqual([
      {
        sessionId: agent.sessionId,
        timestamp: expect.any(Number),
        cwd: world.project,
        toolName: "view",
        toolArgs: { path: "a.txt" },
      },
    ]);
    expect(toolBlocks(agent.messages)[0]?.error).toBe("Denied by preToolUse hook: by http");
  });
});
