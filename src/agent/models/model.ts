import type { JSONSchema7, LanguageModelV3Message } from "@ai-sdk/provider";
import type { ProviderMetadata } from "../messages/message.ts";

/**
 * The port to a language model. Contract: `stream` must not throw, and its events must not either: what goes wrong is an event.
 * Exactly one of `finish`, `failed` and `aborted` comes, and it comes last.
 */
export interface Model {
  /** What the service calls the model, e.g. "gpt-5". */
  readonly id: string;
  /** Tokens that one request and its answer may hold together. */
  readonly contextWindow: number;
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

export interface ModelRequest {
  readonly system?: string;
  /** From `convertMessagesForAPI`. */
  readonly prompt: readonly LanguageModelV3Message[];
  readonly tools?: readonly ModelTool[];
  /** Ends the call at once; the last event is then `aborted`. */
  readonly signal: AbortSignal;
  readonly maxOutputTokens?: number;
}

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly inputSchema: JSONSchema7;
}

export type ModelEvent =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "reasoning"; readonly delta: string }
  /** A whole thought has ended; it goes into `Message.reasoning`. */
  | { readonly type: "reasoningEnd"; readonly text: string; readonly providerMetadata?: ProviderMetadata }
  /** The model has begun to write the arguments of a call: for the display. */
  | { readonly type: "toolCallStart"; readonly id: string; readonly name: string }
  | {
      readonly type: "toolCall";
      readonly id: string;
      readonly name: string;
      /** The parsed arguments, or the raw text where `unreadable` says why that is no JSON object. */
      readonly input: unknown;
      readonly unreadable?: string;
      readonly providerMetadata?: ProviderMetadata;
    }
  /** The request is sent again after `delayMs`. Everything that this answer has brought so far is void. */
  | { readonly type: "retry"; readonly attempt: number; readonly delayMs: number; readonly reason: string }
  | { readonly type: "finish"; readonly reason: ModelFinishReason; readonly usage: ModelUsage }
  | { readonly type: "failed"; readonly failure: ModelFailure }
  | { readonly type: "aborted" };

/** `length`: cut at the limit of output tokens. `filtered`: the service withheld the answer. */
export type ModelFinishReason = "stop" | "toolCalls" | "length" | "filtered" | "other";

/** Tokens; undefined where the service does not say. `input` counts everything sent, cached or not. */
export interface ModelUsage {
  readonly input?: number;
  readonly output?: number;
}

export interface ModelFailure {
  readonly kind:
    | "credentials"
    | "notFound"
    | "unreachable"
    | "rateLimit"
    | "contextOverflow"
    | "service"
    | "badRequest"
    | "unknown";
  /** For people: what happened and what to do. Never holds a key. */
  readonly message: string;
  /** For the ErrorOccurred event. */
  readonly cause: Error;
}
