import type {
  AgentCallbacks,
  AgentOptions,
  CanUseTool,
  QueuedMessage,
  TurnStatus,
} from "../../agent/agentOptions.ts";
import type { Message } from "../../agent/messages/message.ts";
import type { SessionListEntry } from "../../agent/session/session.ts";
import type { PermissionMode } from "../../hooks/hookEvent.ts";
import type { BackgroundTaskSummary, CronSummary } from "../../hooks/stopInput.ts";

/** Which model answers, in the terms of the agent. */
export type ModelOptions = Pick<
  AgentOptions,
  "languageModel" | "provider" | "baseURL" | "model" | "apiKey" | "contextWindow"
>;

/** The part of the agent that the chat uses. */
export interface ChatAgent {
  readonly sessionId: string;
  readonly workdir: string;
  readonly messages: readonly Message[];
  readonly queuedMessages: readonly QueuedMessage[];
  readonly permissionMode: PermissionMode;
  readonly turnStatus: TurnStatus;
  readonly backgroundTasks: readonly BackgroundTaskSummary[];
  readonly sessionCrons: readonly CronSummary[];
  sendMessage(text: string): Promise<void>;
  abortMessage(): Promise<void>;
  /** False where it is not in the queue any more. */
  removeQueuedMessage(id: string): boolean;
  restoreSession(sessionId: string): Promise<void>;
  clearMessages(): Promise<void>;
  setPermissionMode(mode: PermissionMode): void;
  setModel(options: ModelOptions): void;
  /** Ends a background task or deletes a scheduled prompt; false where there is none of that id. */
  stopBackground(id: string): Promise<boolean>;
  destroy(): Promise<void>;
}

export interface AgentRequest {
  workdir: string;
  /** Absent: what the settings say. */
  permissionMode?: PermissionMode;
  restoreSessionId?: string;
  callbacks: AgentCallbacks;
  canUseTool: CanUseTool;
}

/** Makes agents and lists their sessions; loads the agent's code at the first use. */
export interface AgentProvider {
  create(request: AgentRequest): Promise<ChatAgent>;
  /** Sessions that were created in that directory, the latest first. */
  listSessions(directory: string): Promise<readonly SessionListEntry[]>;
}
