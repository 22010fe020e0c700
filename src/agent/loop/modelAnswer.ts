import type { Conversation } from "../conversation.ts";
import { assistantMessage, type Block, type ReasoningPart, type ToolBlock } from "../messages/message.ts";
import type { ModelEvent, ModelFailure, ModelFinishReason, ModelUsage } from "../models/model.ts";
import type { ToolCall } from "../toolCall.ts";

export type ModelAnswer =
  | {
      kind: "answered";
      /** Of the assistant message; absent where the answer was empty: then there is none (design.md section 9). */
      messageId?: string;
      calls: readonly ToolCall[];
      reason: ModelFinishReason;
      usage: ModelUsage;
    }
  | { kind: "failed"; failure: ModelFailure }
  | { kind: "aborted" };

/**
 * Writes one streamed answer into the conversation as it comes. An answer that failed or was interrupted leaves the text that
 * had arrived, and none of its tool calls: none of them had started.
 */
export async function receiveAnswer(
  events: AsyncIterable<ModelEvent>,
  conversation: Conversation,
  onRetry: (retry: Extract<ModelEvent, { type: "retry" }>) => void,
): Promise<ModelAnswer> {
  const draft = new AnswerDraft(conversation);
  for await (const event of events) {
    switch (event.type) {
      case "text":
        draft.addText(event.delta);
        break;
      case "reasoningEnd":
        draft.addReasoning({
          text: event.text,
          ...(event.providerMetadata ? { providerMetadata: event.providerMetadata } : {}),
        });
        break;
      case "toolCall":
        draft.addCall(event);
        break;
      case "retry":
        draft.discard();
        onRetry(event);
        break;
      case "finish":
        return { kind: "answered", ...draft.finish(), reason: event.reason, usage: event.usage };
      case "failed":
        draft.keepText();
        return { kind: "failed", failure: event.failure };
      case "aborted":
        draft.keepText();
        return { kind: "aborted" };
      case "reasoning":
      case "toolCallStart":
        break;
    }
  }
  draft.keepText();
  return { kind: "aborted" };
}

class AnswerDraft {
  private message = assistantMessage([]);
  private isInConversation = false;
  private blocks: Block[] = [];
  private reasoning: ReasoningPart[] = [];
  private calls: ToolCall[] = [];
  private readonly usedIds: ReadonlySet<string>;

  constructor(private readonly conversation: Conversation) {
    this.usedIds = conversation.toolCallIds;
  }

  addText(delta: string): void {
    if (delta === "") return;
    const last = this.blocks.at(-1);
    if (last?.type === "text")
      this.blocks[this.blocks.length - 1] = { ...last, content: last.content + delta };
    else this.blocks.push({ type: "text", content: delta });
    // Blanks alone make no message.
    if (this.isInConversation || delta.trim() !== "") this.show();
  }

  addReasoning(part: ReasoningPart): void {
    this.reasoning.push(part);
  }

  addCall(event: Extract<ModelEvent, { type: "toolCall" }>): void {
    const id = this.uniqueId(event.id);
    const block: ToolBlock = {
      type: "tool",
      id,
      name: event.name,
      parameters: event.input,
      result: "",
      success: false,
      stage: "running",
      ...(event.providerMetadata ? { providerMetadata: event.providerMetadata } : {}),
    };
    this.blocks.push(block);
    this.calls.push({
      id,
      name: event.name,
      input: event.input,
      ...(event.unreadable === undefined ? {} : { unreadable: event.unreadable }),
    });
    this.show();
  }

  discard(): void {
    if (this.isInConversation) this.conversation.remove(this.message.id);
    this.isInConversation = false;
    this.message = assistantMessage([]);
    this.blocks = [];
    this.reasoning = [];
    this.calls = [];
  }

  finish(): { messageId?: string; calls: readonly ToolCall[] } {
    if (!this.isInConversation) return { calls: [] };
    this.show();
    return { messageId: this.message.id, calls: this.calls };
  }

  keepText(): void {
    this.blocks = this.blocks.filter((block) => block.type === "text" && block.content.trim() !== "");
    this.reasoning = [];
    if (!this.isInConversation) return;
    if (this.blocks.length === 0) this.discard();
    else this.show();
  }

  private show(): void {
    this.isInConversation = true;
    const { reasoning: _, ...message } = this.message;
    this.message = {
      ...message,
      blocks: [...this.blocks],
      ...(this.reasoning.length > 0 ? { reasoning: [...this.reasoning] } : {}),
    };
    this.conversation.put(this.message);
  }

  /** Some services number the calls of every answer from 0; results and hooks must be able to tell them apart. */
  private uniqueId(given: string): string {
    const isTaken = (id: string) => this.usedIds.has(id) || this.calls.some((call) => call.id === id);
    if (given !== "" && !isTaken(given)) return given;
    for (let number = 2; ; number++) {
      const id = `${given || "call"}_${number}`;
      if (!isTaken(id)) return id;
    }
  }
}
