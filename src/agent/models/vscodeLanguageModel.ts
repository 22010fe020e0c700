import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolResultPart,
  LanguageModelV3Usage,
} from "@ai-sdk/provider";
import { isRecord } from "../../protocol/validate.ts";
import { wellFormed } from "../messages/wellFormed.ts";

/** vscode.LanguageModelChat, as far as it is used. */
export interface VscodeChatModel {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly maxInputTokens: number;
  sendRequest(
    messages: never[],
    options: {
      justification?: string;
      tools?: { name: string; description: string; inputSchema?: object }[];
    },
    token: never,
  ): PromiseLike<{ readonly stream: AsyncIterable<unknown> }>;
}

/** The classes of the vscode module: handed in, since only the extension may import it. */
export interface VscodeChatClasses {
  readonly LanguageModelChatMessage: {
    User(content: never[]): object;
    Assistant(content: never[]): object;
  };
  readonly LanguageModelTextPart: new (value: string) => { value: string };
  readonly LanguageModelToolCallPart: new (
    callId: string,
    name: string,
    input: object,
  ) => { callId: string; name: string; input: object };
  readonly LanguageModelToolResultPart: new (callId: string, content: unknown[]) => object;
  readonly CancellationTokenSource: new () => { readonly token: object; cancel(): void; dispose(): void };
}

/**
 * A model of `vscode.lm` as an AI SDK model object. What vscode.lm lacks is made up for: no system role (the text goes in front
 * of the first user message), tool results stand in user messages, no usage (undefined: whoever compacts must estimate), and
 * lone surrogates, which make it fail, are replaced.
 */
export function vscodeLanguageModel(
  chat: VscodeChatModel,
  classes: VscodeChatClasses,
  justification?: string,
): LanguageModelV3 {
  return {
    specificationVersion: "v3",
    provider: `vscode.${chat.vendor}`,
    modelId: chat.id,
    supportedUrls: {},
    async doStream(options) {
      return { stream: streamOf(chat, classes, options, justification) };
    },
    async doGenerate(options) {
      return collected(streamOf(chat, classes, options, justification));
    },
  };
}

const noUsage: LanguageModelV3Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function streamOf(
  chat: VscodeChatModel,
  classes: VscodeChatClasses,
  options: LanguageModelV3CallOptions,
  justification: string | undefined,
): ReadableStream<LanguageModelV3StreamPart> {
  const source = new classes.CancellationTokenSource();
  const cancel = () => source.cancel();
  return new ReadableStream<LanguageModelV3StreamPart>({
    async start(controller) {
      if (options.abortSignal?.aborted) cancel();
      options.abortSignal?.addEventListener("abort", cancel, { once: true });
      try {
        controller.enqueue({ type: "stream-start", warnings: [] });
        const messages = toVscodeMessages(options.prompt, classes);
        const request = { ...toolsOf(options), ...(justification === undefined ? {} : { justification }) };
        const response = await chat.sendRequest(messages as never[], request, source.token as never);
        const parts = new PartTranslator(classes);
        for await (const part of response.stream)
          for (const each of parts.translate(part)) controller.enqueue(each);
        for (const each of parts.end()) controller.enqueue(each);
      } catch (error) {
        controller.enqueue({ type: "error", error });
      } finally {
        options.abortSignal?.removeEventListener("abort", cancel);
        source.dispose();
        controller.close();
      }
    },
    cancel,
  });
}

function toolsOf(options: LanguageModelV3CallOptions) {
  const tools = (options.tools ?? []).flatMap((tool) => {
    if (tool.type !== "function") return [];
    // Providers refuse the key that schema generators put in.
    const { $schema: _, ...inputSchema } = tool.inputSchema as Record<string, unknown>;
    return [{ name: tool.name, description: tool.description ?? "", inputSchema }];
  });
  return tools.length > 0 ? { tools } : {};
}

class PartTranslator {
  private textId: string | undefined;
  private texts = 0;
  private hasCalls = false;

  constructor(private readonly classes: VscodeChatClasses) {}

  /** Parts of kinds that this does not know (data, thinking) are passed over. */
  *translate(part: unknown): Generator<LanguageModelV3StreamPart> {
    if (part instanceof this.classes.LanguageModelTextPart) {
      if (this.textId === undefined) {
        this.textId = `text-${this.texts++}`;
        yield { type: "text-start", id: this.textId };
      }
      yield { type: "text-delta", id: this.textId, delta: part.value };
    } else if (part instanceof this.classes.LanguageModelToolCallPart) {
      yield* this.endText();
      this.hasCalls = true;
      const input = JSON.stringify(part.input ?? {});
      yield { type: "tool-input-start", id: part.callId, toolName: part.name };
      yield { type: "tool-input-delta", id: part.callId, delta: input };
      yield { type: "tool-input-end", id: part.callId };
      yield { type: "tool-call", toolCallId: part.callId, toolName: part.name, input };
    }
  }

  *end(): Generator<LanguageModelV3StreamPart> {
    yield* this.endText();
    const unified = this.hasCalls ? ("tool-calls" as const) : ("stop" as const);
    yield { type: "finish", finishReason: { unified, raw: undefined }, usage: noUsage };
  }

  private *endText(): Generator<LanguageModelV3StreamPart> {
    if (this.textId !== undefined) yield { type: "text-end", id: this.textId };
    this.textId = undefined;
  }
}

/** Neighbours of one role become one message: providers differ in whether they take two in a row. */
function toVscodeMessages(prompt: readonly LanguageModelV3Message[], classes: VscodeChatClasses): object[] {
  const groups: { role: "user" | "assistant"; parts: object[] }[] = [];
  const add = (role: "user" | "assistant", parts: readonly object[]): void => {
    if (parts.length === 0) return;
    const last = groups.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else groups.push({ role, parts: [...parts] });
  };
  for (const message of prompt) {
    switch (message.role) {
      case "system":
        add("user", textParts([message.content], classes));
        break;
      case "user":
        add(
          "user",
          textParts(
            message.content.map((part) => (part.type === "text" ? part.text : "")),
            classes,
          ),
        );
        break;
      case "assistant":
        add(
          "assistant",
          message.content.flatMap((part) => assistantParts(part, classes)),
        );
        break;
      case "tool":
        add(
          "user",
          message.content.flatMap((part) => (part.type === "tool-result" ? [resultPart(part, classes)] : [])),
        );
        break;
    }
  }
  return groups.map(({ role, parts }) =>
    role === "user"
      ? classes.LanguageModelChatMessage.User(parts as never[])
      : classes.LanguageModelChatMessage.Assistant(parts as never[]),
  );
}

type AssistantPart = Extract<LanguageModelV3Message, { role: "assistant" }>["content"][number];

function assistantParts(part: AssistantPart, classes: VscodeChatClasses): object[] {
  if (part.type === "text") return textParts([part.text], classes);
  if (part.type !== "tool-call") return [];
  const input = isRecord(part.input) ? part.input : {};
  return [new classes.LanguageModelToolCallPart(part.toolCallId, part.toolName, input)];
}

function resultPart(part: LanguageModelV3ToolResultPart, classes: VscodeChatClasses): object {
  const { output } = part;
  const text =
    output.type === "text" || output.type === "error-text"
      ? output.value
      : JSON.stringify("value" in output ? output.value : output);
  return new classes.LanguageModelToolResultPart(part.toolCallId, [
    new classes.LanguageModelTextPart(wellFormed(text)),
  ]);
}

function textParts(texts: readonly string[], classes: VscodeChatClasses): object[] {
  return texts.flatMap((text) => (text === "" ? [] : [new classes.LanguageModelTextPart(wellFormed(text))]));
}

async function collected(
  stream: ReadableStream<LanguageModelV3StreamPart>,
): Promise<LanguageModelV3GenerateResult> {
  const content: LanguageModelV3GenerateResult["content"] = [];
  let text = "";
  let finishReason: LanguageModelV3GenerateResult["finishReason"] = { unified: "other", raw: undefined };
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (value.type === "error") throw value.error;
    if (value.type === "text-delta") text += value.delta;
    if (value.type === "tool-call") content.push(value);
    if (value.type === "finish") finishReason = value.finishReason;
  }
  if (text !== "") content.unshift({ type: "text", text });
  return { content, finishReason, usage: noUsage, warnings: [] };
}
