import { isRecord } from "./validate.ts";

/** A message as the chat shows it. isMeta user messages are never sent to the view (seed hooks.md). */
export interface ChatMessageView {
  id: string;
  role: "user" | "assistant";
  blocks: readonly ChatBlockView[];
  /** Milliseconds since 1970. */
  timestamp: number;
}

export type ChatBlockView =
  | { type: "text"; content: string }
  | { type: "tool"; tool: ToolCardView }
  | { type: "notice"; level: "info" | "warning" | "error"; content: string }
  | { type: "compact"; content: string }
  | { type: "taskNotification"; title: string; content: string };

/** A tool call as a compact card: what, where, state; the result on demand. */
export interface ToolCardView {
  id: string;
  name: string;
  /** One line: the command, the path, the pattern. */
  summary: string;
  state: "running" | "done" | "failed";
  /** Bounded text. */
  result?: string;
  error?: string;
  /** Edit and Write: unified diff, bounded. */
  diff?: string;
  /** Absolute path, where the tool is about one file. */
  file?: string;
}

export interface PermissionQuestionView {
  id: string;
  toolName: string;
  /** What it will do: the command or the path. */
  summary: string;
  diff?: string;
  file?: string;
  /** The rule that "allow always" would write and the file it goes to; absent where it may not be allowed always. */
  always?: { rule: string; fileLabel: string };
  /** Why it is asked, e.g. that the file configures hooks. */
  reason?: string;
}

export interface TurnStatusView {
  state: "idle" | "running";
  /** What runs now, in the user's language: "Waiting for the model", "Running Bash", "Hook: lint.sh". */
  activity?: string;
  /** Milliseconds since 1970, for the elapsed time. */
  since?: number;
  /** How often a Stop hook has continued this turn. */
  stopContinuations: number;
}

export interface ModelChoiceView {
  id: string;
  label: string;
  detail?: string;
  kind: "service" | "vscode" | "composer";
}

export interface SessionEntryView {
  id: string;
  title: string;
  /** Milliseconds since 1970. */
  updatedAt: number;
}

export interface BackgroundItemView {
  id: string;
  kind: "shell" | "subagent" | "workflow" | "cron";
  label: string;
  detail?: string;
}

/** All of the chat's state but its messages; sent whole at each change. */
export interface ChatStateView {
  sessionId: string;
  projectName: string;
  trusted: boolean;
  permissionMode: string;
  permissionModes: readonly { id: string; label: string; detail: string }[];
  /** Absent until the user has chosen: the first-run card is shown. */
  modelId?: string;
  models: readonly ModelChoiceView[];
  status: TurnStatusView;
  queue: readonly { id: string; text: string }[];
  questions: readonly PermissionQuestionView[];
  background: readonly BackgroundItemView[];
  /** Filled when the session list is open. */
  sessions?: readonly SessionEntryView[];
}

/** Host to chat. Each carries `seq`, growing by one; on a gap the view asks for everything again with "ready". */
export type ChatEvent =
  | { type: "all"; seq: number; state: ChatStateView; messages: readonly ChatMessageView[]; draft: string }
  | { type: "state"; seq: number; state: ChatStateView }
  /** Replaces the messages from index `from` to the end. */
  | { type: "messages"; seq: number; from: number; messages: readonly ChatMessageView[] }
  /** Puts a prompt into the composer: into an empty one as it is, else under what the user has begun. Focus follows. */
  | { type: "prefill"; seq: number; text: string }
  | { type: "files"; seq: number; query: string; paths: readonly string[] };

/** Chat to host. The host validates each with `parseChatMessage`. */
export type ChatMessage =
  | { type: "ready" }
  | { type: "send"; text: string }
  /** What stands unsent in the composer of that session; debounced, and at once when the view loses focus or goes. */
  | { type: "draft"; sessionId: string; text: string }
  | { type: "stop" }
  | { type: "unqueue"; id: string }
  | { type: "answer"; id: string; answer: "allow" | "always" | "deny"; message?: string }
  /** Of a tool card, or of a permission question by its own id. */
  | { type: "openDiff"; toolId: string }
  | { type: "openFile"; file: string }
  | { type: "setMode"; mode: string }
  | { type: "setModel"; id: string }
  | { type: "chooseModel" }
  /** First run: the user picked a kind. The host takes its one model, asks which, or opens what is needed to set one up. */
  | { type: "setUpModel"; kind: ModelChoiceView["kind"] }
  | { type: "newSession" }
  | { type: "clearSession" }
  | { type: "listSessions"; open: boolean }
  | { type: "switchSession"; id: string }
  | { type: "stopBackground"; id: string }
  | { type: "findFiles"; query: string }
  | { type: "openSettings" }
  | { type: "manageTrust" };

type Field = "string" | "boolean";

/** Message type -> its fields. `answer.message` alone is optional. */
const chatMessageFields: Record<ChatMessage["type"], Record<string, Field>> = {
  ready: {},
  send: { text: "string" },
  draft: { sessionId: "string", text: "string" },
  stop: {},
  unqueue: { id: "string" },
  answer: { id: "string", answer: "string" },
  openDiff: { toolId: "string" },
  openFile: { file: "string" },
  setMode: { mode: "string" },
  setModel: { id: "string" },
  chooseModel: {},
  setUpModel: { kind: "string" },
  newSession: {},
  clearSession: {},
  listSessions: { open: "boolean" },
  switchSession: { id: "string" },
  stopBackground: { id: "string" },
  findFiles: { query: "string" },
  openSettings: {},
  manageTrust: {},
};

/** The message, or undefined where it is none of ours: a webview is never trusted. */
export function parseChatMessage(value: unknown): ChatMessage | undefined {
  if (!isRecord(value) || typeof value.type !== "string") return undefined;
  if (!Object.hasOwn(chatMessageFields, value.type)) return undefined;
  const fields = chatMessageFields[value.type as ChatMessage["type"]];
  const message: Record<string, unknown> = { type: value.type };
  for (const [name, kind] of Object.entries(fields)) {
    if (typeof value[name] !== kind) return undefined;
    message[name] = value[name];
  }
  if (value.type === "answer") {
    if (!["allow", "always", "deny"].includes(value.answer as string)) return undefined;
    if (typeof value.message === "string") message.message = value.message;
  }
  if (value.type === "setUpModel" && !["service", "vscode", "composer"].includes(value.kind as string))
    return undefined;
  return message as ChatMessage;
}
