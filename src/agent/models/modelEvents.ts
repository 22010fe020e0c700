import type { LanguageModelV3StreamPart, LanguageModelV3Usage } from "@ai-sdk/provider";
import { isRecord } from "../../protocol/validate.ts";
import type { ProviderMetadata } from "../messages/message.ts";
import type { ModelEvent, ModelFinishReason, ModelUsage } from "./model.ts";

/** Turns the parts of one streamed answer into events. Errors are thrown: whoever reads the stream decides what follows. */
export class ModelEventReader {
  private readonly thoughts = new Map<string, string>();
  private sawContent = false;
  private sawCalls = false;
  private ended = false;

  /** Whether anything of an answer has come. */
  get hasContent(): boolean {
    return this.sawContent;
  }

  get hasEnded(): boolean {
    return this.ended;
  }

  read(part: LanguageModelV3StreamPart): ModelEvent | undefined {
    switch (part.type) {
      case "text-delta":
        this.sawContent ||= part.delta !== "";
        return { type: "text", delta: part.delta };
      case "reasoning-start":
        this.thoughts.set(part.id, "");
        return undefined;
      case "reasoning-delta":
        this.sawContent = true;
        this.thoughts.set(part.id, (this.thoughts.get(part.id) ?? "") + part.delta);
        return { type: "reasoning", delta: part.delta };
      case "reasoning-end":
        return {
          type: "reasoningEnd",
          text: this.thoughts.get(part.id) ?? "",
          ...metadata(part.providerMetadata),
        };
      case "tool-input-start":
        return { type: "toolCallStart", id: part.id, name: part.toolName };
      case "tool-call":
        this.sawContent = true;
        this.sawCalls = true;
        return {
          type: "toolCall",
          id: part.toolCallId,
          name: part.toolName,
          ...readArguments(part.input),
          ...metadata(part.providerMetadata),
        };
      case "finish": {
        this.ended = true;
        return {
          type: "finish",
          reason: this.reasonOf(part.finishReason.unified),
          usage: toUsage(part.usage),
        };
      }
      case "error":
        throw part.error;
      default:
        return undefined;
    }
  }

  /** Some services say "stop" although the answer holds calls. */
  private reasonOf(unified: string): ModelFinishReason {
    if (this.sawCalls && unified !== "length") return "toolCalls";
    switch (unified) {
      case "stop":
      case "length":
        return unified;
      case "content-filter":
        return "filtered";
      default:
        return "other";
    }
  }
}

function readArguments(text: string): { input: unknown; unreadable?: string } {
  // No arguments at all is how some models call a tool that takes none.
  if (text.trim() === "") return { input: {} };
  try {
    const input: unknown = JSON.parse(text);
    return isRecord(input) ? { input } : { input: text, unreadable: "not a JSON object" };
  } catch (error) {
    return { input: text, unreadable: error instanceof Error ? error.message : String(error) };
  }
}

function toUsage(usage: LanguageModelV3Usage | undefined): ModelUsage {
  const input = usage?.inputTokens.total;
  const output = usage?.outputTokens.total;
  return { ...(input ? { input } : {}), ...(output ? { output } : {}) };
}

function metadata(value: unknown): { providerMetadata?: ProviderMetadata } {
  return isRecord(value) ? { providerMetadata: value as ProviderMetadata } : {};
}
