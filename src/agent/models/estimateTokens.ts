import type { Message } from "../messages/message.ts";

/** Scripts of which a model's vocabulary holds single characters: about one token each, not four characters to a token. */
const denseScripts = /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/g;

/** A rough count, for the moment at which to compact: exact tokenizers weigh megabytes and differ from model to model. */
export function estimateTokens(text: string): number {
  const dense = text.match(denseScripts)?.length ?? 0;
  return Math.ceil(dense + (text.length - dense) / 4);
}

const estimates = new WeakMap<Message, number>();
/** Role, separators, ids: what a service adds around a message. */
const tokensAround = 8;

/** What a message takes in a request. Remembered, since messages are never changed in place. */
export function estimateMessageTokens(message: Message): number {
  let estimate = estimates.get(message);
  if (estimate === undefined) {
    estimate = tokensAround;
    for (const block of message.blocks) {
      if (block.type === "notice") continue;
      if (block.type === "tool") {
        const parameters = JSON.stringify(block.parameters) ?? "";
        estimate += tokensAround + estimateTokens(parameters) + estimateTokens(block.error ?? block.result);
      } else if (block.type === "task_notification") {
        estimate += estimateTokens(block.summary + (block.content ?? ""));
      } else {
        estimate += estimateTokens(block.content);
      }
    }
    estimates.set(message, estimate);
  }
  return estimate;
}
