import { requestStart } from "../messages/convertMessagesForAPI.ts";
import type { Message } from "../messages/message.ts";
import { estimateMessageTokens } from "../models/estimateTokens.ts";
import type { ModelUsage } from "../models/model.ts";

/** Room for the answer and for what estimates miss: a fifth of the window, in large windows less. */
const reservedShare = 0.2;
const largestReserve = 33_000;

/** How many tokens the next request may hold before the conversation is compacted. */
export function compactionThreshold(contextWindow: number): number {
  return contextWindow - Math.min(largestReserve, contextWindow * reservedShare);
}

/** Says how large the next request will be: what the service counted for the last one, and an estimate of what came since. */
export class ContextMeter {
  private measured: { start: number; upTo: number; tokens: number; last: number } | undefined;

  /** @param usage Of the answer that now ends `messages`. */
  note(messages: readonly Message[], usage: ModelUsage): void {
    this.measured =
      usage.input === undefined
        ? undefined
        : {
            start: requestStart(messages),
            upTo: messages.length,
            tokens: usage.input + (usage.output ?? 0),
            last: estimateOf(messages[messages.length - 1]),
          };
  }

  reset(): void {
    this.measured = undefined;
  }

  /** @param fixedTokens System prompt and tools, which the service has counted in and an estimate has not. */
  tokens(messages: readonly Message[], fixedTokens = 0): number {
    const start = requestStart(messages);
    const { measured } = this;
    const isValid = measured !== undefined && measured.start === start && measured.upTo <= messages.length;
    let tokens = fixedTokens;
    // The results of the answer's tool calls go into the message that was measured without them.
    if (isValid) tokens = measured.tokens + estimateOf(messages[measured.upTo - 1]) - measured.last;
    for (let index = isValid ? measured.upTo : start; index < messages.length; index++) {
      tokens += estimateOf(messages[index]);
    }
    return tokens;
  }
}

function estimateOf(message: Message | undefined): number {
  return message ? estimateMessageTokens(message) : 0;
}
