import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/logger.ts";
import type { PermissionMode } from "../hooks/hookEvent.ts";
import type { HookRunRecord } from "../hooks/hookResult.ts";
import type { ModelOptions } from "./models/resolveModel.ts";
import type { CustomTool } from "./tools/customTool.ts";

/**
 * How an agent is made: `Agent.create(options)` (design.md section 6).
 * The model is `languageModel`, or else an OpenAI-compatible chat completions service described by `baseURL`, `model` and
 * `apiKey`, each of which falls back to `WAVE_BASE_URL`, `WAVE_MODEL` and `WAVE_API_KEY` of `env`.
 */
export interface AgentOptions extends ModelOptions {
  /** The project. Default: the current directory. Becomes `WAVE_PROJECT_DIR` of every hook and never moves. */
  workdir?: string;
  /** Default: `default`. */
  permissionMode?: PermissionMode;
  /** Answers a permission question. Without it, what would be asked is refused. */
  canUseTool?: CanUseTool;
  /** Hooks in the shape of the `hooks` object of a settings file; they run before all others (H18.3). */
  hooks?: HooksOption;
  /** Folders with a `hooks/hooks.json`. */
  plugins?: readonly { path: string }[];
  mcpServers?: Readonly<Record<string, McpServerOption>>;
  customTools?: readonly CustomTool[];
  /** Opens this session instead of a new one; SessionStart hooks still see the source `startup`. Rejects: "Session not found: <id>". */
  restoreSessionId?: string;
  /** How often Stop hooks may continue one turn. Default: without limit, since loops are a supported use. */
  maxStopContinuations?: number;
  callbacks?: AgentCallbacks;
  logger?: Logger;
  /** The environment for hooks and tools, minus the model's key. Default: that of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Where schedules and time limits of background work take the time from. Default: the system's clock. */
  clock?: Clock;
  /** The user's home folder. Default: `HOME` (`USERPROFILE` on Windows) of `env`, else that of this process. */
  home?: string;
  /** Path of a ripgrep binary. Default: `rg` on the PATH, else a search in JavaScript. */
  ripgrepPath?: string;
  /** Whether Copilot's HTTP hooks may use plain http to this machine. Default: COPILOT_HOOK_ALLOW_LOCALHOST=1 of `env`. */
  allowLocalhostHttpHooks?: boolean;
  /** Whether hooks and tools may run here. False in a workspace that the user does not trust. Default: true. */
  trusted?: boolean;
}

/** Event name to groups, exactly as in a settings file. Checked like one: a bad entry is reported and skipped. */
export type HooksOption = Readonly<Record<string, readonly HookGroupOption[]>>;

export interface HookGroupOption {
  matcher?: string;
  hooks: readonly HookOption[];
}

export interface HookOption {
  type: "command";
  command: string;
  description?: string;
  /** In seconds. Default: 600. */
  timeout?: number;
  async?: boolean;
  asyncRewake?: boolean;
}

export type McpServerOption =
  | { command: string; args?: readonly string[]; env?: Readonly<Record<string, string>> }
  | { url: string; headers?: Readonly<Record<string, string>> };

/** One permission question. */
export interface PermissionQuestion {
  /** Id of the tool call. */
  id: string;
  toolName: string;
  toolInput: unknown;
  /** One line: the command, the path. */
  summary: string;
  /** Bounded unified diff, for file changes. */
  diff?: string;
  /** Absolute path, where the call is about one file. */
  file?: string;
  /** Why it is asked although mode or rules would allow it. */
  reason?: string;
  /** The rule that would allow calls like this one; absent where no rule may. */
  suggestedRule?: string;
  /** Set for a question of a subagent. */
  agentType?: string;
  /** Aborts when the turn is interrupted: the question is then void, whatever its answer. */
  signal: AbortSignal;
}

export interface PermissionAnswer {
  behavior: "allow" | "deny";
  /** With `deny`: why, for the model. */
  message?: string;
  /** With `deny`: also end the turn. */
  interrupt?: boolean;
  /** With `allow`: a rule in force for the rest of the session. */
  rule?: string;
}

/** Contract: a rejection counts as `deny`. */
export type CanUseTool = (question: PermissionQuestion) => Promise<PermissionAnswer>;

/** What a user interface wants to know. Contract: none may throw; what one throws is logged and dropped. */
export interface AgentCallbacks {
  /** `agent.messages` changed from this index to its end. May come often while an answer streams. */
  onMessagesChanged?(from: number): void;
  onTurnStatusChanged?(status: TurnStatus): void;
  onQueueChanged?(): void;
  /** After restore and clear, too. */
  onSessionChanged?(sessionId: string): void;
  onPermissionModeChanged?(mode: PermissionMode): void;
  /** Background tasks or scheduled prompts changed. */
  onBackgroundChanged?(): void;
  /** One run of one hook has ended. */
  onHookRun?(record: HookRunRecord): void;
}

export interface TurnStatus {
  state: "idle" | "running";
  activity?: TurnActivity;
  /** Start of the turn, milliseconds since 1970. */
  since?: number;
  /** How often a Stop hook has continued this turn. */
  stopContinuations: number;
}

export type TurnActivity =
  | { kind: "model" }
  /** Waits before it asks the model again. `waitMs`: from `at` (milliseconds since 1970). */
  | { kind: "retry"; attempt: number; waitMs: number; at: number; reason: string }
  | { kind: "tool"; toolName: string; detail?: string }
  | { kind: "hook"; event: string; detail?: string }
  | { kind: "permission"; toolName: string }
  | { kind: "compact" };

/** What the user sent during a turn, or a wake-up, waiting for its place. */
export interface QueuedMessage {
  id: string;
  /** `notification`: from background work, a schedule or an asyncRewake hook; never counts as the user speaking (H26.2). */
  kind: "user" | "notification";
  text: string;
}
