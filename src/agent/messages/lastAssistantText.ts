import { type Message, textOf } from "./message.ts";

/**
 * `last_assistant_message` of Stop and SubagentStop: the text of the last assistant message that holds anything of the model's.
 * Undefined where that message has no text, e.g. tool calls alone (H22.1 to H22.4). Messages that hold only notices are the
 * user's business and are passed over.
 */
export function lastAssistantText(messages: readonly Message[]): string | undefined {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role !== "assistant") continue;
    if (message.blocks.every((block) => block.type === "notice" || block.type === "compact")) continue;
    return textOf(message) || undefined;
  }
  return undefined;
}
