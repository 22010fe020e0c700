import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { PermissionQuestion } from "../../src/agent/agentOptions.ts";
import { AgentWorld, hooksFor, metaTexts, notices, recordTo, toolBlocks } from "../support/agentWorld.ts";
import { startHttpMcpServer } from "../support/mcpServer/httpServer.ts";
import type { ScriptedAnswer } from "../support/modelService.ts";
import { processesWith } from "../support/processesLeft.ts";

const program = resolve("test/support/mcpServer/stdioServer.mjs");
const stdio = (world: AgentWorld, ...flags: string[]) => ({
  command: process.execPath,
  args: [program, ...flags],
  env: { MARK: world.marker },
});
const calls = (...names: string[]): ScriptedAnswer[] => [
  ...names.map((name) => ({ toolCalls: [{ name, arguments: name.endsWith("echo") ? { text: "hi" } : {} }] })),
  { text: "Done." },
];

// Each server is a Node.js process of its own, which takes seconds to start on a busy machine.
describe("MCP servers of an agent", { timeout: 60_000 }, () => {
  it("H16.1 E21 a blocked call names the tool as mcp__server__tool, and a hook of PostToolUse too", async () => {
    const world = await AgentWorld.open(calls("mcp__files__echo", "mcp__files__fail"));
    world.settings({
      hooks: {
        ...hooksFor("PreToolUse", {
          matcher: "mcp__files__echo",
          command: `${recordTo("pre.jsonl")}; echo "not today" >&2; exit 2`,
        }),
        ...hooksFor("PostToolUse", { matcher: "mcp__files__.*", command: "echo look >&2; exit 2" }),
      },
    });
    const agent = await world.agent({ mcpServers: { files: stdio(world) } });
    await agent.sendMessage("Go");
    const [echo, fail] = toolBlocks(agent.messages);
    expect(echo).toMatchObject({
      success: false,
      error: "PreToolUse:mcp__files__echo hook error: not today",
    });
    expect(world.records("pre.jsonl")).toMatchObject([
      { tool_name: "mcp__files__echo", tool_input: { text: "hi" } },
    ]);
    expect(fail).toMatchObject({ success: false, error: "no such record" });
    expect(metaTexts(agent.messages)).toEqual([
      'PostToolUse:mcp__files__fail hook blocking error from command: "echo look >&2; exit 2": look',
    ]);
  });

  it("E21 each call is asked about in the default mode, and a rule for the whole server allows it", async () => {
    const world = await AgentWorld.open(calls("mcp__files__echo", "mcp__other__echo"));
    world.settings({ permissions: { allow: ["mcp__other"] } });
    const questions: PermissionQuestion[] = [];
    const agent = await world.agent({
      permissionMode: "default",
      mcpServers: { files: stdio(world), other: stdio(world) },
      canUseTool: async (question) => {
        questions.push(question);
        return { behavior: "deny" };
      },
    });
    await agent.sendMessage("Go");
    expect(questions.map(({ toolName, summary }) => [toolName, summary])).toEqual([
      ["mcp__files__echo", 'files: echo {"text":"hi"}'],
    ]);
    expect(toolBlocks(agent.messages).map(({ success }) => success)).toEqual([false, true]);
  });

  it("come from .mcp.json, from settings and from options, over stdio and HTTP; a bad entry costs its neighbours nothing", async () => {
    const http = await startHttpMcpServer("of-the-server");
    const world = await AgentWorld.open(calls("mcp__project__echo", "mcp__user__echo", "mcp__option__echo"));
    world.env.HTTP_TOKEN = "of-the-server";
    world.write(
      ".mcp.json",
      `{
  // Comments are read.
  "mcpServers": {
    "broken": { "args": [] },
    "project": ${JSON.stringify(stdio(world))},
  }
}`,
    );
    world.userSettings({
      mcpServers: {
        user: { type: "http", url: http.url, headers: { Authorization: "Bearer ${HTTP_TOKEN}" } },
      },
    });
    const agent = await world.agent({ mcpServers: { option: stdio(world) } });
    await agent.sendMessage("Go");
    expect(toolBlocks(agent.messages).map(({ name, result }) => [name, result])).toEqual([
      ["mcp__project__echo", "echo: hi"],
      ["mcp__user__echo", "echo: hi"],
      ["mcp__option__echo", "echo: hi"],
    ]);
    expect(notices(agent.messages)).toEqual([
      `${world.project}/.mcp.json:4:5: The MCP server "broken" is not started: "command" must be the program to start.`,
    ]);
    await agent.destroy();
    await http.close();
  });

  it("says where .mcp.json does not parse", async () => {
    const world = await AgentWorld.open();
    world.write(".mcp.json", '{\n  "mcpServers": {\n    "x": }\n}');
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(notices(agent.messages, "error")[0]).toMatch(/\.mcp\.json:3:10: /);
  });

  it("nothing of an untrusted project is started", async () => {
    const world = await AgentWorld.open();
    world.write(
      ".mcp.json",
      JSON.stringify({ mcpServers: { x: { command: "/bin/sh", args: ["-c", "touch started"] } } }),
    );
    const agent = await world.agent({ trusted: false });
    await agent.sendMessage("Go");
    await agent.destroy();
    expect(world.has("started")).toBe(false);
  });

  it("a server never sees the model's key", async () => {
    const world = await AgentWorld.open(calls("mcp__files__environment"));
    world.env.MY_KEY = "sk-the-models-own-key";
    const agent = await world.agent({
      mcpServers: { files: { ...stdio(world), env: { MARK: world.marker, GIVEN: "${MY_KEY:-kept away}" } } },
    });
    await agent.sendMessage("Go");
    const seen = JSON.parse(toolBlocks(agent.messages)[0]?.result ?? "{}") as Record<string, string>;
    expect(seen.GIVEN).toBe("kept away");
    expect(JSON.stringify(seen)).not.toContain("sk-the-models-own-key");
  });

  it("one that dies in a call is reported and restarted once, and the turn goes on", async () => {
    const world = await AgentWorld.open(
      calls("mcp__files__die", "mcp__files__echo", "mcp__files__die", "mcp__files__die"),
    );
    const agent = await world.agent({ mcpServers: { files: stdio(world) } });
    await agent.sendMessage("Go");
    const blocks = toolBlocks(agent.messages);
    expect(blocks[0]?.error).toContain('The MCP server "files" was lost during this call.');
    expect(blocks[1]).toMatchObject({ success: true, result: "echo: hi" });
    expect(blocks[3]?.error).toContain("not restarted again");
    expect(notices(agent.messages, "warning")).toHaveLength(2);
    expect(notices(agent.messages, "error")).toHaveLength(1);
    await agent.sendMessage("And again");
    const offered = (index: number): string => JSON.stringify(world.service.requests.at(index)?.tools);
    expect(offered(0)).toContain("mcp__files__echo");
    expect(offered(-1)).not.toContain("mcp__files__echo");
  });

  it("an answer of 50 MB does not take the session along", async () => {
    const world = await AgentWorld.open(calls("mcp__files__flood", "mcp__files__echo"));
    const agent = await world.agent({ mcpServers: { files: stdio(world) } });
    await agent.sendMessage("Go");
    const [flood, echo] = toolBlocks(agent.messages);
    expect(flood?.error).toContain("It sent a message of more than 10 MB.");
    expect(echo).toMatchObject({ success: true, result: "echo: hi" });
    expect(JSON.stringify(agent.messages).length).toBeLessThan(100_000);
  });

  it("one that never answers at its start does not hold the agent's end up, and nothing of it is left", async () => {
    const world = await AgentWorld.open();
    const agent = await world.agent({ mcpServers: { silent: stdio(world, "--silent") } });
    await expect.poll(() => processesWith(world.marker).length).toBeGreaterThan(0);
    await agent.destroy();
    expect(processesWith(world.marker)).toEqual([]);
  });
});

describe("custom tools of an agent", () => {
  it("E21 a tool that calls a tool goes through the same hooks and permission checks", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Deploy", arguments: { to: "test" } }] },
      { text: "Done." },
    ]);
    world.settings({
      hooks: hooksFor(
        "PreToolUse",
        { matcher: "Bash", command: `${recordTo("pre.jsonl")}; echo "no shell in deploys" >&2; exit 2` },
        { matcher: "Deploy", command: recordTo("pre.jsonl") },
      ),
    });
    const agent = await world.agent({
      customTools: [
        {
          name: "Deploy",
          description: "Deploys",
          inputSchema: { type: "object", properties: { to: { type: "string" } } },
          async run(input, context) {
            const nested = await context.callTool("Bash", { command: `touch ${String(input.to)}` });
            return `nested: ${nested.text}`;
          },
        },
      ],
    });
    await agent.sendMessage("Go");
    expect(world.has("test")).toBe(false);
    expect(toolBlocks(agent.messages)[0]?.result).toBe(
      "nested: PreToolUse:Bash hook error: no shell in deploys",
    );
    expect(world.records("pre.jsonl").map(({ tool_name }) => tool_name)).toEqual(["Deploy", "Bash"]);
  });
});
