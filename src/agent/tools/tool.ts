import type { Logger } from "../../base/logger.ts";
import type { HookSession, ToolResponse } from "../../hooks/hookEvent.ts";
import type { ReadFiles } from "./readFiles.ts";
import type { ShellTasks } from "./shellTasks.ts";
import type { ToolInputSchema } from "./toolInputSchema.ts";

/**
 * Something that the model can call. Built-in tools, MCP tools and the SDK's custom tools all have this shape,
 * and all run through the one pipeline of toolCall.ts: no tool fires hooks or asks for permission by itself.
 */
export interface Tool<Input = unknown> {
  /** The name that hooks and permission rules match on, e.g. `Edit` or `mcp__files__read`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ToolInputSchema<Input>;
  /** True where a call changes nothing: such calls of one answer may run side by side. */
  readonly readOnly: boolean;
  /** What a call needs permission for; asked once per call, after PreToolUse. Contract: must not throw for bad input. */
  permissionNeed(input: Input, context: ToolContext): PermissionNeed | Promise<PermissionNeed>;
  /** What a `Name(specifier)` rule is held against where the need does not already say it (a subagent's type). */
  ruleSubject?(input: Input): string;
  /**
   * Contract: ends soon after `context.signal` aborts; every failure that the model can act on is a failed
   * outcome. What it throws counts as a failed call too, with the error's message as its text.
   */
  run(input: Input, context: ToolContext): Promise<ToolOutcome>;
}

/** What one call wants to do, in terms that modes and rules can judge (permissionDecision.ts). */
export type PermissionNeed =
  /** Allowed in every mode unless a rule says otherwise. */
  | { kind: "none" }
  /** Allowed inside the session's roots; asked outside of them. Absolute paths. */
  | { kind: "read"; path: string }
  /** `diff`: a bounded unified diff for the question. */
  | { kind: "write"; path: string; diff?: string }
  | { kind: "command"; command: string }
  /** Asked in the default mode: what neither path nor command describes (MCP and custom tools). `summary`: one line. */
  | { kind: "other"; summary: string };

export interface ToolOutcome {
  /** For hooks: the shape of Claude Code's tool of the same name, and `success` always (design.md section 9). */
  response: ToolResponse;
  /** For the model. Bounded by the tool. A failed call's text says what to do. */
  text: string;
  /** Unified diff of what Edit and Write did, bounded; for the user. */
  diff?: string;
}

/** What a running call may use. One per call. */
export interface ToolContext {
  readonly toolUseId: string;
  /** Aborts when the user interrupts the turn or the session ends. */
  readonly signal: AbortSignal;
  readonly session: SessionPlace;
  /** The user's home folder. */
  readonly home: string;
  /** The environment for child processes, already without the model's credentials. */
  readonly env: Readonly<Record<string, string>>;
  readonly logger: Logger;
  /** What the model has seen of files: Edit and Write refuse a file that changed since (E2). */
  readonly readFiles: ReadFiles;
  /** Which files a deny rule keeps from the model, whatever way it takes; for searches over many files. */
  readRefusals(): Promise<(file: string) => boolean>;
  /** Where commands go that outlive their call; absent where nothing can run in the background. */
  readonly shellTasks?: ShellTasks;
  /** A nested call, through the same pipeline: validation, hooks, permission, report (E21). Never rejects. */
  callTool(name: string, input: unknown): Promise<ToolOutcome>;
  /** One line on what the call does now, for the user. */
  progress(activity: string): void;
}

/** Where a conversation stands: read at each use, since `cd`, worktrees and the user's choices move it. */
export interface SessionPlace {
  readonly sessionId: string;
  /** Where the session was created; never moves. */
  readonly projectDir: string;
  /** Absolute. Follows `cd`; may name a directory that is gone. */
  readonly cwd: string;
  /** Folders that may be read without a question: the project and what a worktree added. */
  readonly roots: readonly string[];
  /** Session fields of every hook input at this moment. */
  hookSession(): HookSession;
  setCwd(directory: string): void;
  addRoot(directory: string): void;
  removeRoot(directory: string): void;
}

/** A failed call in one line. */
export function failedOutcome(error: string, more: Record<string, unknown> = {}): ToolOutcome {
  return { response: { ...more, success: false, error }, text: error };
}
