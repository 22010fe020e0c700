import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from "@ai-sdk/provider";
import { type ComposerStep, composeStep } from "./composeStep.ts";

export interface ComposerOptions {
  /** The user's home folder: `~/.wave/settings.json` stands below it. */
  home: string;
  /** Where the project's settings stand: the directory of the current session. */
  workdir: () => string;
}

/**
 * The built-in composer as a language model: no network and no model behind it (design.md section 7). It reads requests
 * for new and changed hooks and carries them out through the tools that it is offered, so that permission
 * questions and hooks meet it like any other model.
 */
export function createComposerModel(options: ComposerOptions): LanguageModelV3 {
  const answer = (call: LanguageModelV3CallOptions): LanguageModelV3Content[] =>
    contentOf(composeStep(call, { home: options.home, workdir: options.workdir() }), call);
  return {
    specificationVersion: "v3",
    provider: "wave-hooks",
    modelId: "composer",
    supportedUrls: {},
    async doGenerate(call): Promise<LanguageModelV3GenerateResult> {
      const content = answer(call);
      return { content, finishReason: finishReasonOf(content), usage: noUsage, warnings: [] };
    },
    async doStream(call) {
      const content = answer(call);
      return {
        stream: ReadableStream.from<LanguageModelV3StreamPart>(
          streamParts(content),
        ) as ReadableStream<LanguageModelV3StreamPart>,
      };
    },
  };
}

const noUsage: LanguageModelV3Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function contentOf(step: ComposerStep, call: LanguageModelV3CallOptions): LanguageModelV3Content[] {
  const content: LanguageModelV3Content[] = [{ type: "text", text: step.text }];
  if (step.call) {
    // a conversation may hold earlier calls of ours: its length keeps the ids apart
    const toolCallId = `composer-${call.prompt.length}-${step.call.tool.toLowerCase()}`;
    content.push({
      type: "tool-call",
      toolCallId,
      toolName: step.call.tool,
      input: JSON.stringify(step.call.input),
    });
  }
  return content;
}

function finishReasonOf(content: readonly LanguageModelV3Content[]): LanguageModelV3FinishReason {
  return {
    unified: content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop",
    raw: undefined,
  };
}

function* streamParts(content: readonly LanguageModelV3Content[]): Generator<LanguageModelV3StreamPart> {
  yield { type: "stream-start", warnings: [] };
  for (const part of content) {
    if (part.type === "text") {
      yield { type: "text-start", id: "text" };
      yield { type: "text-delta", id: "text", delta: part.text };
      yield { type: "text-end", id: "text" };
    } else if (part.type === "tool-call") {
      yield part;
    }
  }
  yield { type: "finish", usage: noUsage, finishReason: finishReasonOf(content) };
}
