import type { Logger } from "../base/logger.ts";
import {
  assistantMessage,
  type Message,
  type NoticeBlock,
  type ToolBlock,
  userMessage,
  withToolBlock,
} from "./messages/message.ts";
import type { SessionFile, SessionState } from "./session/session.ts";

export interface ConversationOptions {
  messages?: readonly Message[];
  file: SessionFile;
  /** True where the file holds these messages already. */
  isSaved?: boolean;
  /** What is saved beside the messages, at the moment of a save. */
  state(): SessionState;
  logger: Logger;
  /** Told when messages from this index to the end changed. */
  onChange?(from: number): void;
  now?: () => number;
}

/** The messages of one session or subagent, their changes and their file. All changes go through here. */
export class Conversation {
  private list: Message[];
  private file: SessionFile;
  private callIds: Set<string>;
  private revision = 0;
  private savedRevision: number;
  /** Index of the first message that changed since the last save. */
  private changedFrom = 0;
  private saveFailed = false;
  /** Index of the first message of the turn under way: notices go to an assistant message from there on. */
  private turnStart: number;

  constructor(private readonly options: ConversationOptions) {
    this.list = [...(options.messages ?? [])];
    this.file = options.file;
    this.callIds = idsOf(this.list);
    this.turnStart = this.list.length;
    // A new file is written by the first save, even if nothing was said yet: hooks are told its path.
    this.savedRevision = options.isSaved ? 0 : -1;
  }

  get messages(): readonly Message[] {
    return this.list;
  }

  /** Ids of all tool calls so far. */
  get toolCallIds(): ReadonlySet<string> {
    return this.callIds;
  }

  get transcriptPath(): string {
    return this.file.path;
  }

  /** Another session takes this one's place. The old file is left to the caller. */
  open(messages: readonly Message[], file: SessionFile, isSaved: boolean): void {
    this.list = [...messages];
    this.file = file;
    this.callIds = idsOf(this.list);
    this.turnStart = this.list.length;
    this.saveFailed = false;
    this.changed(0);
    this.savedRevision = isSaved ? this.revision : -1;
  }

  beginTurn(): void {
    this.turnStart = this.list.length;
  }

  append(message: Message): void {
    this.list.push(message);
    addIds(this.callIds, message);
    this.changed(this.list.length - 1);
  }

  /** @param index Of the message before which it goes, at most the number of messages. */
  insert(index: number, message: Message): void {
    this.list.splice(index, 0, message);
    addIds(this.callIds, message);
    this.changed(index);
  }

  /** Puts `message` where the one with its id is; appends it where there is none. */
  put(message: Message): void {
    const index = this.indexOf(message.id);
    if (index < 0) this.append(message);
    else {
      this.list[index] = message;
      addIds(this.callIds, message);
      this.changed(index);
    }
  }

  remove(id: string): void {
    const index = this.indexOf(id);
    if (index < 0) return;
    this.list.splice(index, 1);
    this.changed(index);
  }

  get(id: string): Message | undefined {
    const index = this.indexOf(id);
    return index < 0 ? undefined : this.list[index];
  }

  /** Each text becomes one isMeta user message: the model reads it, the chat does not show it. */
  appendMeta(texts: readonly string[]): void {
    for (const text of texts)
      this.append(
        userMessage(text, { isMeta: true, ...(this.options.now ? { now: this.options.now } : {}) }),
      );
  }

  changeToolBlock(messageId: string, toolUseId: string, change: Partial<ToolBlock>): void {
    const message = this.get(messageId);
    if (message) this.put(withToolBlock(message, toolUseId, change));
  }

  /**
   * A line for the user, on the current assistant message (H25.1); where the turn has none yet, on one that holds just the
   * notice (design.md section 9).
   */
  addNotice(level: NoticeBlock["level"], content: string): void {
    const notice: NoticeBlock = { type: "notice", level, content };
    for (let index = this.list.length - 1; index >= this.turnStart; index--) {
      const message = this.list[index];
      if (message?.role !== "assistant") continue;
      this.list[index] = { ...message, blocks: [...message.blocks, notice] };
      this.changed(index);
      return;
    }
    this.append(assistantMessage([notice], this.options.now));
  }

  /**
   * After it the file holds everything up to now. Never rejects: the user is told once where saving fails, and the turn
   * goes on.
   */
  async save(): Promise<void> {
    if (this.savedRevision === this.revision) return;
    const { revision, file, changedFrom } = this;
    this.changedFrom = this.list.length;
    try {
      await file.save(this.list, this.options.state(), changedFrom);
      if (file !== this.file) return;
      this.savedRevision = Math.max(this.savedRevision, revision);
      this.saveFailed = false;
    } catch (error) {
      if (file === this.file) this.changedFrom = Math.min(this.changedFrom, changedFrom);
      const text = error instanceof Error ? error.message : String(error);
      this.options.logger.warn(text);
      if (file !== this.file || this.saveFailed) return;
      this.saveFailed = true;
      this.addNotice("error", text);
    }
  }

  /** From the end: what is looked for is nearly always the newest. */
  private indexOf(id: string): number {
    for (let index = this.list.length - 1; index >= 0; index--) if (this.list[index]?.id === id) return index;
    return -1;
  }

  private changed(from: number): void {
    this.revision++;
    this.changedFrom = Math.min(this.changedFrom, from);
    try {
      this.options.onChange?.(from);
    } catch (error) {
      this.options.logger.error("A listener to message changes failed.", error);
    }
  }
}

function idsOf(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>();
  for (const message of messages) addIds(ids, message);
  return ids;
}

function addIds(ids: Set<string>, message: Message): void {
  for (const block of message.blocks) if (block.type === "tool") ids.add(block.id);
}
