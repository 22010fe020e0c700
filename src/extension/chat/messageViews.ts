import type { Block, Message } from "../../agent/messages/message.ts";
import type { ChatBlockView, ChatMessageView } from "../../protocol/chatView.ts";
import { toolCard } from "./toolCards.ts";

/**
 * The session's messages as the chat shows them. Messages are never changed in place, so that one already converted is
 * known by its identity: an update costs what changed, not what the session is long.
 */
export class MessageViews {
  private readonly known = new WeakMap<Message, ChatMessageView>();

  /** `workdir`: paths inside it are shown relative to it. */
  constructor(private readonly workdir: string) {}

  /** In order, without what the user is not to see: messages by hooks and the runtime (isMeta), and empty ones. */
  of(messages: readonly Message[]): ChatMessageView[] {
    return messages
      .filter((message) => !message.isMeta && message.blocks.length > 0)
      .map((m) => this.view(m));
  }

  private view(message: Message): ChatMessageView {
    const known = this.known.get(message);
    if (known) return known;
    const view: ChatMessageView = {
      id: message.id,
      role: message.role,
      blocks:
        message.shownText === undefined
          ? message.blocks.map((block) => this.block(block))
          : [{ type: "text", content: message.shownText }],
      timestamp: message.timestamp,
    };
    this.known.set(message, view);
    return view;
  }

  private block(block: Block): ChatBlockView {
    switch (block.type) {
      case "text":
      case "compact":
      case "notice":
        return block;
      case "tool":
        return { type: "tool", tool: toolCard(block, this.workdir) };
      case "task_notification":
        return {
          type: "taskNotification",
          title: block.summary,
          content: [block.content, block.outputFile].filter(Boolean).join("\n\n"),
        };
    }
  }
}

/** The first index at which the two lists differ, by identity; undefined where they are the same. */
export function firstDifference<T>(before: readonly T[], after: readonly T[]): number | undefined {
  const length = Math.min(before.length, after.length);
  for (let index = 0; index < length; index++) if (before[index] !== after[index]) return index;
  return before.length === after.length ? undefined : length;
}
