import type { CommandEnd } from "./commandRunner.ts";
import type { HookProvenance } from "./hookDefinition.ts";
import type { HookEventName } from "./hookEvent.ts";

/**
 * What the hooks of one event ask for, as data. The engine only says; the caller does.
 * Texts are final: exact wordings, wrapping and neutralising are done (seed hooks.md, "退出码 2 行为").
 */
export interface HookEventResult {
  /**
   * The first block in definition order (H16.5, E3). Who reads `text` is the event's matter: `exitTwo.stderrTo` in hookEvents.ts.
   * It stands here alone, not again in `modelMessages` or `notices`.
   */
  block?: HookBlock;
  /** Texts for the model, each to become one isMeta user message, in order. */
  modelMessages: readonly string[];
  /** Lines for the user alone; never part of a model request. */
  notices: readonly HookNotice[];
  /** PreCompact: stdout to join with the user's instructions (H19.2). */
  compactInstructions?: string;
  /** WorktreeCreate: the path that a hook made (X7). */
  worktreePath?: string;
  /** True when at least one hook of this event was configured and matched. */
  matched: boolean;
  /** Second dialect: an answer to a permission question; a deny rule still beats `allow`. */
  permission?: { decision: "allow" | "deny" | "ask"; reason?: string; interrupt?: boolean };
  /** Second dialect: replacements. Tool input must be validated again by the caller. */
  modifiedToolInput?: unknown;
  modifiedToolResult?: string;
  /** Second dialect: text to append to the tool result after a blank line. */
  toolResultAddendum?: string;
  modifiedPrompt?: string;
  modifiedTransformedPrompt?: string;
  modifiedResponse?: string;
  records: readonly HookRunRecord[];
}

export interface HookBlock {
  text: string;
  hook: HookProvenance;
}

export interface HookNotice {
  level: "info" | "warning" | "error";
  text: string;
}

/** What one run of one hook was: for the log and for a page of runs. Texts are bounded. */
export interface HookRunRecord {
  hook: HookProvenance;
  event: HookEventName;
  command: string;
  /** The value that the matcher was held against, where the event has one. */
  matchedOn?: string;
  sessionId: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  durationMs: number;
  end: CommandEnd;
  stdin: string;
  stdout: string;
  stderr: string;
  /** True for a hook that ran in the background (async or asyncRewake). */
  background: boolean;
  /** In words, for people: what the run led to. */
  outcome: string;
}
