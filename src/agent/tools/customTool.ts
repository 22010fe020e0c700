import type { ToolOutcome } from "./tool.ts";

export interface CustomToolContext {
  signal: AbortSignal;
  /** Absolute. */
  cwd: string;
  sessionId: string;
  /**
   * Calls another tool through the same hooks and permission checks (E21). Never rejects: a refused or failed call has
   * `response.success` false, and says why in `text`.
   */
  callTool(name: string, input: unknown): Promise<Pick<ToolOutcome, "text" | "response">>;
}

/** A tool of the SDK's user. It runs through the same hooks and permission checks as the built-in ones. */
export interface CustomTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: Readonly<Record<string, unknown>>;
  /** True where a call changes nothing: it then needs no permission. Default: false. */
  readOnly?: boolean;
  /**
   * Returns the text for the model, or an object that hooks see as `tool_response` and the model as JSON.
   * What it throws becomes a failed call. Should end soon after `signal` aborts; is no longer waited for then.
   */
  run(input: Record<string, unknown>, context: CustomToolContext): Promise<string | Record<string, unknown>>;
}
