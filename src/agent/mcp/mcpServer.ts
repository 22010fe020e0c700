import type { McpCallResult, McpConnection, McpConnectionHost, McpToolDescription } from "./mcpConnection.ts";
import type { McpServerConfig } from "./mcpServerConfig.ts";

export interface McpServerHost {
  cwd: string;
  env: Readonly<Record<string, string>>;
  connectTimeoutMs: number;
  open: (config: McpServerConfig, host: McpConnectionHost) => Promise<McpConnection>;
  /** For the user. Must not throw. */
  report: (level: "warning" | "error", text: string) => void;
  onLog: (line: string) => void;
  onToolsChanged: () => void;
}

/**
 * One configured server over the time of a session. A server that dies, hangs or floods is reported and restarted once; when it is
 * lost again before a call has succeeded, it stays away, and the session goes on without its tools.
 */
export class McpServer {
  private connection: McpConnection | undefined;
  private opening: Promise<void> | undefined;
  private mayRestart = true;
  private readonly ending = new AbortController();

  constructor(
    readonly config: McpServerConfig,
    private readonly host: McpServerHost,
  ) {}

  get tools(): readonly McpToolDescription[] {
    return this.connection?.tools ?? [];
  }

  /** Settles when the server runs or has been given up. Never rejects. */
  start(): Promise<void> {
    this.opening ??= this.openOnce().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  /** Settles once no start or restart is under way. Never rejects. */
  async settled(): Promise<void> {
    await this.opening;
  }

  /** Rejects with an error for people. */
  async call(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<McpCallResult> {
    await this.opening;
    const connection = this.connection;
    if (!connection) throw new Error(`The MCP server "${this.config.name}" is not running.`);
    try {
      const result = await connection.call(tool, input, signal);
      this.mayRestart = true;
      return result;
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "McpServerLostError") throw error;
      this.lost(connection, error.message);
      throw new Error(
        `The MCP server "${this.config.name}" was lost during this call. ${error.message} The call may or may not have taken effect. ${
          this.opening !== undefined
            ? "The server is being restarted."
            : "It is not restarted again in this session."
        }`,
      );
    }
  }

  /** Resolves once nothing of the server is left. */
  async close(): Promise<void> {
    this.ending.abort();
    await this.opening;
    await this.connection?.close();
    this.connection = undefined;
  }

  private async openOnce(): Promise<void> {
    const { cwd, env, connectTimeoutMs, onLog, onToolsChanged } = this.host;
    let opened: McpConnection | undefined;
    try {
      opened = await this.host.open(this.config, {
        cwd,
        env,
        connectTimeoutMs,
        signal: this.ending.signal,
        onLog,
        onToolsChanged,
        onLost: (reason) => opened && this.lost(opened, reason),
      });
    } catch (error) {
      if (this.ending.signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.host.report(
        "error",
        `The MCP server "${this.config.name}" (${this.config.origin}) could not be started. ${reason}`,
      );
      return;
    }
    if (this.ending.signal.aborted) await opened.close();
    else {
      this.connection = opened;
      onToolsChanged();
    }
  }

  /** Death and a failed call may both tell of the same loss; the first counts. */
  private lost(connection: McpConnection, reason: string): void {
    if (this.ending.signal.aborted || this.connection !== connection) return;
    this.connection = undefined;
    const { name } = this.config;
    const restarts = this.mayRestart;
    this.mayRestart = false;
    this.host.onToolsChanged();
    this.host.report(
      restarts ? "warning" : "error",
      `The MCP server "${name}" was lost. ${reason} ${
        restarts ? "It is restarted once." : "It is not restarted again; start a new session to try it again."
      }`,
    );
    if (!restarts) void connection.close();
    else {
      this.opening = connection
        .close()
        .then(() => this.openOnce())
        .finally(() => {
          this.opening = undefined;
        });
    }
  }
}
