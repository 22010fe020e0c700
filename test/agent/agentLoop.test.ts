import { describe, expect, it } from "vitest";
import { AgentWorld, requestText, textIn, toolBlocks } from "../support/agentWorld.ts";

describe("the loop", () => {
  it("answers a prompt and keeps both in the conversation", async () => {
    const world = await AgentWorld.open([{ text: "Hello there." }]);
    const agent = await world.agent();
    await agent.sendMessage("Hi");
    expect(agent.messages.map((message) => [message.role, textIn(message)])).toEqual([
      ["user", "Hi"],
      ["assistant", "Hello there."],
    ]);
    expect(agent.turnStatus.state).toBe("idle");
  });

  it("runs tools until the model is done, and gives it each result", async () => {
    const world = await AgentWorld.open([
      { text: "Let me look.", toolCalls: [{ name: "Bash", arguments: { command: "echo one" } }] },
      { toolCalls: [{ name: "Write", arguments: { file_path: "a.txt", content: "two\n" } }] },
      { text: "Done." },
    ]);
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(
      toolBlocks(agent.messages).map(({ name, success, stage, result }) => [name, success, stage, result]),
    ).toEqual([
      ["Bash", true, "end", "one"],
      ["Write", true, "end", `${world.project}/a.txt was created.`],
    ]);
    expect(world.read("a.txt")).toBe("two\n");
    expect(requestText(world.service, 1)).toContain("one");
  });
});
