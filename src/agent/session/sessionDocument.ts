import { isRecord } from "../../protocol/validate.ts";
import { type Message, textOf } from "../messages/message.ts";
import type { SessionMetadata, SessionState, StoredSession } from "./session.ts";

/**
 * The layout of a session file: one JSON document (`jq .state.messages`), one line for each message.
 *
 *     {"version":1,"id":…,"metadata":{…},"state":{"messages":[
 *     {…}
 *     ,{…}
 *     ],"permissionMode":…,"cwd":…},"firstPrompt":…,"updatedAt":…}
 *
 * JSON text holds no raw line break, so a line is a message: a save replaces the end of the file from the first message that
 * changed, and after a crash in a save every line before it can still be read.
 */
const version = 1;

export function headerLine(id: string, metadata: SessionMetadata): string {
  const head = JSON.stringify({ version, id, metadata });
  return `${head.slice(0, -1)},"state":{"messages":[\n`;
}

export function messageLine(message: Message, index: number): string {
  return `${index === 0 ? "" : ","}${JSON.stringify(message)}\n`;
}

export function footerLine(state: SessionState, firstPrompt: string, updatedAt: number): string {
  const rest = JSON.stringify(state).slice(1, -1);
  return `]${rest === "" ? "" : `,${rest}`}},${JSON.stringify({ firstPrompt, updatedAt }).slice(1)}\n`;
}

export interface SessionFooter {
  firstPrompt: string;
  updatedAt: number;
}

/** The session in the text, or undefined where it is none. Text that a crash left torn is read as far as it is whole. */
export function parseSession(text: string): { session: StoredSession; torn: boolean } | undefined {
  const whole = toSession(parseJson(text));
  if (whole) return { session: whole, torn: false };
  const session = parseTorn(text);
  return session && { session, torn: true };
}

/**
 * Byte offset of each message's line, then that of the footer; undefined where the file has another layout, e.g. because a
 * tool reformatted it.
 */
export function lineOffsets(bytes: Buffer, header: string, messageCount: number): number[] | undefined {
  if (!bytes.subarray(0, Buffer.byteLength(header)).equals(Buffer.from(header))) return undefined;
  const offsets = [Buffer.byteLength(header)];
  let position = Buffer.byteLength(header);
  for (let index = 0; index < messageCount; index++) {
    const lineEnd = bytes.indexOf(0x0a, position);
    if (lineEnd < 0) return undefined;
    const start = index === 0 ? "{" : ",{";
    if (bytes.toString("latin1", position, position + start.length) !== start) return undefined;
    position = lineEnd + 1;
    offsets.push(position);
  }
  return bytes[position] === 0x5d ? offsets : undefined;
}

/** The footer in the last bytes of a file. */
export function parseFooter(tail: string): SessionFooter | undefined {
  const start = tail.trimEnd().lastIndexOf("\n");
  const value = parseJson(`{"state":{"messages":[${tail.slice(start + 1)}`);
  if (!isRecord(value) || typeof value.firstPrompt !== "string" || typeof value.updatedAt !== "number")
    return undefined;
  return { firstPrompt: value.firstPrompt, updatedAt: value.updatedAt };
}

/** Id and metadata in the first bytes of a file. */
export function parseHeader(head: string): { id: string; metadata: SessionMetadata } | undefined {
  const lineEnd = head.indexOf("\n");
  if (lineEnd < 0) return undefined;
  return toHeader(parseJson(`${head.slice(0, lineEnd)}]}}`));
}

const maxFirstPromptLength = 200;

/** The first thing that a person wrote, one line. */
export function firstPromptOf(messages: readonly Message[]): string {
  for (const message of messages) {
    if (message.role !== "user" || message.isMeta) continue;
    const text = (message.shownText ?? textOf(message))
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, maxFirstPromptLength);
    if (text !== "") return text;
  }
  return "";
}

function parseTorn(text: string): StoredSession | undefined {
  const header = parseHeader(text);
  if (!header) return undefined;
  const messages: Message[] = [];
  const lines = text.split("\n").slice(1);
  let readable = true;
  for (const line of lines) {
    const message = toMessage(parseJson(line.startsWith(",") ? line.slice(1) : line));
    // A crash tears the end of a file alone. Messages behind an unreadable line mean damage that no save of ours can do.
    if (message && !readable) return undefined;
    if (message) messages.push(message);
    else readable = false;
  }
  return { ...header, state: {}, messages };
}

function toSession(value: unknown): StoredSession | undefined {
  const header = toHeader(value);
  if (!header || !isRecord(value) || !isRecord(value.state) || !Array.isArray(value.state.messages))
    return undefined;
  const messages = value.state.messages.map(toMessage);
  if (!messages.every((message) => message !== undefined)) return undefined;
  const { permissionMode, cwd } = value.state;
  const state: SessionState = {
    ...(typeof permissionMode === "string" ? { permissionMode } : {}),
    ...(typeof cwd === "string" ? { cwd } : {}),
  };
  return { ...header, state, messages };
}

function toHeader(value: unknown): { id: string; metadata: SessionMetadata } | undefined {
  if (
    !isRecord(value) ||
    value.version !== version ||
    typeof value.id !== "string" ||
    !isRecord(value.metadata)
  ) {
    return undefined;
  }
  const { workdir, createdAt, agentId, agentType } = value.metadata;
  if (typeof workdir !== "string" || typeof createdAt !== "number") return undefined;
  const metadata: SessionMetadata = {
    workdir,
    createdAt,
    ...(typeof agentId === "string" ? { agentId } : {}),
    ...(typeof agentType === "string" ? { agentType } : {}),
  };
  return { id: value.id, metadata };
}

const textFields: Readonly<Record<string, readonly string[]>> = {
  text: ["content"],
  notice: ["level", "content"],
  compact: ["content"],
  tool: ["id", "name", "result", "stage"],
  task_notification: ["taskId", "taskType", "status", "summary"],
};

/** Blocks of a kind that a later version may bring are kept as they are. */
function toMessage(value: unknown): Message | undefined {
  if (!isRecord(value) || typeof value.id !== "string" || typeof value.timestamp !== "number")
    return undefined;
  if (value.role !== "user" && value.role !== "assistant") return undefined;
  if (!Array.isArray(value.blocks)) return undefined;
  const blocksAreSound = value.blocks.every(
    (block) =>
      isRecord(block) &&
      typeof block.type === "string" &&
      (textFields[block.type] ?? []).every((field) => typeof block[field] === "string"),
  );
  return blocksAreSound ? (value as unknown as Message) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
