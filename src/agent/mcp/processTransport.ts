import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { type LongLivedProcess, startLongLivedProcess } from "../../process/longLivedProcess.ts";

/** The longest message that is read from a server, in bytes. */
export const maxMessageBytes = 10 * 1024 * 1024;

export interface ProcessTransportSpec {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** What the server writes beside the protocol. Must not throw. */
  onStderr: (text: string) => void;
}

/**
 * MCP over the stdin and stdout of a process. The SDK's own transport starts its process itself and ends that one alone; here
 * everything that the server started ends with it, also when we are killed.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The line under way. The SDK's buffer copies and searches all of it again with each chunk: seconds for one long line. */
  private line: Buffer[] = [];
  private lineBytes = 0;
  private process: LongLivedProcess | undefined;
  private closing = false;

  constructor(private readonly spec: ProcessTransportSpec) {}

  async start(): Promise<void> {
    this.process = await startLongLivedProcess({
      file: this.spec.command,
      args: this.spec.args,
      cwd: this.spec.cwd,
      env: this.spec.env,
      writable: true,
      onStdout: (chunk) => this.receive(chunk),
      onStderr: (chunk) => this.spec.onStderr(chunk.toString("utf8")),
    });
    void this.process.ended.then(() => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.process) throw new Error("The server has not been started.");
    await this.process.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.closing = true;
    this.line = [];
    // A closed stdin is the protocol's goodbye; the signals are for those who do not hear it.
    this.process?.closeStdin();
    await this.process?.end();
  }

  private receive(chunk: Buffer): void {
    let from = 0;
    while (!this.closing) {
      const lineEnd = chunk.indexOf("\n", from);
      const part = chunk.subarray(from, lineEnd < 0 ? chunk.length : lineEnd);
      this.lineBytes += part.length;
      if (this.lineBytes > maxMessageBytes) {
        this.onerror?.(new Error(`It sent a message of more than ${maxMessageBytes / 1024 / 1024} MB.`));
        void this.close();
        return;
      }
      this.line.push(part);
      if (lineEnd < 0) return;
      from = lineEnd + 1;
      const text = Buffer.concat(this.line).toString("utf8").trimEnd();
      this.line = [];
      this.lineBytes = 0;
      if (text !== "") this.deliver(text);
    }
  }

  private deliver(text: string): void {
    try {
      this.onmessage?.(deserializeMessage(text));
    } catch (error) {
      // A line that is no message (a stray print): the following ones may well be.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
