import { describe, expect, it } from "vitest";
import { AgentWorld, hooksFor, metaTexts, notices, textIn, toolBlocks } from "../support/agentWorld.ts";
import type { ScriptedAnswer } from "../support/modelService.ts";
import { processesWith } from "../support/processesLeft.ts";

const done: ScriptedAnswer = { text: "Done." };
const edit = (from: string, to: string): ScriptedAnswer => ({
  toolCalls: [{ name: "Edit", arguments: { file_path: "a.txt", old_string: from, new_string: to } }],
});
const read: ScriptedAnswer = { toolCalls: [{ name: "Read", arguments: { file_path: "a.txt" } }] };

async function runStop(...hooks: Parameters<typeof hooksFor>[1][]) {
  const world = await AgentWorld.open([done]);
  world.settings({ hooks: hooksFor("Stop", ...hooks) });
  const agent = await world.agent();
  await agent.sendMessage("Go");
  return { world, agent };
}

describe("hooks at the edges", () => {
  it("E2 a file that a hook changed since it was read is not edited, nor overwritten", async () => {
    const world = await AgentWorld.open([
      read,
      edit("one", "two"),
      edit("two", "three"),
      { toolCalls: [{ name: "Write", arguments: { file_path: "a.txt", content: "all new" } }] },
      read,
      edit("two", "three"),
      done,
    ]);
    world.write("a.txt", "one\n");
    world.settings({
      hooks: hooksFor("PostToolUse", {
        matcher: "Edit",
        command: "grep -q formatted a.txt || echo formatted >> a.txt",
      }),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    const [, first, second, write, , last] = toolBlocks(agent.messages);
    expect(first?.success).toBe(true);
    expect(second?.error).toContain("has changed since it was read");
    expect(write?.error).toContain("has changed since it was read");
    expect(last?.success).toBe(true);
    expect(world.read("a.txt")).toBe("three\nformatted\n");
  });

  it("E5 a missing and a non-executable script are named with their cause, and nothing is blocked", async () => {
    const world = await AgentWorld.open([done]);
    world.write("plain.sh", "echo hi\n", 0o644);
    world.settings({ hooks: hooksFor("Stop", "./missing.sh", "./plain.sh", "touch third") });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    const [missing, plain] = notices(agent.messages, "error");
    expect(missing).toContain("./missing.sh");
    expect(missing).toMatch(/not found|does not exist/i);
    expect(plain).toContain("./plain.sh");
    expect(plain).toMatch(/permission|not executable|may not be executed/i);
    expect(world.has("third")).toBe(true);
  });

  it("E7 a hook that never reads stdin, or closes it, does not disturb", async () => {
    const world = await AgentWorld.open([done]);
    world.settings({
      hooks: hooksFor("UserPromptSubmit", "true", "exec <&-; sleep 0.1", "head -c 10 > start"),
    });
    const agent = await world.agent();
    await agent.sendMessage("x".repeat(300_000));
    expect(notices(agent.messages)).toEqual([]);
    expect(world.read("start")).toBe('{"session_');
    expect(textIn(agent.messages.at(-1))).toBe("Done.");
  });

  it("E9 a hook that prints nothing leaves no message, block or notice", async () => {
    const { agent } = await runStop("true", "false; exit 0");
    expect(agent.messages).toHaveLength(2);
    expect(agent.messages.map((message) => message.blocks.length)).toEqual([1, 1]);
  });

  it("E10 a hook that hangs is ended at its timeout with all that it started", async () => {
    const { world, agent } = await runStop({
      command: "sleep 300 & sleep 300 & (sleep 300); wait",
      timeout: 0.3,
    });
    expect(notices(agent.messages, "error")[0]).toContain("0.3 s");
    expect(processesWith(world.marker)).toEqual([]);
  });

  it("E11 endless output is cut, marked, and kept small", async () => {
    const { agent } = await runStop("yes 語語語語語語 | head -c 8000000 >&2; exit 1");
    const [text = ""] = notices(agent.messages, "error");
    expect(text.length).toBeLessThan(1_200_000);
    expect(text).toMatch(/\[cut: \d+ more bytes\]/);
    expect(text).not.toContain("\uFFFD");
  });

  it("E12 stderr that is not UTF-8 is shown as far as it can be", async () => {
    const { agent } = await runStop("printf 'caf\\351 \\377\\376 ok' >&2; exit 1");
    expect(notices(agent.messages, "error")[0]).toContain("caf\uFFFD");
    expect(notices(agent.messages, "error")[0]).toContain("ok");
  });

  it("E12 binary feedback reaches the model as text, too", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "true" } }] },
      done,
    ]);
    world.settings({ hooks: hooksFor("PostToolUse", "printf '\\000\\377bad' >&2; exit 2") });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(metaTexts(agent.messages)[0]).toContain("bad");
    expect(world.service.requests).toHaveLength(2);
  });
});
