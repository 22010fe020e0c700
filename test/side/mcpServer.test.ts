import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMcpConnection } from "../../src/agent/mcp/mcpEntry.ts";
import { McpServer } from "../../src/agent/mcp/mcpServer.ts";
import { parseMcpServer } from "../../src/agent/mcp/mcpServerConfig.ts";
import { mcpTool, mcpToolName } from "../../src/agent/mcp/mcpTool.ts";
import type { ToolContext, ToolOutcome } from "../../src/agent/tools/tool.ts";
import { startHttpMcpServer } from "../support/mcpServer/httpServer.ts";
import { nothingLeft, processesWith } from "../support/processesLeft.ts";

const program = resolve("test/support/mcpServer/stdioServer.mjs");

// Each server is a Node.js process of its own, which takes seconds to start on a busy machine.
describe("an MCP server of a session", { timeout: 60_000 }, () => {
  let marker: string;
  let reports: string[];
  let changes: number;
  let server: McpServer | undefined;

  beforeEach(() => {
    marker = `mark-${randomUUID()}`;
    reports = [];
    changes = 0;
  });
  afterEach(async () => {
    await server?.close();
    await nothingLeft(marker);
  });

  async function start(entry: Record<string, unknown>, connectTimeoutMs = 10_000): Promise<McpServer> {
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: "/nowhere",
      SECRET: "hidden",
      GIVEN: "from outside",
      MARK: marker,
    };
    const config = parseMcpServer("test", entry, "/project/.mcp.json", env);
    server = new McpServer(config, {
      cwd: process.cwd(),
      env,
      connectTimeoutMs,
      open: openMcpConnection,
      report: (level, text) => reports.push(`${level}: ${text}`),
      onLog: () => {},
      onToolsChanged: () => {
        changes++;
      },
    });
    await server.start();
    return server;
  }
  const stdio = (more: Record<string, unknown> = {}, ...flags: string[]) => ({
    command: process.execPath,
    args: [program, ...flags],
    env: { MARK: marker },
    ...more,
  });

  async function call(
    tool: string,
    input: Record<string, unknown> = {},
    signal?: AbortSignal,
  ): Promise<ToolOutcome> {
    const description = server?.tools.find(({ name }) => name === tool);
    if (!server || !description) throw new Error(`no tool ${tool}`);
    const context = { signal: signal ?? new AbortController().signal } as ToolContext;
    return mcpTool(server, description).run(input, context);
  }
  const echoWorks = async (): Promise<void> => {
    expect((await call("echo", { text: "hi" })).text).toBe("echo: hi");
  };

  it("offers its tools under their full names and answers calls, over stdio", async () => {
    await start(stdio());
    const tool = mcpTool(server as McpServer, server?.tools.find(({ name }) => name === "echo") as never);
    expect(tool.name).toBe("mcp__test__echo");
    expect(tool.readOnly).toBe(true);
    expect(tool.inputSchema.json).toMatchObject({ type: "object", properties: { text: { type: "string" } } });
    expect(await call("echo", { text: "hi" })).toEqual({
      text: "echo: hi",
      response: { success: true, content: [{ type: "text", text: "echo: hi" }] },
    });
    expect(await call("fail")).toMatchObject({
      text: "no such record",
      response: { success: false, error: "no such record" },
    });
    expect((await call("picture")).text).toBe("[image, image/png, 3 bytes, not shown]");
    expect((await call("long")).text).toMatch(/^x{100000}… \[\+50000 chars\]$/);
    expect(reports).toEqual([]);
  });

  it("works over HTTP, with headers whose variables are filled in", async () => {
    const http = await startHttpMcpServer("from outside");
    await start({ url: http.url, headers: { Authorization: "Bearer ${GIVEN}" } });
    await echoWorks();
    expect(http.seen.every(({ authorization }) => authorization === "Bearer from outside")).toBe(true);
    await http.close();
  });

  it("says which server refused and why", async () => {
    const http = await startHttpMcpServer("right");
    await start({ url: http.url });
    expect(reports.join()).toMatch(
      /^error: The MCP server "test" \(\/project\/.mcp.json\) could not be started\..*(401|[Uu]nauthorized)/,
    );
    await http.close();
  });

  it("gives a server the safe variables and what is configured, and nothing else", async () => {
    await start(stdio({ env: { MARK: marker, TOKEN: "${GIVEN}", OTHER: "${NONE:-fallback}" } }));
    const seen = JSON.parse((await call("environment")).text) as Record<string, string>;
    expect(seen).toMatchObject({ HOME: "/nowhere", TOKEN: "from outside", OTHER: "fallback" });
    expect(Object.keys(seen)).not.toContain("SECRET");
    expect(Object.keys(seen)).not.toContain("GIVEN");
  });

  it("lives with a server that prints to stdout", async () => {
    await start(stdio({}, "--chatty"));
    await echoWorks();
  });

  it("reports a server that cannot start, with what it said last", async () => {
    await start(stdio({}, "--broken"));
    expect(reports).toEqual([
      'error: The MCP server "test" (/project/.mcp.json) could not be started. It has ended. It last said: cannot read config.toml',
    ]);
    await start({ command: "no-such-program" });
    expect(reports[1]).toContain('Cannot start "no-such-program": the program was not found.');
  });

  it("gives up on a server that does not answer the greeting", async () => {
    await start(stdio({}, "--silent"), 300);
    expect(reports[0]).toContain("It did not answer within 0.3 s.");
    expect(server?.tools).toEqual([]);
  });

  it("restarts a server that died once, and again only after a call has succeeded", async () => {
    await start(stdio());
    expect((await call("die")).text).toContain('The MCP server "test" was lost during this call.');
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatch(/^warning: .*fatal: out of cheese.* restarted once\.$/s);
    await server?.settled();
    await echoWorks();
    await call("die");
    await server?.settled();
    expect(reports).toHaveLength(2);
    expect((await call("die")).text).toContain("not restarted again");
    expect(reports[2]).toMatch(/^error: .*not restarted again/s);
    await server?.settled();
    expect(server?.tools).toEqual([]);
    expect(changes).toBeGreaterThan(2);
  });

  it("a call that hangs fails at its limit, and the server is replaced", async () => {
    await start(stdio({ timeout: 300 }));
    expect((await call("hang")).text).toContain("It did not answer within 0.3 s.");
    await server?.settled();
    await echoWorks();
  });

  it("an interruption ends the waiting at once and keeps the server", async () => {
    await start(stdio());
    const interrupt = new AbortController();
    const waiting = call("hang", {}, interrupt.signal);
    interrupt.abort();
    expect((await waiting).text).toBe("The call was interrupted.");
    await echoWorks();
    expect(reports).toEqual([]);
  });

  it("an answer of 50 MB over stdio is not taken in; the server is replaced", async () => {
    await start(stdio());
    expect((await call("flood")).text).toContain("It sent a message of more than 10 MB.");
    await server?.settled();
    await echoWorks();
    expect(reports).toHaveLength(1);
  });

  it("an answer of 50 MB over HTTP is not taken in; the connection is replaced", async () => {
    const http = await startHttpMcpServer();
    await start({ url: http.url });
    expect((await call("flood")).text).toContain("It sent a message of more than 10 MB.");
    await server?.settled();
    await echoWorks();
    await http.close();
  });

  it("takes what it started along when it is closed", async () => {
    await start(stdio());
    await call("children");
    await expect.poll(() => processesWith(marker).length).toBeGreaterThanOrEqual(5);
    await server?.close();
    await nothingLeft(marker);
  });

  it("hears of tools that come while it runs", async () => {
    await start(stdio());
    await call("grow");
    await expect.poll(() => server?.tools.map(({ name }) => name)).toContain("added");
    expect((await call("added")).text).toBe("added");
  });
});

describe("names and settings of MCP servers", () => {
  it("H16.1 names are mcp__server__tool in the characters that services allow, at most 64 of them", () => {
    expect(mcpToolName("files", "read_file")).toBe("mcp__files__read_file");
    expect(mcpToolName("my server", "a.b/c")).toBe("mcp__my_server__a_b_c");
    const long = mcpToolName("server", `${"x".repeat(80)}1`);
    expect(long).toHaveLength(64);
    expect(long).not.toBe(mcpToolName("server", `${"x".repeat(80)}2`));
  });

  it.each([
    [{}, '"command" must be the program'],
    [{ command: 3 }, '"command" must be the program'],
    [{ command: "x", args: "y" }, '"args" must be a list'],
    [{ command: "x", env: { A: 1 } }, '"env" must be an object of texts'],
    [{ command: "x", timeout: -1 }, '"timeout" must be a positive number'],
    [{ url: "file:///etc/passwd" }, '"url" must be an http or https address'],
    [{ url: "http://x", headers: [] }, '"headers" must be an object'],
    [{ type: "sse", url: "http://x" }, '"sse" is not supported'],
    [{ command: "${NO_SUCH}" }, "the environment variable NO_SUCH is not set"],
    ["x", "must be an object"],
  ])("refuses %j and says why", (entry, reason) => {
    expect(() => parseMcpServer("x", entry, "options", {})).toThrow(reason);
  });
});
