import { randomUUID } from "node:crypto";

/**
 * One message of the conversation. Contract: a message and its blocks are never changed in place. A change makes a new object
 * with the same `id` and puts it where the old one was: what was converted or saved before is recognised by identity, which
 * keeps the cost of a turn and of a save independent of the session's length.
 */
export interface Message {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly blocks: readonly Block[];
  /** Written by hooks or the runtime: the model reads it, the chat does not show it. */
  readonly isMeta?: true;
  /** What the timeline shows of a user message instead of its blocks: the prompt as the user wrote it (C4). */
  readonly shownText?: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  /** What a thinking model thought, to be sent back where its service asks for that. Not a block: nobody else reads it. */
  readonly reasoning?: readonly ReasoningPart[];
}

export type Block = TextBlock | ToolBlock | NoticeBlock | CompactBlock | TaskNotificationBlock;

export interface TextBlock {
  readonly type: "text";
  readonly content: string;
}

/** A tool call and its result in one block, so that one is never without the other. */
export interface ToolBlock {
  readonly type: "tool";
  /** The call's id, as the model gave it. */
  readonly id: string;
  readonly name: string;
  /** The arguments: an object, or the model's raw text where that was no JSON object. */
  readonly parameters: unknown;
  /** Text for the model; empty while the call runs. */
  readonly result: string;
  readonly success: boolean;
  /** A failed call's text for the model. It replaces `result` in the request. */
  readonly error?: string;
  readonly stage: "running" | "end";
  /** What Edit and Write changed (`ToolOutcome.diff`): for the user alone, kept so that a reloaded chat still shows it. */
  readonly diff?: string;
  /** What the service wants back with the call (signatures of thinking models). */
  readonly providerMetadata?: ProviderMetadata;
}

/** For the user alone: it never reaches a request (H25.5, V5). */
export interface NoticeBlock {
  readonly type: "notice";
  readonly level: "info" | "warning" | "error";
  readonly content: string;
}

/** The summary of everything before it: requests start at the last one, the transcript and the chat keep what came before. */
export interface CompactBlock {
  readonly type: "compact";
  readonly content: string;
}

/** Work in the background has ended. */
export interface TaskNotificationBlock {
  readonly type: "task_notification";
  readonly taskId: string;
  readonly taskType: "shell" | "subagent" | "workflow";
  readonly status: "completed" | "failed" | "killed";
  /** One line: what ended and how. */
  readonly summary: string;
  /** The end of its output, bounded by the sender. */
  readonly content?: string;
  /** Absolute path of its whole output. */
  readonly outputFile?: string;
}

export interface ReasoningPart {
  readonly text: string;
  readonly providerMetadata?: ProviderMetadata;
}

/** The AI SDK's SharedV3ProviderMetadata: provider name -> JSON object. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** A user message: what a person wrote or, with `isMeta`, what hooks and the runtime tell the model. */
export function userMessage(text: string, options: { isMeta?: boolean; now?: () => number } = {}): Message {
  return {
    id: randomUUID(),
    role: "user",
    blocks: [{ type: "text", content: text }],
    ...(options.isMeta ? { isMeta: true as const } : {}),
    timestamp: (options.now ?? Date.now)(),
  };
}

export function assistantMessage(blocks: readonly Block[], now: () => number = Date.now): Message {
  return { id: randomUUID(), role: "assistant", blocks, timestamp: now() };
}

/** The message with one tool block changed; the same object where it holds no such call. */
export function withToolBlock(message: Message, toolUseId: string, change: Partial<ToolBlock>): Message {
  let found = false;
  const blocks = message.blocks.map((block) => {
    if (block.type !== "tool" || block.id !== toolUseId) return block;
    found = true;
    return { ...block, ...change };
  });
  return found ? { ...message, blocks } : message;
}

/** All text of a message, its text blocks joined by newlines, trimmed. Empty where it has none. */
export function textOf(message: Message): string {
  return message.blocks
    .flatMap((block) => (block.type === "text" ? [block.content] : []))
    .join("\n")
    .trim();
}
