import type { LanguageModelV3 } from "@ai-sdk/provider";
import { contextWindowOf } from "./contextWindow.ts";
import type { Model, ModelEvent } from "./model.ts";
import { type RetryPolicy, StreamedModel } from "./streamedModel.ts";

export interface ModelOptions {
  apiKey?: string;
  baseURL?: string;
  model?: string;
  /** Default: `anthropic` for Anthropic's own host, else `openai` (chat completions). */
  provider?: "openai" | "anthropic";
  /** An AI SDK model object (specification v3). Wins over the fields above. */
  languageModel?: LanguageModelV3;
  /** Tokens. Default: by the model's name, else 128,000. */
  contextWindow?: number;
  maxOutputTokens?: number;
  retry?: Partial<RetryPolicy>;
}

export interface ResolvedModel {
  model: Model;
  /** Values in use as keys: kept from hooks, tools, logs and transcripts (design.md section 9). */
  credentials: readonly string[];
}

const anthropicURL = "https://api.anthropic.com/v1";
const openaiURL = "https://api.openai.com/v1";
/** Anthropic's API wants a limit in each request; this is what all its present models can do. */
const anthropicOutputTokens = 16_000;

/**
 * The model that options and environment (WAVE_API_KEY, WAVE_BASE_URL, WAVE_MODEL) describe. Where they describe none, the
 * result is a model that fails each request and says what is missing: an agent can be made without a model.
 */
export function resolveModel(
  options: ModelOptions,
  env: Readonly<Record<string, string | undefined>>,
): ResolvedModel {
  const apiKey = (options.apiKey ?? env.WAVE_API_KEY)?.trim() || undefined;
  const credentials = [...new Set([apiKey, env.WAVE_API_KEY?.trim()])].filter(
    (key) => key !== undefined && key !== "",
  );
  const shared = {
    secrets: credentials as string[],
    ...(options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens }),
    ...(options.retry ? { retry: options.retry } : {}),
  };
  const { languageModel } = options;
  if (languageModel) {
    return {
      model: new StreamedModel({
        ...shared,
        languageModel,
        endpoint: { modelId: languageModel.modelId },
        contextWindow: contextWindowOf(languageModel.modelId, options.contextWindow),
      }),
      credentials: shared.secrets,
    };
  }
  const modelId = (options.model ?? env.WAVE_MODEL)?.trim();
  const givenURL = (options.baseURL ?? env.WAVE_BASE_URL)?.trim();
  const provider = options.provider ?? (hostOf(givenURL) === "api.anthropic.com" ? "anthropic" : "openai");
  if (!modelId) return { model: new MissingModel("model"), credentials: shared.secrets };
  // A service without a key is a local one, whose address has to be given.
  if (!givenURL && !apiKey) return { model: new MissingModel("baseURL"), credentials: shared.secrets };
  if (givenURL && hostOf(givenURL) === undefined) {
    return { model: new MissingModel("url", givenURL), credentials: shared.secrets };
  }
  const baseURL = normalized(givenURL || (provider === "anthropic" ? anthropicURL : openaiURL), provider);
  return {
    model: new StreamedModel({
      ...(provider === "anthropic" ? { maxOutputTokens: anthropicOutputTokens } : {}),
      ...shared,
      languageModel:
        provider === "anthropic" ? anthropic(modelId, baseURL, apiKey) : openai(modelId, baseURL, apiKey),
      endpoint: { modelId, baseURL: withoutLogin(baseURL) },
      contextWindow: contextWindowOf(modelId, options.contextWindow),
    }),
    credentials: shared.secrets,
  };
}

function openai(
  modelId: string,
  baseURL: string,
  apiKey: string | undefined,
): () => Promise<LanguageModelV3> {
  return async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const provider = createOpenAICompatible({
      name: "openaiCompatible",
      baseURL,
      includeUsage: true,
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    return provider.chatModel(modelId);
  };
}

function anthropic(
  modelId: string,
  baseURL: string,
  apiKey: string | undefined,
): () => Promise<LanguageModelV3> {
  return async () => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    // Without a key the package would take one from an environment that is none of ours.
    return createAnthropic({ baseURL, apiKey: apiKey ?? "none" }).languageModel(modelId);
  };
}

/** People paste the address of an endpoint; Anthropic's documents name the address without the version. */
function normalized(baseURL: string, provider: "openai" | "anthropic"): string {
  const url = baseURL.replace(/\/+$/, "").replace(/\/(?:chat\/completions|messages)$/, "");
  return provider === "anthropic" && new URL(url).pathname === "/" ? `${url}/v1` : url;
}

function hostOf(url: string | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined;
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" || protocol === "https:" ? hostname : undefined;
}

/** An address may hold a user name and password. */
function withoutLogin(baseURL: string): string {
  const url = new URL(baseURL);
  url.username = "";
  url.password = "";
  url.search = "";
  return url.toString().replace(/\/$/, "");
}

const missingTexts = {
  model: () => "No model is set. Name one with the option model or WAVE_MODEL.",
  baseURL: () =>
    "No model service is set. Give its address with the option baseURL or WAVE_BASE_URL, or a key with apiKey or WAVE_API_KEY.",
  url: (given: string) =>
    `The model service's address ${JSON.stringify(given)} is not a web address. It should look like https://api.example.com/v1 (option baseURL or WAVE_BASE_URL).`,
};

class MissingModel implements Model {
  readonly id = "";
  readonly contextWindow = contextWindowOf("");

  constructor(
    private readonly missing: keyof typeof missingTexts,
    private readonly given = "",
  ) {}

  async *stream(): AsyncGenerator<ModelEvent, void> {
    const message = missingTexts[this.missing](this.given);
    yield { type: "failed", failure: { kind: "notFound", message, cause: new Error(message) } };
  }
}
