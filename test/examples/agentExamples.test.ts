import { describe, expect, it } from "vitest";
import { AgentWorld } from "../support/agentWorld.ts";
import { runExample } from "../support/runExample.ts";

const patience = 60_000;

function environment(world: AgentWorld): Record<string, string | undefined> {
  return {
    ...world.env,
    WAVE_BASE_URL: world.service.baseURL,
    WAVE_MODEL: "test-model",
    WAVE_API_KEY: "sk-example",
  };
}

describe("the examples", () => {
  it("guardHook.ts keeps the model from pushing", { timeout: patience }, async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "touch committed" } }] },
      { toolCalls: [{ name: "Bash", arguments: { command: "touch pushed; git push" } }] },
      { text: "Committed; pushing is yours." },
    ]);
    const printed = await runExample("guardHook.ts", [world.project], environment(world));
    expect(printed.trim().split("\n")).toEqual([
      "Bash: ran",
      "Bash: PreToolUse:Bash hook error: Pushing is for people. Commit only.",
      "Wave: Committed; pushing is yours.",
    ]);
    expect([world.has("committed"), world.has("pushed")]).toEqual([true, false]);
  });

  it("H25.1 H23.5 loopHook.ts goes on until the checks pass and tells the person each round", {
    timeout: patience,
  }, async () => {
    const world = await AgentWorld.open([
      { text: "I think it is fine." },
      { toolCalls: [{ name: "Bash", arguments: { command: "touch fixed" } }] },
      { text: "Now it is." },
    ]);
    world.write("check.sh", "[ -e fixed ] || { echo 'fixed is missing'; exit 1; }");
    const printed = await runExample("loopHook.ts", [world.project], environment(world));
    expect(printed.trim().split("\n")).toEqual([
      "user: Make ./check.sh succeed.",
      "assistant: I think it is fine.",
      "[info] The checks fail: another round. To stop, interrupt the turn.",
      "assistant: Now it is.",
      "[info] The checks pass.",
    ]);
    expect(JSON.stringify(world.service.requests[1]?.messages)).toContain(
      "The checks fail: fixed is missing",
    );
    expect(JSON.stringify(world.service.requests)).not.toContain("another round");
  });
});
