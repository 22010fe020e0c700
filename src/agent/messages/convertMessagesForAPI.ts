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

/** What the last conversion of an array of messages came to, so that the next one begins where they differ. */
interface Conversion {
  messages: Message[];
  /** Index in `prompt` at which each message's parts begin. */
  positions: number[];
  prompt: LanguageModelV3Message[];
}

const conversions = new WeakMap<readonly Message[], Conversion>();

/**
 * The conversation as a model request (LanguageModelV3Prompt, which is also an array of the AI SDK's ModelMessage).
 * Notices never get in (V5, H25.5); isMeta messages do. Everything before the last compact block stays out. Each tool call is
 * followed by its result; a call without one, because the process ended meanwhile, is answered with an error.
 * Messages are never changed in place: in an array that was converted before, what is the same is not converted again.
 */
export function convertMessagesForAPI(messages: readonly Message[]): LanguageModelV3Message[] {
  const start = requestStart(messages);
  const last = conversions.get(messages) ?? { messages: [], positions: [], prompt: [] };
  const length = messages.length - start;
  let same = 0;
  while (same < length && same < last.messages.length && last.messages[same] === messages[start + same])
    same++;
  if (same < last.messages.length) {
    last.prompt.length = last.positions[same] ?? 0;
    last.messages.length = same;
    last.positions.length = same;
  }
  for (let index = start + same; index < messages.length; index++) {
    const message = messages[index];
    if (!message) continue;
    last.messages.push(message);
    last.positions.push(last.prompt.length);
    last.prompt.push(...convert(message));
  }
  conversions.set(messages, last);
  return last.prompt.slice();
}

/** Index of the message with the last compact block, or 0: what the model still sees begins here. */
export function requestStart(messages: readonly Message[]): number {
  for (let index = messages.length - 1; index > 0; index--) {
    // Compaction makes the message; a notice may stand behind the block, never before it.
    if (messages[index]?.blocks[0]?.type === "compact") return index;
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
