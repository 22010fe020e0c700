import { describe, expect, it } from "vitest";
import {
  AgentWorld,
  hooksFor,
  metaTexts,
  notices,
  requestText,
  textIn,
  toolBlocks,
  until,
} from "../support/agentWorld.ts";
import { processesWith } from "../support/processesLeft.ts";

describe("faults of models and tools", () => {
  it("arguments that are no JSON, and wrong ones, are answered, and the conversation goes on", async () => {
    const world = await AgentWorld.open([
      {
        toolCalls: [
          { name: "Bash", arguments: '{"command": "ec', id: "a" },
          { name: "Bash", arguments: { cmd: "echo" }, id: "b" },
          { name: "Nothing", arguments: {}, id: "c" },
          { name: "Bash", arguments: { command: "echo fine" }, id: "d" },
        ],
      },
      { text: "Done." },
    ]);
    const agent = await world.agent();
    await agent.sendMessage("Go");
    const [broken, wrong, unknown, fine] = toolBlocks(agent.messages);
    expect(broken?.error).toContain("not valid JSON");
    expect(wrong?.error).toContain("command");
    expect(unknown?.error).toContain('no tool named "Nothing"');
    expect(fine).toMatchObject({ success: true, result: "fine" });
    const answered = world.service.requests[1]?.messages.filter((message) => message.role === "tool");
    expect(answered).toHaveLength(4);
  });

  it("ids that a service gives twice are told apart", async () => {
    const call = { toolCalls: [{ name: "Bash", arguments: { command: "true" }, id: "call_0" }] };
    const world = await AgentWorld.open([call, call, { text: "Done." }]);
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(new Set(toolBlocks(agent.messages).map(({ id }) => id)).size).toBe(2);
  });

  it("a rate limit is waited for, visibly, and the turn goes on", async () => {
    const world = await AgentWorld.open([
      { error: { status: 429, message: "slow down" } },
      { text: "Here." },
    ]);
    const agent = await world.agent({ retry: { baseDelayMs: 20 } });
    await agent.sendMessage("Go");
    expect(agent.messages.map(textIn)).toEqual(["Go", "Here."]);
    expect(world.statuses.some((status) => status.activity?.kind === "retry")).toBe(true);
  });

  it("a model error ends the turn with an error notice; the next prompt works", async () => {
    const world = await AgentWorld.open([
      { error: { status: 400, message: "bad thing" } },
      { text: "Here." },
    ]);
    const agent = await world.agent();
    await agent.sendMessage("One");
    expect(notices(agent.messages, "error")[0]).toContain("bad thing");
    await agent.sendMessage("Two");
    expect(textIn(agent.messages.at(-1))).toBe("Here.");
    expect(requestText(world.service, -1)).not.toContain("bad thing");
  });

  it("a service that nobody runs is named, and the agent lives", async () => {
    const world = await AgentWorld.open();
    await world.service.stop();
    const agent = await world.agent({ retry: { baseDelayMs: 5 } });
    await agent.sendMessage("Go");
    expect(notices(agent.messages, "error")[0]).toContain(world.service.baseURL);
    expect(agent.turnStatus.state).toBe("idle");
  });

  it("a connection that is cut in the middle of an answer leaves a consistent conversation", async () => {
    const world = await AgentWorld.open([
      {
        text: "This is a long answer that never comes to its end because the line is cut.",
        truncateAfterChunks: 2,
      },
      { text: "Whole." },
    ]);
    const agent = await world.agent({ retry: { baseDelayMs: 5 } });
    await agent.sendMessage("Go");
    expect(textIn(agent.messages.at(-1))).toBe("Whole.");
    expect(agent.messages).toHaveLength(2);
  });

  it("calls that change nothing run side by side, hooks and results in the order of the calls", async () => {
    const world = await AgentWorld.open([
      {
        toolCalls: [
          { name: "Wait", arguments: { for: "second", releases: "first" }, id: "one" },
          { name: "Wait", arguments: { for: "", releases: "second" }, id: "two" },
        ],
      },
      { text: "Done." },
    ]);
    world.settings({
      hooks: {
        ...hooksFor(
          "PreToolUse",
          `node -p '"pre "+JSON.parse(require("fs").readFileSync(0)).tool_use_id' >> order`,
        ),
        ...hooksFor(
          "PostToolUse",
          `node -p '"post "+JSON.parse(require("fs").readFileSync(0)).tool_use_id' >> order`,
        ),
      },
    });
    const ended = new Set<string>();
    const agent = await world.agent({
      customTools: [
        {
          name: "Wait",
          description: "Waits until another one has ended.",
          inputSchema: { type: "object" },
          readOnly: true,
          run: async (input) => {
            await until(() => input.for === "" || ended.has(String(input.for)), String(input.for));
            ended.add(String(input.releases));
            return `ended ${input.releases}`;
          },
        },
      ],
    });
    await agent.sendMessage("Go");
    expect(toolBlocks(agent.messages).map(({ result }) => result)).toEqual(["ended first", "ended second"]);
    expect(world.read("order")).toBe("pre one\npre two\npost one\npost two\n");
  });

  it("what a custom tool throws, and an endless result, are bounded failures and results", async () => {
    const world = await AgentWorld.open([
      {
        toolCalls: [
          { name: "Throws", arguments: {} },
          { name: "Floods", arguments: {} },
        ],
      },
      { text: "Done." },
    ]);
    const tool = { description: "x", inputSchema: { type: "object" }, readOnly: true };
    const agent = await world.agent({
      customTools: [
        { ...tool, name: "Throws", run: () => Promise.reject(new Error("it broke")) },
        { ...tool, name: "Floods", run: () => Promise.resolve("y".repeat(5_000_000)) },
      ],
    });
    await agent.sendMessage("Go");
    const [throws, floods] = toolBlocks(agent.messages);
    expect(throws).toMatchObject({ success: false, error: "it broke" });
    expect(floods?.success).toBe(true);
    expect(floods?.result.length).toBeLessThan(210_000);
  });

  it("an answer without text and calls makes no message", async () => {
    const world = await AgentWorld.open([{ text: "" }]);
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(agent.messages.map((message) => message.role)).toEqual(["user"]);
  });
});

describe("interruption", () => {
  const wide = 2500;
  async function interrupted(
    world: AgentWorld,
    agent: Awaited<ReturnType<AgentWorld["agent"]>>,
    when: () => boolean,
  ) {
    const turn = agent.sendMessage("Go");
    await until(when, "the moment of the interruption");
    const startedAt = performance.now();
    await agent.abortMessage();
    await turn;
    expect(performance.now() - startedAt).toBeLessThan(wide);
    expect(agent.turnStatus.state).toBe("idle");
    await until(() => processesWith(world.marker).length === 0, "the end of all processes");
    for (const block of toolBlocks(agent.messages)) expect(block.stage).toBe("end");
  }

  it("of a model call: what had come stays, and the next prompt works", async () => {
    const world = await AgentWorld.open([
      { text: "A long answer, word by word by word by word by word by word.", latencyMs: 150 },
      { text: "Fresh." },
    ]);
    const agent = await world.agent();
    await interrupted(world, agent, () => textIn(agent.messages[1]).length > 0);
    expect(notices(agent.messages, "info")).toEqual(["Interrupted."]);
    await agent.sendMessage("Again");
    expect(textIn(agent.messages.at(-1))).toBe("Fresh.");
  });

  it("of a tool: its processes end, its call and the ones after it are answered, no PostToolUse and no Stop hook runs", async () => {
    const world = await AgentWorld.open([
      {
        toolCalls: [
          { name: "Bash", arguments: { command: "touch busy; sleep 300 & sleep 300" }, id: "one" },
          { name: "Write", arguments: { file_path: "never", content: "" }, id: "two" },
        ],
      },
      { text: "Fresh." },
    ]);
    world.settings({
      hooks: { ...hooksFor("PostToolUse", "touch post"), ...hooksFor("Stop", "touch stop") },
    });
    const agent = await world.agent();
    await interrupted(world, agent, () => world.has("busy"));
    expect(toolBlocks(agent.messages).map(({ success }) => success)).toEqual([false, false]);
    expect(["post", "stop", "never"].filter((name) => world.has(name))).toEqual([]);
    await agent.sendMessage("Again");
    expect(textIn(agent.messages.at(-1))).toBe("Fresh.");
    expect(world.service.requests[1]?.messages.filter((message) => message.role === "tool")).toHaveLength(2);
  });

  it.each(["PreToolUse", "PostToolUse"])("of a %s hook", async (event) => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "true" } }] },
      { text: "Fresh." },
    ]);
    world.settings({ hooks: hooksFor(event, "touch busy; trap '' TERM; sleep 300 & wait; sleep 300") });
    const agent = await world.agent();
    await interrupted(world, agent, () => world.has("busy"));
    world.settings({});
    await agent.sendMessage("Again");
    expect(textIn(agent.messages.at(-1))).toBe("Fresh.");
  });

  it("of a Stop hook: the turn ends, and is not continued", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({ hooks: hooksFor("Stop", "touch busy; sleep 300") });
    const agent = await world.agent();
    await interrupted(world, agent, () => world.has("busy"));
    expect(world.service.requests).toHaveLength(1);
  });

  it("of a UserPromptSubmit hook: the prompt that it had not judged never reaches the model", async () => {
    const world = await AgentWorld.open([{ text: "Fresh." }]);
    world.settings({ hooks: hooksFor("UserPromptSubmit", "touch busy; sleep 300") });
    const agent = await world.agent();
    await interrupted(world, agent, () => world.has("busy"));
    world.settings({});
    await agent.sendMessage("Second");
    expect(requestText(world.service, 0)).not.toContain('"Go"');
  });

  it("of a permission question: the call is answered, and the late answer counts for nothing", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "touch made" } }] },
      { text: "Fresh." },
    ]);
    let answer = (): void => {};
    let wasAborted = false;
    const agent = await world.agent({
      permissionMode: "default",
      canUseTool: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            wasAborted = true;
          });
          answer = () => resolve({ behavior: "allow" });
        }),
    });
    await interrupted(world, agent, () => agent.turnStatus.activity?.kind === "permission");
    answer();
    expect(wasAborted).toBe(true);
    expect(world.has("made")).toBe(false);
    expect(toolBlocks(agent.messages)[0]?.success).toBe(false);
  });

  it("leaves what is queued: it goes on afterwards", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "touch busy; sleep 300" } }] },
      { text: "Queued one." },
    ]);
    const agent = await world.agent();
    const first = agent.sendMessage("Go");
    await until(() => world.has("busy"), "the tool");
    const second = agent.sendMessage("Next");
    await agent.abortMessage();
    await first;
    await second;
    expect(textIn(agent.messages.at(-1))).toBe("Queued one.");
  });

  it("by destroy: everything ends, SessionEnd hooks run, and nothing can be sent", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "touch busy; sleep 300" } }] },
    ]);
    world.settings({
      hooks: {
        ...hooksFor("SessionEnd", "echo ended >> ended"),
        ...hooksFor("UserPromptSubmit", { command: "sleep 300", async: true }),
      },
    });
    const agent = await world.agent();
    const turn = agent.sendMessage("Go");
    const queued = agent.sendMessage("Never");
    await until(() => world.has("busy"), "the tool");
    await agent.destroy();
    await turn;
    await queued;
    expect(world.read("ended")).toBe("ended\n");
    expect(processesWith(world.marker)).toEqual([]);
    await expect(agent.sendMessage("More")).rejects.toThrow("destroyed");
    expect(metaTexts(agent.messages)).not.toContain("Never");
  });
});
