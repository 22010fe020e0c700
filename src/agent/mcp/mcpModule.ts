import type { AgentHost, AgentModule } from "../agentModule.ts";
import { describeFileProblem } from "../subagents/definitionFiles.ts";
import type { Tool } from "../tools/tool.ts";
import { readMcpConfiguration } from "./mcpConfiguration.ts";
import { McpServer } from "./mcpServer.ts";
import type { McpServerConfig } from "./mcpServerConfig.ts";
import { mcpTool } from "./mcpTool.ts";

const connectTimeoutMs = 30_000;
/** A model request waits this long for servers that are still starting; later ones join at a later request. */
const patienceMs = 10_000;

/** MCP servers and their tools. They start with the agent, without being waited for, and end with it. */
export function mcpModule(host: AgentHost): AgentModule {
  const ended = new AbortController();
  const servers: McpServer[] = [];
  let tools: readonly Tool[] | undefined;

  const report = (level: "warning" | "error", text: string): void => {
    if (ended.signal.aborted) return;
    host.logger[level === "error" ? "error" : "warn"](text);
    host.conversation.addNotice(level, text);
  };
  const makeServer = (config: McpServerConfig): McpServer =>
    new McpServer(config, {
      cwd: host.place.projectDir,
      env: host.env,
      connectTimeoutMs,
      // Loaded with the first server: the protocol library is larger than the rest of the agent.
      open: async (...connection) => (await import("./mcpEntry.ts")).openMcpConnection(...connection),
      report,
      onLog: (line) => host.logger.debug(`MCP server ${config.name}: ${line}`),
      onToolsChanged: () => {
        tools = undefined;
      },
    });

  const started = (async () => {
    const { servers: configs, problems } = await readMcpConfiguration({
      home: host.home,
      projectDir: host.place.projectDir,
      given: host.options.mcpServers ?? {},
      variables: host.env,
    });
    for (const problem of problems) report("error", describeFileProblem(problem));
    if (ended.signal.aborted) return;
    servers.push(...configs.map(makeServer));
    await Promise.all(servers.map((server) => server.start()));
  })();

  const ready = async (): Promise<void> => {
    await started;
    await Promise.all(servers.map((server) => server.settled()));
  };

  return {
    tools: () => {
      tools ??= toolsOf(servers, host);
      return tools;
    },
    beforeRequest: (signal) => atMost(ready(), patienceMs, signal),
    async dispose() {
      ended.abort();
      // Not waited for: a server that hangs at its start is ended by closing it.
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

/** Two names that differ only in characters that services refuse would be one: the first counts. */
function toolsOf(servers: readonly McpServer[], host: AgentHost): Tool[] {
  const byName = new Map<string, Tool>();
  for (const server of servers) {
    for (const description of server.tools) {
      const tool: Tool = mcpTool(server, description);
      if (byName.has(tool.name)) {
        host.logger.warn(`MCP server ${server.config.name}: a second tool named ${tool.name} is left out.`);
      } else byName.set(tool.name, tool);
    }
  }
  return [...byName.values()];
}

function atMost(work: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    void work.then(done);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}
