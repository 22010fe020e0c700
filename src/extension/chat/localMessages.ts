import { randomUUID } from "node:crypto";
import type { ChatMessageView } from "../../protocol/chatView.ts";

interface LocalMessage {
  view: ChatMessageView;
  /** Number of the session's messages before it. */
  after: number;
}

/**
 * What the extension itself says in the chat: notices for which there is no session, or that are none of its business.
 * They stand where they were said, and are gone with the session or the window.
 */
export class LocalMessages {
  private list: LocalMessage[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  add(role: ChatMessageView["role"], block: ChatMessageView["blocks"][number], after: number): void {
    this.list.push({ view: { id: randomUUID(), role, blocks: [block], timestamp: this.now() }, after });
  }

  clear(): void {
    this.list = [];
  }

  /** Both kinds of messages in order. */
  among(messages: readonly ChatMessageView[]): readonly ChatMessageView[] {
    if (this.list.length === 0) return messages;
    const all: ChatMessageView[] = [];
    let next = 0;
    for (const { view, after } of this.list) {
      while (next < Math.min(after, messages.length)) all.push(...messages.slice(next, ++next));
      all.push(view);
    }
    return [...all, ...messages.slice(next)];
  }
}
