import type { Logger } from "../../base/logger.ts";
import type { CompactTrigger } from "../../hooks/hookEvent.ts";
import type { TurnActivity } from "../agentOptions.ts";
import type { Conversation } from "../conversation.ts";
import { convertMessagesForAPI, requestStart } from "../messages/convertMessagesForAPI.ts";
import { assistantMessage, type Message, userMessage } from "../messages/message.ts";
import { estimateTokens } from "../models/estimateTokens.ts";
import type { Model, ModelUsage } from "../models/model.ts";
import type { SessionHooks } from "../sessionHooks.ts";
import type { Tool } from "../tools/tool.ts";
import { ContextMeter, compactionThreshold } from "./contextMeter.ts";
import { summaryRequest, summarySystemPrompt } from "./summaryRequest.ts";

export interface CompactorOptions {
  conversation: Conversation;
  hooks: SessionHooks;
  model(): Model;
  /** Tokens of system prompt and tools, roughly. */
  fixedTokens?(): number;
  onActivity?(activity: TurnActivity): void;
  logger: Logger;
}

export type CompactionEnd =
  | { kind: "compacted"; summary: string }
  /** There is nothing before the last summary or the last prompt. */
  | { kind: "nothing" }
  | { kind: "failed"; message: string }
  | { kind: "aborted" };

/** After so many failures in a row nothing is tried on its own any more. */
const mostFailures = 3;
/** How often a summary request that was itself too long is cut and sent again. */
const mostCuts = 3;

/**
 * Replaces what the model sees of a conversation by a summary: a compact block, and requests start there. The transcript and the
 * chat keep what came before. Tool calls stay with their results, since both are one block.
 */
export class Compactor {
  private readonly meter = new ContextMeter();
  private failures = 0;

  constructor(private readonly options: CompactorOptions) {}

  /** To be told after each answer of the model. */
  noteUsage(usage: ModelUsage): void {
    this.meter.note(this.options.conversation.messages, usage);
  }

  /** To be told when another session takes the conversation's place. */
  reset(): void {
    this.meter.reset();
    this.failures = 0;
  }

  /** Tokens of the next request, measured and estimated. */
  get tokens(): number {
    return this.meter.tokens(this.options.conversation.messages, this.options.fixedTokens?.() ?? 0);
  }

  /** Before a request: compacts where it would come near the model's limit. Failures are told to the user; the turn goes on. */
  async compactIfNeeded(signal: AbortSignal): Promise<void> {
    if (this.failures >= mostFailures) return;
    if (this.tokens < compactionThreshold(this.options.model().contextWindow)) return;
    const end = await this.compact("auto", "", signal);
    if (end.kind === "failed") this.failures++;
  }

  /** After a request that did not fit. True: the next one is shorter. */
  async makeRoom(signal: AbortSignal): Promise<boolean> {
    return (await this.compact("auto", "", signal)).kind === "compacted";
  }

  /**
   * PreCompact hooks, the summary, SessionStart hooks with source compact, PostCompact hooks. Where the summary fails or is
   * interrupted nothing has changed and the last two do not run (H20.3). Never rejects.
   */
  async compact(
    trigger: CompactTrigger,
    customInstructions: string,
    signal: AbortSignal,
  ): Promise<CompactionEnd> {
    const { conversation, hooks } = this.options;
    const end = this.summarisedEnd();
    const material = conversation.messages.slice(requestStart(conversation.messages), end);
    if (!material.some(isWorthASummary)) return { kind: "nothing" };
    this.options.onActivity?.({ kind: "compact" });

    const before = await hooks.fire({ name: "PreCompact", trigger, customInstructions }, signal);
    const instructions = [customInstructions, before.compactInstructions ?? ""]
      .map((text) => text.trim())
      .filter((text) => text !== "")
      .join("\n\n");
    this.options.onActivity?.({ kind: "compact" });
    const result = await this.summarise(material, instructions, signal);
    if (result.kind === "aborted") return result;
    if (result.kind === "failed") {
      hooks.tellUser("error", `The conversation could not be compacted. ${result.message}`);
      return result;
    }

    const { summary } = result;
    // Hooks and notices may have added messages meanwhile: the block goes behind what was summarised.
    const last = material.at(-1);
    const at = last ? conversation.messages.findLastIndex(({ id }) => id === last.id) + 1 : end;
    conversation.insert(at, assistantMessage([{ type: "compact", content: summary }]));
    this.meter.reset();
    this.failures = 0;
    const started = await hooks.fire({ name: "SessionStart", source: "compact" }, signal);
    hooks.tellModel(started.modelMessages);
    await hooks.fire({ name: "PostCompact", trigger, compactSummary: summary }, signal);
    await conversation.save();
    return { kind: "compacted", summary };
  }

  /** Index up to which is summarised: a prompt that nobody has begun to answer stays as it is. */
  private summarisedEnd(): number {
    const { messages } = this.options.conversation;
    for (let index = messages.length - 1; index >= 0; index--) {
      const message = messages[index];
      if (message?.role === "assistant" && isWorthASummary(message)) return messages.length;
      if (message?.role === "user" && !message.isMeta) return index;
    }
    return messages.length;
  }

  private async summarise(
    material: readonly Message[],
    instructions: string,
    signal: AbortSignal,
  ): Promise<SummaryEnd> {
    const model = this.options.model();
    let budget = model.contextWindow / 2;
    for (let cuts = 0; ; cuts++) {
      const request = summaryRequest(material, instructions, budget);
      const end = await askForText(model, request, signal);
      if (end.kind === "tooLong" && cuts < mostCuts) {
        budget /= 2;
        continue;
      }
      if (end.kind === "tooLong") return { kind: "failed", message: end.message };
      return end;
    }
  }
}

type SummaryEnd = Exclude<CompactionEnd, { kind: "nothing" }>;
type TextAnswer = SummaryEnd | { kind: "tooLong"; message: string };

async function askForText(model: Model, request: string, signal: AbortSignal): Promise<TextAnswer> {
  let text = "";
  const events = model.stream({
    system: summarySystemPrompt,
    prompt: convertMessagesForAPI([userMessage(request)]),
    signal,
  });
  for await (const event of events) {
    switch (event.type) {
      case "text":
        text += event.delta;
        break;
      case "retry":
        text = "";
        break;
      case "finish":
        if (text.trim() === "") return { kind: "failed", message: "The model gave no summary." };
        return { kind: "compacted", summary: text.trim() };
      case "failed":
        if (event.failure.kind === "contextOverflow")
          return { kind: "tooLong", message: event.failure.message };
        return { kind: "failed", message: event.failure.message };
      case "aborted":
        return { kind: "aborted" };
      default:
        break;
    }
  }
  return { kind: "aborted" };
}

/** Tokens of what stands around the messages in each request, roughly. */
export function requestOverhead(systemPrompt: string, tools: readonly Tool[]): number {
  const described = tools.map(({ name, description, inputSchema }) => [name, description, inputSchema.json]);
  return estimateTokens(systemPrompt) + estimateTokens(JSON.stringify(described));
}

function isWorthASummary(message: Message): boolean {
  return message.blocks.some(
    (block) =>
      (block.type === "text" && !message.isMeta) ||
      block.type === "tool" ||
      block.type === "task_notification",
  );
}
