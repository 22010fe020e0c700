import { McpConnection, type McpConnectionHost } from "./mcpConnection.ts";
import type { McpServerConfig } from "./mcpServerConfig.ts";

/**
 * The part of MCP that needs the protocol library. A bundle of its own, loaded when the first server is started: most sessions
 * have none. Rejects with an error for people; nothing of the server is left then.
 */
export async function openMcpConnection(
  config: McpServerConfig,
  host: McpConnectionHost,
): Promise<McpConnection> {
  const connection = new McpConnection(config, host);
  await connection.open();
  return connection;
}
