import { describe, expect, it } from "vitest";
import type { Message } from "../../src/agent/messages/message.ts";
import { AgentWorld, hooksFor, recordTo, textIn, toolBlocks, until } from "../support/agentWorld.ts";
import { ManualClock } from "../support/manualClock.ts";

const minute = 60_000;
const start = new Date(2026, 0, 5, 9, 0, 0).getTime();
const create = (cron: string, prompt: string, recurring = true) => ({
  toolCalls: [{ name: "CronCreate", arguments: { cron, prompt, recurring } }],
});
const longCommand = {
  toolCalls: [
    {
      name: "Bash",
      arguments: { command: "touch begun; until [ -e go ]; do sleep 0.05; done; echo slept well" },
    },
  ],
};
const userTexts = (agent: { messages: readonly Message[] }): string[] =>
  agent.messages.filter(({ role, isMeta }) => role === "user" && !isMeta).map(textIn);

describe("timed prompts of an agent", { timeout: 60_000 }, () => {
  it("start a turn of their own in an idle session, as if the user had written them", async () => {
    const clock = new ManualClock(start);
    const world = await AgentWorld.open([
      create("*/10 * * * *", "Look at the build"),
      { text: "Scheduled." },
      { text: "All green." },
    ]);
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl")) });
    const agent = await world.agent({ clock });
    await agent.sendMessage("Go");
    clock.advance(10 * minute);
    await until(
      () => world.records("stop.jsonl").length === 2 && agent.turnStatus.state === "idle",
      "the timed turn",
    );
    expect(userTexts(agent)).toEqual(["Go", "Look at the build"]);
    expect(textIn(agent.messages.at(-1) as never)).toBe("All green.");
    // A new turn, not one that a hook continued.
    expect(world.records("stop.jsonl").map(({ stop_hook_active }) => stop_hook_active)).toEqual([
      false,
      false,
    ]);
  });

  it("one due every minute during a ten-minute turn waits for its end and fires once", async () => {
    const clock = new ManualClock(start);
    const world = await AgentWorld.open((request) => {
      const last = JSON.stringify(request.messages.at(-1));
      if (last.includes("long work")) return longCommand;
      if (last.includes("slept well")) return { text: "Done." };
      if (last.includes("Every minute") && last.includes('"user"')) return { text: "Looked." };
      return last.includes("tool_call_id") ? { text: "Scheduled." } : create("* * * * *", "Every minute");
    });
    const agent = await world.agent({ clock });
    await agent.sendMessage("Go");
    const turn = agent.sendMessage("long work");
    await until(() => world.has("begun"), "the command");
    clock.advance(10 * minute);
    expect(agent.queuedMessages).toEqual([]);
    world.write("go", "");
    await turn;
    await until(() => agent.turnStatus.state === "idle" && userTexts(agent).length === 3, "the timed turn");
    expect(userTexts(agent)).toEqual(["Go", "long work", "Every minute"]);
    clock.advance(minute);
    await until(
      () => agent.turnStatus.state === "idle" && userTexts(agent).length === 4,
      "the next timed turn",
    );
  });

  it("a message of the user that waits goes first", async () => {
    const clock = new ManualClock(start);
    const world = await AgentWorld.open((request, index) => {
      if (index === 0) return create("1 9 * * *", "Timed", false);
      const text = JSON.stringify(request.messages);
      if (text.includes("long work") && !text.includes("slept well")) return longCommand;
      return { text: "Done." };
    });
    const agent = await world.agent({ clock });
    await agent.sendMessage("Go");
    const turn = agent.sendMessage("long work");
    await until(() => world.has("begun"), "the command");
    clock.advance(2 * minute);
    const queued = agent.sendMessage("and this");
    world.write("go", "");
    await Promise.all([turn, queued]);
    await until(() => agent.turnStatus.state === "idle" && userTexts(agent).length === 4, "the timed turn");
    expect(userTexts(agent)).toEqual(["Go", "long work", "and this", "Timed"]);
  });

  it("are listed, deleted by the model and by the user, and end with the session", async () => {
    const clock = new ManualClock(start);
    const world = await AgentWorld.open([
      create("0 10 * * 1-5", "One"),
      create("0 11 * * *", "Two", false),
      create("bad", "Three"),
      { toolCalls: [{ name: "CronList", arguments: {} }] },
      { toolCalls: [{ name: "CronDelete", arguments: { id: "none" } }] },
      { text: "Done." },
    ]);
    let changes = 0;
    const agent = await world.agent({ clock, callbacks: { onBackgroundChanged: () => changes++ } });
    await agent.sendMessage("Go");
    const [one, , bad, list, none] = toolBlocks(agent.messages);
    const [first, second] = agent.sessionCrons;
    expect(one?.result).toBe(
      `Scheduled as ${first?.id}: 0 10 * * 1-5, recurring. Next time: 2026-01-05 10:00.`,
    );
    expect(bad?.error).toContain("is not a cron expression of five fields");
    expect(list?.result).toContain(`${second?.id}: 0 11 * * *, once, next 2026-01-05 11:00: Two`);
    expect(none?.error).toContain("CronList shows what there is");
    expect(changes).toBe(2);
    expect(await agent.stopBackground(first?.id ?? "")).toBe(true);
    expect(agent.sessionCrons).toHaveLength(1);
    await agent.clearMessages();
    expect(agent.sessionCrons).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });
});
