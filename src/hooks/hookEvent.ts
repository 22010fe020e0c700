import type { BackgroundTaskSummary, CronSummary } from "./stopInput.ts";

/** Permission modes of a session (design.md section 6). */
export const permissionModes = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** `SessionStart.source` (design.md section 4). `clear` and `compact` exist in the Wave dialect alone. */
export type SessionStartSource = "startup" | "resume" | "clear" | "compact";
/** `SessionEnd.end_source` (design.md section 9). */
export type SessionEndSource = "resume" | "clear" | "other";
export type CompactTrigger = "manual" | "auto";

/**
 * A moment of the agent's work at which hooks may run. One name per moment, whatever a dialect calls it;
 * each dialect maps the moments that it knows to its own event names and payloads.
 * The last six are known to the Copilot dialect alone.
 */
export type HookEvent =
  | { name: "PreToolUse"; toolName: string; toolInput: unknown; toolUseId: string }
  | {
      name: "PostToolUse";
      toolName: string;
      toolInput: unknown;
      toolUseId: string;
      toolResponse: ToolResponse;
      /** What the model gets of it. */
      resultText?: string;
    }
  | { name: "PermissionRequest"; toolName: string; toolInput: unknown; toolUseId: string; diff?: string }
  | { name: "UserPromptSubmit"; prompt: string }
  | {
      name: "Stop";
      stopHookActive: boolean;
      lastAssistantMessage?: string;
      backgroundTasks: readonly BackgroundTaskSummary[];
      sessionCrons: readonly CronSummary[];
    }
  | {
      name: "SubagentStop";
      stopHookActive: boolean;
      lastAssistantMessage?: string;
      agentId: string;
      agentType: string;
      agentTranscriptPath: string;
      parentAgentId?: string;
    }
  | { name: "SessionStart"; source: SessionStartSource; initialPrompt?: string; restored?: boolean }
  | { name: "SessionEnd"; endSource: SessionEndSource; reason?: CopilotEndReason }
  | { name: "WorktreeCreate"; worktreeName: string }
  | { name: "WorktreeRemove"; worktreePath: string }
  | { name: "PreCompact"; trigger: CompactTrigger; customInstructions: string }
  | { name: "PostCompact"; trigger: CompactTrigger; compactSummary: string }
  | { name: "UserPromptTransformed"; prompt: string; transformedPrompt: string }
  | {
      name: "SubagentStart";
      agentId: string;
      agentType: string;
      agentTranscriptPath: string;
      parentAgentId?: string;
    }
  | { name: "Notification"; message: string; title?: string; notificationType: string }
  | { name: "ErrorOccurred"; error: Error; errorContext: ErrorContext; recoverable: boolean };

export type HookEventName = HookEvent["name"];
export type CopilotEndReason = "complete" | "error" | "abort" | "timeout" | "user_exit";
export type ErrorContext = "model_call" | "tool_execution" | "system" | "user_input";

/**
 * What a tool gave back, in Claude Code's shape of the tool of that name plus `success` (design.md section 9).
 * A failed tool has its text in `error`.
 */
export interface ToolResponse {
  success: boolean;
  error?: string;
  [field: string]: unknown;
}

/** What every event says about where it happened. `cwd` follows `cd` and worktrees; `projectDir` never moves (H17.1, H17.2). */
export interface HookSession {
  sessionId: string;
  transcriptPath: string;
  cwd: string;
  /** Where the session was created; absent where the caller has no session root (H17.4). */
  projectDir?: string;
  permissionMode: PermissionMode;
  /** Set inside a subagent: the subagent's id and type. */
  agentId?: string;
  agentType?: string;
  /** The turn that fires the event; an interrupt of that turn ends its asyncRewake hooks (H10.5). */
  turnId?: string;
}
