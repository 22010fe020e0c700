import { describe, expect, it } from "vitest";
import { AgentWorld, hooksFor, metaTexts, notices, textIn, until } from "../support/agentWorld.ts";
import { processesWith } from "../support/processesLeft.ts";

describe("hooks in the background", () => {
  it("H9.1 an async hook is started and the turn does not wait for it", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({
      hooks: hooksFor("Stop", {
        command: "touch started; while [ ! -e go ]; do sleep 0.02; done; touch ended",
        async: true,
      }),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    await until(() => world.has("started"), "the start");
    expect(world.has("ended")).toBe(false);
    world.write("go", "");
    await until(() => world.has("ended"), "the end");
  });

  it("H9.2 its timeout holds in the background", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({
      hooks: hooksFor("Stop", { command: "touch started; sleep 60", async: true, timeout: 0.3 }),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    await until(
      () => world.logger.at("warn").some((line) => line.includes("0.3 s")),
      "the report in the log",
    );
    expect(processesWith(world.marker)).toEqual([]);
    expect(notices(agent.messages)).toEqual([]);
  });

  it("H9.3 its output is not delivered, whatever its exit code", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({
      hooks: hooksFor("Stop", { command: "echo out; echo err >&2; touch ended; exit 2", async: true }),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    await until(() => world.has("ended") && processesWith(world.marker).length === 0, "the end");
    expect(agent.messages.map(textIn)).toEqual(["Go", "Done."]);
    expect(agent.turnStatus.state).toBe("idle");
  });

  it("H10.1 H10.2 H10.4 E20 asyncRewake: the turn does not wait; exit 2 wakes the idle session with stderr in a reminder", async () => {
    const world = await AgentWorld.open([{ text: "Done." }, { text: "I see." }]);
    world.settings({
      hooks: hooksFor("UserPromptSubmit", {
        command: "while [ ! -e go ]; do sleep 0.02; done; echo '发现硬编码密钥' >&2; exit 2",
        asyncRewake: true,
      }),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(agent.messages.map(textIn)).toEqual(["Go", "Done."]);
    world.write("go", "");
    await until(() => agent.messages.length === 4 && agent.turnStatus.state === "idle", "the second turn");
    expect(metaTexts(agent.messages)[0]).toMatch(
      /^<system-reminder>[\s\S]*发现硬编码密钥[\s\S]*<\/system-reminder>$/,
    );
    expect(textIn(agent.messages[3])).toBe("I see.");
  });

  it("H10.2 where stderr is empty, stdout wakes", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({
      hooks: hooksFor("UserPromptSubmit", { command: "echo from-stdout; exit 2", asyncRewake: true }),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    await until(
      () => metaTexts(agent.messages).length === 1 && agent.turnStatus.state === "idle",
      "the wake-up",
    );
    expect(metaTexts(agent.messages)[0]).toContain("from-stdout");
  });

  it("H10.3 H10.6 exit 0, another exit code, a timeout and a failed start do not wake", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({
      hooks: hooksFor(
        "Stop",
        { command: "echo zero >&2; exit 0", asyncRewake: true },
        { command: "echo three >&2; exit 3", asyncRewake: true },
        { command: "echo slow >&2; sleep 60", asyncRewake: true, timeout: 0.2 },
        { command: "./no-such-script", asyncRewake: true },
      ),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    await until(
      () => world.logger.at("warn").length >= 3 && processesWith(world.marker).length === 0,
      "the reports",
    );
    expect(agent.messages.map(textIn)).toEqual(["Go", "Done."]);
    expect(notices(agent.messages)).toEqual([]);
  });

  it("H10.2 H10.5 E20 in a busy session the wake-up joins the turn in the order of the queue; a new message cancels nothing", async () => {
    const world = await AgentWorld.open((_, index) =>
      index === 0
        ? {
            toolCalls: [
              {
                name: "Bash",
                arguments: { command: "touch busy; while [ ! -e release ]; do sleep 0.02; done" },
              },
            ],
          }
        : { text: `Answer ${index}.` },
    );
    world.settings({
      hooks: hooksFor("UserPromptSubmit", {
        command:
          "[ -e woke ] && exit 0; touch woke; while [ ! -e busy ]; do sleep 0.02; done; echo finding >&2; exit 2",
        asyncRewake: true,
      }),
    });
    const agent = await world.agent();
    const first = agent.sendMessage("First");
    await until(() => agent.queuedMessages.length === 1, "the wake-up");
    const second = agent.sendMessage("Second");
    expect(agent.queuedMessages.map(({ kind }) => kind)).toEqual(["notification", "user"]);
    world.write("release", "");
    await first;
    await second;
    const texts = agent.messages.map(textIn);
    expect(texts[0]).toBe("First");
    expect(texts[2]).toContain("finding");
    expect(texts.slice(3)).toEqual(["Answer 1.", "Second", "Answer 2."]);
  });

  it("E20 a wake-up never jumps ahead of what the user wrote before it", async () => {
    const world = await AgentWorld.open((_, index) =>
      index === 0
        ? {
            toolCalls: [
              { name: "Bash", arguments: { command: "while [ ! -e release ]; do sleep 0.02; done" } },
            ],
          }
        : { text: `Answer ${index}.` },
    );
    world.settings({
      hooks: hooksFor("UserPromptSubmit", {
        command:
          "[ -e woke ] && exit 0; touch woke; while [ ! -e queued ]; do sleep 0.02; done; echo finding >&2; exit 2",
        asyncRewake: true,
      }),
    });
    const agent = await world.agent();
    const first = agent.sendMessage("First");
    await until(() => world.has("woke"), "the hook");
    const second = agent.sendMessage("Second");
    world.write("queued", "");
    await until(() => agent.queuedMessages.length === 2, "the wake-up");
    expect(agent.queuedMessages.map(({ kind }) => kind)).toEqual(["user", "notification"]);
    world.write("release", "");
    await first;
    await second;
    await until(() => agent.turnStatus.state === "idle" && agent.queuedMessages.length === 0, "the end");
    const texts = agent.messages.filter((message) => message.role === "user").map(textIn);
    expect(texts.slice(0, 2)).toEqual(["First", "Second"]);
    expect(texts[2]).toContain("finding");
  });

  it("H10.5 an interruption ends the asyncRewake hooks of its turn, and nothing of them is delivered", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "touch busy; sleep 60" } }] },
      { text: "Done." },
    ]);
    world.settings({
      hooks: hooksFor("UserPromptSubmit", {
        command: "trap 'echo finding >&2; exit 2' TERM; touch hook; sleep 60 & wait",
        asyncRewake: true,
      }),
    });
    const agent = await world.agent();
    const turn = agent.sendMessage("Go");
    await until(() => world.has("busy") && world.has("hook"), "hook and tool");
    await agent.abortMessage();
    await turn;
    await until(() => processesWith(world.marker).length === 0, "the end of all processes");
    expect(agent.queuedMessages).toEqual([]);
    expect(JSON.stringify(agent.messages)).not.toContain("finding");
  });

  it("H10.5 plain async hooks live through an interruption", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "touch busy; sleep 60" } }] },
    ]);
    world.settings({
      hooks: hooksFor("UserPromptSubmit", {
        command: "while [ ! -e go ]; do sleep 0.02; done; touch ended",
        async: true,
      }),
    });
    const agent = await world.agent();
    const turn = agent.sendMessage("Go");
    await until(() => world.has("busy"), "the tool");
    await agent.abortMessage();
    await turn;
    world.write("go", "");
    await until(() => world.has("ended"), "the end of the async hook");
  });

  it("E19 a wake-up for a session that is gone is dropped and logged", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({
      hooks: hooksFor("UserPromptSubmit", {
        command: "touch hook; trap '' TERM; while [ ! -e go ]; do sleep 0.02; done; echo finding >&2; exit 2",
        asyncRewake: true,
      }),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    await until(() => world.has("hook"), "the hook");
    const old = agent.sessionId;
    await agent.clearMessages();
    world.write("go", "");
    expect(agent.sessionId).not.toBe(old);
    await until(() => processesWith(world.marker).length === 0, "the end of the hook");
    expect(agent.messages).toEqual([]);
    expect(agent.turnStatus.state).toBe("idle");
  });
});
