import { setTimeout } from "node:timers/promises";
import type { LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { Model, ModelEvent, ModelRequest } from "./model.ts";
import { ModelEventReader } from "./modelEvents.ts";
import { type ClassifiedFailure, classifyFailure, type ModelEndpoint } from "./modelFailure.ts";

export interface StreamedModelOptions {
  /** Asked at the first request: a provider's package is loaded no earlier. */
  languageModel: LanguageModelV3 | (() => Promise<LanguageModelV3>);
  endpoint: ModelEndpoint;
  contextWindow: number;
  maxOutputTokens?: number;
  /** Values that no text may show. */
  secrets?: readonly string[];
  retry?: Partial<RetryPolicy>;
  clock?: Clock;
  /** Between 0 and 1. */
  random?: () => number;
}

export interface RetryPolicy {
  /** How often a request is sent again. */
  limit: number;
  /** The same where nothing answers: more often a wrong address than a passing trouble. */
  unreachableLimit: number;
  /** The first wait; each further one is twice as long, up to `longestDelayMs`. */
  baseDelayMs: number;
  longestDelayMs: number;
  /** A service that asks for a longer wait is not waited for: the user is told. */
  longestRetryAfterMs: number;
  /** Silence after which a connection counts as broken. */
  stallMs: number;
}

const defaultRetry: RetryPolicy = {
  limit: 4,
  unreachableLimit: 2,
  baseDelayMs: 500,
  longestDelayMs: 30_000,
  longestRetryAfterMs: 120_000,
  stallMs: 300_000,
};

/**
 * A model behind an AI SDK model object. Asks it directly, without the AI SDK's own loop: that would check every message of the
 * conversation again on each request, and the turn loop needs the parts as they come.
 */
export class StreamedModel implements Model {
  readonly id: string;
  readonly contextWindow: number;
  private readonly retry: RetryPolicy;
  private readonly clock: Clock;
  private loaded: Promise<LanguageModelV3> | undefined;

  constructor(private readonly options: StreamedModelOptions) {
    this.id = options.endpoint.modelId;
    this.contextWindow = options.contextWindow;
    this.retry = { ...defaultRetry, ...options.retry };
    this.clock = options.clock ?? systemClock;
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent, void> {
    for (let attempt = 1; ; attempt++) {
      let failure: ClassifiedFailure;
      try {
        for await (const event of this.attempt(request)) {
          yield event;
          if (event.type === "finish") return;
        }
        failure = this.classify(new Error("The service gave no answer."));
      } catch (error) {
        failure = this.classify(error);
      }
      if (request.signal.aborted) break;
      const delayMs = this.delayBefore(attempt, failure);
      if (delayMs === undefined) {
        yield {
          type: "failed",
          failure: { kind: failure.kind, message: failure.message, cause: failure.cause },
        };
        return;
      }
      yield { type: "retry", attempt, delayMs, reason: failure.message };
      await this.wait(delayMs, request.signal);
      if (request.signal.aborted) break;
    }
    yield { type: "aborted" };
  }

  /** One request. Throws what goes wrong, an abort too; ends without `finish` where the service just stopped. */
  private async *attempt(request: ModelRequest): AsyncGenerator<ModelEvent, void> {
    const ended = new AbortController();
    const signal = AbortSignal.any([request.signal, ended.signal]);
    try {
      const languageModel = await this.load();
      const opened = Promise.resolve(languageModel.doStream(this.callOptions(request, signal)));
      const { stream } = await this.inTime(opened, signal);
      const reader = stream.getReader();
      const events = new ModelEventReader();
      try {
        for (;;) {
          const { done, value } = await this.inTime(reader.read(), signal);
          if (done) return;
          const event = events.read(value);
          if (event?.type === "finish" && event.reason === "other" && !events.hasContent) return;
          if (event) yield event;
        }
      } finally {
        reader.cancel().catch(() => {});
      }
    } finally {
      ended.abort();
    }
  }

  private async load(): Promise<LanguageModelV3> {
    const { languageModel } = this.options;
    if (typeof languageModel !== "function") return languageModel;
    this.loaded ??= languageModel();
    return this.loaded;
  }

  private callOptions(request: ModelRequest, abortSignal: AbortSignal): LanguageModelV3CallOptions {
    const maxOutputTokens = request.maxOutputTokens ?? this.options.maxOutputTokens;
    const system = request.system ? [{ role: "system" as const, content: request.system }] : [];
    return {
      prompt: [...system, ...request.prompt],
      abortSignal,
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(request.tools && request.tools.length > 0
        ? {
            tools: request.tools.map((tool) => ({ type: "function" as const, ...tool })),
            toolChoice: { type: "auto" as const },
          }
        : {}),
    };
  }

  /** Rejects at an abort and after a long silence, whether or not the model object heeds its signal. */
  private inTime<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const stall = this.clock.after(this.retry.stallMs, () =>
        settle(() => reject(Object.assign(new Error("The service fell silent."), { code: "STALLED" }))),
      );
      const onAbort = () => settle(() => reject(new Error("aborted")));
      const settle = (report: () => void) => {
        stall.dispose();
        signal.removeEventListener("abort", onAbort);
        report();
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort, { once: true });
      promise.then(
        (value) => settle(() => resolve(value)),
        (error: unknown) => settle(() => reject(error)),
      );
    });
  }

  private classify(error: unknown): ClassifiedFailure {
    return classifyFailure(error, this.options.endpoint, this.options.secrets ?? [], this.clock.now());
  }

  /** Undefined: not again. */
  private delayBefore(attempt: number, failure: ClassifiedFailure): number | undefined {
    const limit = failure.kind === "unreachable" ? this.retry.unreachableLimit : this.retry.limit;
    if (!failure.retryable || attempt > limit) return undefined;
    const asked = failure.retryAfterMs ?? 0;
    if (asked > this.retry.longestRetryAfterMs) return undefined;
    const backoff = Math.min(this.retry.longestDelayMs, this.retry.baseDelayMs * 2 ** (attempt - 1));
    const jitter = 0.75 + 0.5 * (this.options.random ?? Math.random)();
    return Math.round(Math.max(asked, backoff * jitter));
  }

  /** Keeps the process alive, unlike the clock's timers: whoever waits for the answer waits for this. */
  private async wait(delayMs: number, signal: AbortSignal): Promise<void> {
    await setTimeout(delayMs, undefined, { signal }).catch(() => {});
  }
}
