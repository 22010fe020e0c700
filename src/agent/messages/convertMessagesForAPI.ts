import type {
  LanguageModelV3Message,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import { isRecord } from "../../protocol/validate.ts";
import type {
  Block,
  Message,
  ProviderMetadata,
  ReasoningPart,
  TaskNotificationBlock,
  ToolBlock,
} from "./message.ts";
import { wellFormed, wellFormedJson } from "./wellFormed.ts";

const converted = new WeakMap<Message, readonly LanguageModelV3Message[]>();
const startsRequest = new WeakMap<Message, boolean>();

/**
 * The conversation as a model request (LanguageModelV3Prompt, which is also an array of the AI SDK's ModelMessage).
 * Notices never get in (V5, H25.5); isMeta messages do. Everything before the last compact block stays out. Each tool call is
 * followed by its result; a call without one, because the process ended meanwhile, is answered with an error.
 * Messages are never changed in place, so each is converted once.
 */
export function convertMessagesForAPI(messages: readonly Message[]): LanguageModelV3Message[] {
  const prompt: LanguageModelV3Message[] = [];
  for (let index = requestStart(messages); index < messages.length; index++) {
    const message = messages[index];
    if (!message) continue;
    let parts = converted.get(message);
    if (!parts) {
      parts = convert(message);
      converted.set(message, parts);
    }
    for (const part of parts) prompt.push(part);
  }
  return prompt;
}

/** Index of the message with the last compact block, or 0: what the model still sees begins here. */
export function requestStart(messages: readonly Message[]): number {
  for (let index = messages.length - 1; index > 0; index--) {
    const message = messages[index];
    if (!message) continue;
    let starts = startsRequest.get(message);
    if (starts === undefined) {
      starts = message.blocks.some((block) => block.type === "compact");
      startsRequest.set(message, starts);
    }
    if (starts) return index;
  }
  return 0;
}

function convert(message: Message): LanguageModelV3Message[] {
  return message.role === "user" ? convertUser(message) : convertAssistant(message);
}

function convertUser(message: Message): LanguageModelV3Message[] {
  const content = message.blocks.flatMap(userText).map(textPart);
  return content.length > 0 ? [{ role: "user", content }] : [];
}

function userText(block: Block): string[] {
  switch (block.type) {
    case "text":
      return block.content === "" ? [] : [block.content];
    case "compact":
      return [compactText(block.content)];
    case "task_notification":
      return [taskNotificationText(block)];
    default:
      return [];
  }
}

function convertAssistant(message: Message): LanguageModelV3Message[] {
  const tools = message.blocks.filter((block) => block.type === "tool");
  const content = message.blocks.flatMap(
    (block): (LanguageModelV3TextPart | LanguageModelV3ToolCallPart)[] => {
      // Services refuse blank text in an answer.
      if (block.type === "text") return block.content.trim() === "" ? [] : [textPart(block.content)];
      return block.type === "tool" ? [toolCall(block)] : [];
    },
  );
  const prompt: LanguageModelV3Message[] = message.blocks.flatMap((block) =>
    block.type === "compact"
      ? [{ role: "user" as const, content: [textPart(compactText(block.content))] }]
      : [],
  );
  if (content.length > 0) {
    const reasoning = (message.reasoning ?? []).map(reasoningPart);
    prompt.push({ role: "assistant", content: [...reasoning, ...content] });
  }
  if (tools.length > 0) prompt.push({ role: "tool", content: tools.map(toolResult) });
  return prompt;
}

function textPart(text: string): LanguageModelV3TextPart {
  return { type: "text", text: wellFormed(text) };
}

function reasoningPart(part: ReasoningPart) {
  return { type: "reasoning" as const, text: part.text, ...providerOptions(part.providerMetadata) };
}

function toolCall(block: ToolBlock): LanguageModelV3ToolCallPart {
  return {
    type: "tool-call",
    toolCallId: block.id,
    toolName: block.name,
    // Services take objects alone: arguments that could not be read go back in a wrapper, so that the model sees its mistake.
    input: isRecord(block.parameters)
      ? wellFormedJson(block.parameters)
      : { unreadable_arguments: String(block.parameters ?? "") },
    ...providerOptions(block.providerMetadata),
  };
}

function toolResult(block: ToolBlock): LanguageModelV3ToolResultPart {
  return { type: "tool-result", toolCallId: block.id, toolName: block.name, output: toolOutput(block) };
}

function toolOutput(block: ToolBlock): LanguageModelV3ToolResultPart["output"] {
  if (block.stage === "running") {
    return {
      type: "error-text",
      value: "The tool call was interrupted before it ended. It may have run in part.",
    };
  }
  if (block.success) return { type: "text", value: wellFormed(block.result) };
  return {
    type: "error-text",
    value: wellFormed(block.error || block.result || "The tool failed without a message."),
  };
}

function providerOptions(metadata: ProviderMetadata | undefined): {
  providerOptions?: SharedV3ProviderOptions;
} {
  return metadata ? { providerOptions: metadata as SharedV3ProviderOptions } : {};
}

/** How a summary stands at the head of a request. */
function compactText(summary: string): string {
  return (
    "This session continues an earlier conversation that was compacted to save room. " +
    `What happened so far, in summary:\n\n${summary}\n\n` +
    "Go on from here with what was last asked, without asking the user to repeat anything."
  );
}

function taskNotificationText(block: TaskNotificationBlock): string {
  const fields: [string, string | undefined][] = [
    ["task-id", block.taskId],
    ["task-type", block.taskType],
    ["status", block.status],
    ["summary", block.summary],
    ["output-file", block.outputFile],
    ["output", block.content],
  ];
  const lines = fields.flatMap(([tag, value]) => (value ? [`<${tag}>${neutralised(value)}</${tag}>`] : []));
  return `<task-notification>\n${lines.join("\n")}\n</task-notification>`;
}

/** Output of a task is data: it must not be able to close the element that holds it or open a reminder of its own. */
function neutralised(text: string): string {
  return text.replace(/<(?=\/?(?:task-|status|summary|output|system-reminder))/gi, "&lt;");
}
