import { type ChatCompletionRequest, LLMock, type ResponseOverrides } from "@copilotkit/aimock";
import { onTestFinished } from "vitest";

/** One scripted answer of the model service. */
export interface ScriptedAnswer {
  text?: string;
  toolCalls?: readonly { name: string; arguments: unknown; id?: string }[];
  /** Tokens that the answer reports. */
  usage?: { input: number; output: number };
  finishReason?: string;
  /** An HTTP error instead of an answer. */
  error?: { status: number; message: string; code?: string; retryAfter?: number };
  /** Before each chunk of the stream, in milliseconds. */
  latencyMs?: number;
  /** The connection breaks after so many chunks. */
  truncateAfterChunks?: number;
}

export type AnswerScript = (request: ChatCompletionRequest, index: number) => ScriptedAnswer;

/** A real HTTP service on loopback that speaks chat completions and Anthropic's messages; its words alone are scripted. */
export interface ModelService {
  /** For `baseURL`. */
  readonly baseURL: string;
  /** Bodies of all requests so far, oldest first, in the shape of chat completions. */
  readonly requests: readonly ChatCompletionRequest[];
  /** What is answered from now on: a list is used up in order, its last answer again and again. */
  script(answers: readonly ScriptedAnswer[] | AnswerScript): void;
  stop(): Promise<void>;
}

/** Ends with the test that starts it. */
export async function startModelService(
  script: readonly ScriptedAnswer[] | AnswerScript = [{ text: "Done." }],
): Promise<ModelService> {
  const service = await openModelService(script);
  onTestFinished(() => service.stop());
  return service;
}

/** The same for a whole file of tests; whoever opens it stops it. */
export async function openModelService(
  script: readonly ScriptedAnswer[] | AnswerScript = [{ text: "Done." }],
): Promise<ModelService> {
  const mock = await LLMock.create({ logLevel: "silent" });
  let answered = 0;
  const use = (next: readonly ScriptedAnswer[] | AnswerScript): void => {
    mock.clearFixtures();
    answered = 0;
    if (typeof next === "function") {
      mock.addFixture({ match: {}, response: (request) => toResponse(next(request, answered++)) });
      return;
    }
    next.forEach((answer, index) => {
      mock.addFixture({
        match: { predicate: () => Math.min(answered, next.length - 1) === index },
        response: () => {
          answered++;
          return toResponse(answer);
        },
        ...(answer.latencyMs === undefined ? {} : { latency: answer.latencyMs }),
        ...(answer.truncateAfterChunks === undefined
          ? {}
          : { truncateAfterChunks: answer.truncateAfterChunks }),
      });
    });
  };
  use(script);
  let stopped: Promise<void> | undefined;
  return {
    baseURL: `${mock.url}/v1`,
    get requests() {
      return mock
        .getRequests()
        .flatMap(({ body }) => (body && "messages" in body ? [body as ChatCompletionRequest] : []));
    },
    script: use,
    stop: () => {
      stopped ??= mock.stop();
      return stopped;
    },
  };
}

function toResponse(answer: ScriptedAnswer) {
  if (answer.error) {
    const { status, retryAfter, ...error } = answer.error;
    return { error, status, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }
  const overrides: ResponseOverrides = {
    ...(answer.usage
      ? {
          usage: {
            prompt_tokens: answer.usage.input,
            completion_tokens: answer.usage.output,
            total_tokens: answer.usage.input + answer.usage.output,
            input_tokens: answer.usage.input,
            output_tokens: answer.usage.output,
          },
        }
      : {}),
    ...(answer.finishReason === undefined ? {} : { finishReason: answer.finishReason }),
  };
  const toolCalls = (answer.toolCalls ?? []).map(({ name, arguments: input, id }) => ({
    name,
    arguments: typeof input === "string" ? input : JSON.stringify(input),
    ...(id === undefined ? {} : { id }),
  }));
  if (toolCalls.length === 0) return { content: answer.text ?? "", ...overrides };
  return { ...(answer.text === undefined ? {} : { content: answer.text }), toolCalls, ...overrides };
}
