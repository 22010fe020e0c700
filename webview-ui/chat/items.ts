import type { ChatBlockView, ChatMessageView } from "../../src/protocol/chatView.ts";

/** One entry of the list: a block of a message. A message of many blocks is many entries, so that each is drawn only when it is seen. */
export interface ChatItem {
  key: string;
  role: ChatMessageView["role"];
  block: ChatBlockView;
  /** The first block of its message says who speaks. */
  isFirst: boolean;
  timestamp: number;
}

const itemsByMessage = new WeakMap<ChatMessageView, readonly ChatItem[]>();

/** The entries of all messages. Those of an unchanged message are the same objects as before. */
export function itemsOf(messages: readonly ChatMessageView[]): ChatItem[] {
  const items: ChatItem[] = [];
  for (const message of messages) {
    let own = itemsByMessage.get(message);
    if (!own) {
      own = itemsOfMessage(message);
      itemsByMessage.set(message, own);
    }
    for (const item of own) items.push(item);
  }
  return items;
}

function itemsOfMessage(message: ChatMessageView): ChatItem[] {
  const items: ChatItem[] = [];
  for (const [index, block] of message.blocks.entries()) {
    if (block.type === "text" && block.content.trim() === "") continue;
    const isFirst = items.length === 0;
    items.push({
      key: `${message.id}:${index}`,
      role: message.role,
      block,
      isFirst,
      timestamp: message.timestamp,
    });
  }
  return items;
}

/** Whether two entries look the same: a streamed message comes as a new object, with most of its blocks as they were. */
export function isSameItem(one: ChatItem, other: ChatItem): boolean {
  if (one === other) return true;
  return one.key === other.key && one.isFirst === other.isFirst && isSameBlock(one.block, other.block);
}

function isSameBlock(one: ChatBlockView, other: ChatBlockView): boolean {
  if (one.type === "text" && other.type === "text") return one.content === other.content;
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What the user has sent, the newest first, without repeats in a row. */
export function sentTexts(messages: readonly ChatMessageView[]): string[] {
  const sent: string[] = [];
  for (const message of messages.toReversed()) {
    if (message.role !== "user") continue;
    const text = message.blocks.flatMap((block) => (block.type === "text" ? [block.content] : [])).join("\n");
    if (text && text !== sent.at(-1)) sent.push(text);
  }
  return sent;
}
