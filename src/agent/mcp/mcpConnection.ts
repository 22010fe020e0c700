import {
  Client,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/client";
import { boundedFetch } from "./boundedFetch.ts";
import type { McpServerConfig } from "./mcpServerConfig.ts";
import { maxMessageBytes, ProcessTransport } from "./processTransport.ts";
import { safeEnvironment } from "./safeEnvironment.ts";

export type McpToolDescription = Tool;
export type McpCallResult = Awaited<ReturnType<Client["callTool"]>>;

export interface McpConnectionHost {
  /** Where servers start: the project. */
  cwd: string;
  env: Readonly<Record<string, string>>;
  connectTimeoutMs: number;
  /** Breaks off `open`. */
  signal: AbortSignal;
  /** Must not throw. */
  onToolsChanged: () => void;
  /** The server is gone without having been asked to go. `reason`: for people. Must not throw. */
  onLost: (reason: string) => void;
  /** What the server says beside the protocol, and protocol trouble that hurts nothing. Must not throw. */
  onLog: (line: string) => void;
}

/** One connection to one server, from its start to its loss or `close`. It is never reused. */
export class McpConnection {
  /** As the server last told them. */
  tools: readonly McpToolDescription[] = [];
  private readonly client: Client;
  private readonly transport: Transport;
  private stderrTail = "";
  private trouble: string | undefined;
  private closed = false;
  private connected = false;

  constructor(
    private readonly config: McpServerConfig,
    private readonly host: McpConnectionHost,
  ) {
    this.transport = this.makeTransport();
    this.client = new Client(
      { name: "wave-hooks", version: "1" },
      {
        // A probe would cost a stdio server that ends at an unknown first request; over HTTP it costs nothing.
        versionNegotiation: { mode: config.transport === "http" ? "auto" : "legacy" },
        listChanged: {
          tools: {
            onChanged: (error, tools) => {
              if (error) host.onLog(`The tool list could not be read again: ${error.message}`);
              if (!tools) return;
              this.tools = tools;
              host.onToolsChanged();
            },
          },
        },
      },
    );
    this.client.onerror = (error) => {
      host.onLog(error.message);
      const tooMuch = tooMuchSent(error);
      if (!tooMuch) return;
      this.trouble = tooMuch;
      // Rejects the call that waits for the answer; an HTTP stream that broke off would otherwise leave it waiting.
      void this.client.close().catch((failure: unknown) => host.onLog(messageOf(failure)));
    };
    this.client.onclose = () => {
      if (this.closed) return;
      this.closed = true;
      if (this.connected) host.onLost(this.whyGone());
    };
  }

  /** Rejects with an error for people; nothing of the server is left then. */
  async open(): Promise<void> {
    const options = { timeout: this.host.connectTimeoutMs };
    const onAbort = (): void => void this.close();
    this.host.signal.addEventListener("abort", onAbort);
    try {
      await this.client.connect(this.transport, options);
      const { tools } = await this.client.listTools(undefined, options);
      this.tools = tools;
      this.connected = true;
    } catch (error) {
      const wasClosed = this.closed;
      await this.close();
      if (isTimeout(error)) {
        throw new Error(
          `It did not answer within ${this.host.connectTimeoutMs / 1000} s.${this.stderrHint()}`,
        );
      }
      throw new Error(wasClosed ? this.whyGone() : `${messageOf(error)}${this.stderrHint()}`);
    } finally {
      this.host.signal.removeEventListener("abort", onAbort);
    }
    // It may have gone between its answer and now.
    if (this.closed) throw new Error(this.whyGone());
  }

  /**
   * One call. Rejects with an error for people; a McpServerLostError where the server died, did not answer in time or sent too
   * much, and this connection is of no more use.
   */
  async call(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<McpCallResult> {
    try {
      return await this.client.callTool(
        { name, arguments: input },
        {
          signal,
          timeout: this.config.callTimeoutMs,
          resetTimeoutOnProgress: true,
          onprogress: () => {},
        },
      );
    } catch (error) {
      if (signal.aborted) throw new Error("The call was interrupted.");
      this.trouble ??= tooMuchSent(error);
      if (isTimeout(error)) this.trouble = `It did not answer within ${this.config.callTimeoutMs / 1000} s.`;
      if (this.closed || this.trouble) throw new McpServerLostError(this.whyGone());
      throw new Error(messageOf(error));
    }
  }

  /** Resolves once nothing of the server is left. Never rejects, may be called again. */
  async close(): Promise<void> {
    this.closed = true;
    await this.client.close().catch((error: unknown) => this.host.onLog(messageOf(error)));
    // The client lets go of a transport that never connected without closing it.
    await this.transport.close().catch((error: unknown) => this.host.onLog(messageOf(error)));
  }

  private makeTransport(): Transport {
    const { config, host } = this;
    if (config.transport === "http") {
      return new StreamableHTTPClientTransport(new URL(config.url), {
        fetch: boundedFetch(maxMessageBytes),
        requestInit: { headers: { ...config.headers } },
      }) as Transport;
    }
    return new ProcessTransport({
      command: config.command,
      args: config.args,
      cwd: host.cwd,
      env: { ...safeEnvironment(host.env), ...config.env },
      onStderr: (text) => {
        this.stderrTail = (this.stderrTail + text).slice(-500);
        host.onLog(text.slice(0, 2000).trimEnd());
      },
    });
  }

  private whyGone(): string {
    return this.trouble ?? `It has ended.${this.stderrHint()}`;
  }

  private stderrHint(): string {
    const lines = this.stderrTail.trim().split("\n").slice(-3).join("\n");
    return lines === "" ? "" : ` It last said: ${lines}`;
  }
}

/**
 * The server died, hangs or floods: its connection is to be thrown away. Known by its name: this file is in a bundle of its own, and
 * the other side would hold another class.
 */
class McpServerLostError extends Error {
  override readonly name = "McpServerLostError";
}

function tooMuchSent(error: unknown): string | undefined {
  return /It sent a message of more than [0-9]+ MB\./.exec(messageOf(error))?.[0];
}

function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}
