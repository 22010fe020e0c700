import { resolve } from "node:path";
import { expect, it } from "vitest";
import { AgentWorld } from "../support/agentWorld.ts";
import { runExample } from "../support/runExample.ts";

it("H21.6 waitForBackground.ts calls an MCP tool and ends only when its background work has", {
  timeout: 120_000,
}, async () => {
  const world = await AgentWorld.open((request) => {
    const last = JSON.stringify(request.messages.at(-1));
    const all = JSON.stringify(request.messages);
    if (last.includes("Build the project")) {
      return {
        toolCalls: [
          { name: "mcp__demo__echo", arguments: { text: "hello" } },
          {
            name: "Bash",
            arguments: {
              command: "until [ -e waited ]; do sleep 0.05; done; touch built",
              run_in_background: true,
            },
          },
        ],
      };
    }
    if (all.includes("built it")) return { text: "The build is done." };
    if (last.includes("Work still runs in the background")) {
      const task_id = /shell_[0-9a-f]{8}/.exec(all)?.[0];
      return {
        toolCalls: [
          { name: "Bash", arguments: { command: "touch waited" } },
          { name: "TaskOutput", arguments: { task_id } },
          { name: "Bash", arguments: { command: "[ -e built ] && echo built it" } },
        ],
      };
    }
    return { text: "It builds." };
  });
  const server = resolve("test/support/mcpServer/stdioServer.mjs");
  const printed = await runExample("waitForBackground.ts", [world.project, server], {
    ...world.env,
    WAVE_BASE_URL: world.service.baseURL,
    WAVE_MODEL: "test-model",
    WAVE_API_KEY: "sk-example",
  });
  const lines = printed.trim().split("\n");
  expect(lines.filter((line) => !line.startsWith("["))).toEqual([
    "user: Build the project and tell me when it is done.",
    "mcp__demo__echo: done",
    "Bash: done",
    "assistant: It builds.",
    "hook: Work still runs in the background. Wait for it with TaskOutput, then report.",
    "Bash: done",
    "TaskOutput: done",
    "Bash: done",
    "assistant: The build is done.",
  ]);
  expect(world.records("mcp-calls.jsonl")).toMatchObject([
    { tool_name: "mcp__demo__echo", tool_response: { success: true } },
  ]);
});
