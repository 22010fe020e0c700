import type { Logger } from "../base/logger.ts";
import type { HookEvent } from "../hooks/hookEvent.ts";
import type { HookEventResult } from "../hooks/hookResult.ts";
import type { BackgroundTaskSummary, CronSummary } from "../hooks/stopInput.ts";
import type { AgentOptions } from "./agentOptions.ts";
import type { Conversation } from "./conversation.ts";
import type { TurnEnd } from "./loop/turnEnd.ts";
import type { TaskNotificationBlock } from "./messages/message.ts";
import type { Model } from "./models/model.ts";
import type { ShellTasks } from "./tools/shellTasks.ts";
import type { SessionPlace, Tool, ToolOutcome } from "./tools/tool.ts";

/**
 * A part of the agent with tools and work of its own: subagents, background tasks, schedules, workflows, worktrees, MCP.
 * Made once per agent by a function listed in agentModules.ts.
 */
export interface AgentModule {
  /** Asked before each model request, so that tools may come and go (MCP servers). */
  tools?(): readonly Tool[];
  shellTasks?: ShellTasks;
  /** Awaited before each model request, before `tools` is asked: servers connect, files are read again. Never rejects, ends soon. */
  beforeRequest?(signal: AbortSignal): Promise<void>;
  /** The session has nothing to do any more: the turn is over and the queue is empty. What this queues starts the next turn. */
  onIdle?(): void;
  /** What runs at this moment, for Stop hooks and the chat (H21). */
  backgroundTasks?(): readonly BackgroundTaskSummary[];
  sessionCrons?(): readonly CronSummary[];
  /** Ends one background task by its id; false where it is none of this module's. */
  stopTask?(id: string): boolean | Promise<boolean>;
  /** The session ended (restore, clear): end what belongs to it. */
  endSession?(sessionId: string): void | Promise<void>;
  /** The agent ends: nothing may be left running afterwards. */
  dispose?(): void | Promise<void>;
}

export type AgentModuleFactory = (host: AgentHost) => AgentModule | Promise<AgentModule>;

/** What the agent offers to its modules. */
export interface AgentHost {
  readonly options: AgentOptions;
  readonly home: string;
  /** For child processes, already without the model's credentials. */
  readonly env: Readonly<Record<string, string>>;
  readonly logger: Logger;
  /** The main conversation's place; its session changes with restore and clear. */
  readonly place: SessionPlace;
  /** The main conversation. */
  readonly conversation: Conversation;
  /** `name`: another model of the same service. The session's own where there is no choice of models. */
  model(name?: string): Model;
  /** Whether a queued prompt would start a turn at once. */
  isIdle(): boolean;
  /** All tools of the moment, built-in ones and those of every module. */
  tools(): readonly Tool[];
  /** Runs hooks in the main session (WorktreeCreate, SubagentStart, Notification, ...) and shows their notices. */
  runHooks(event: HookEvent, signal?: AbortSignal): Promise<HookEventResult>;
  /**
   * Queues a notification for the model: in an idle session it starts a turn, in a busy one it joins the turn in the
   * order of the queue (E20). Dropped and logged where `sessionId` is no longer the agent's session (E19).
   */
  notify(sessionId: string, notification: ModelNotification): void;
  /** Runs a conversation of its own (a subagent) to its end, with hooks, permissions and tools as in the main one. */
  runSubagent(run: SubagentRun): Promise<SubagentEnd>;
  /** A tool call from outside a model's answer (a workflow's step), through the pipeline, in the main session. */
  callTool(name: string, input: unknown, signal: AbortSignal): Promise<ToolOutcome>;
  /** Tells user interfaces that background tasks or schedules changed. */
  backgroundChanged(): void;
}

/** What is told to the model without a user having spoken. */
export type ModelNotification =
  /** An isMeta message, not shown in the chat. The whole text, tags included. */
  | { kind: "meta"; text: string }
  /** As if the user had written it, and shown so: a scheduled prompt. */
  | { kind: "prompt"; text: string }
  /** Background work that ended. */
  | { kind: "task"; block: TaskNotificationBlock };

export interface SubagentRun {
  agentId: string;
  agentType: string;
  prompt: string;
  systemPrompt: string;
  /** The subagent's tools. */
  tools: readonly Tool[];
  model?: Model;
  parentAgentId?: string;
  signal: AbortSignal;
  /** Most model requests. Default: 200. */
  maxRequests?: number;
  /** One line on what the subagent does now. */
  progress?(activity: string): void;
}

export interface SubagentEnd {
  end: TurnEnd;
  /** The text of the last answer; empty where there was none. */
  text: string;
  transcriptPath: string;
  toolCallCount: number;
  /** Input and output tokens of all requests, where the model tells. */
  totalTokens: number;
}
