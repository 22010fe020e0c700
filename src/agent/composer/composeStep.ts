import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultOutput,
} from "@ai-sdk/provider";
import { readConversation } from "./conversation.ts";
import { addCopilotHook, editCopilotHook, isCopilotFile } from "./copilotChange.ts";
import type { HookRequest, Language } from "./hookWish.ts";
import { textOfReadResult } from "./readResult.ts";
import { matcherFor, type Replies, repliesIn, showHook } from "./replies.ts";
import { addHook, editHook, hookObject, type SettingsChange } from "./settingsChange.ts";
import { smallestEdit } from "./smallestEdit.ts";
import { type ComposerPlaces, labelOf, targetFile } from "./targetFile.ts";
import { understandRequest } from "./understandRequest.ts";

/** One answer of the composer: a text, and a tool call where there is more to do. */
export interface ComposerStep {
  text: string;
  call?: { tool: "Read" | "Edit" | "Write"; input: Record<string, unknown> };
}

interface ToolResult {
  tool: string;
  text: string;
  failed: boolean;
}

/** The most that the Read tool shows in one answer. */
const mostLines = 10_000;
/** A file that changes between reading and editing is read again, but not for ever. */
const mostReads = 3;

/** Decides the next step from the conversation alone: what was asked, and what the tools have said since. */
export function composeStep(call: LanguageModelV3CallOptions, places: ComposerPlaces): ComposerStep {
  const { requests, results, last } = readPrompt(call.prompt);
  const { request, language } = readConversation(requests);
  const replies = repliesIn(language);
  if (!call.tools || call.tools.length === 0) return { text: replies.summary(requests) };
  if (request.kind === "other" || last === "note") return { text: replies.decline };
  const project = places.workdir.split(/[\\/]/).filter(Boolean).at(-1) ?? places.workdir;
  const missing = request.missing[0];
  if (missing) return { text: replies.question(missing, request.wish, project) };
  const file =
    request.kind === "edit" ? (request.aim.file ?? "") : targetFile(request.target ?? "project", places);
  return carryOut(request, { file, label: labelOf(file, places), results, replies, language });
}

interface Progress {
  file: string;
  label: string;
  results: readonly ToolResult[];
  replies: Replies;
  language: Language;
}

function carryOut(
  request: Exclude<HookRequest, { kind: "other" }>,
  { file, label, results, replies }: Progress,
): ComposerStep {
  const read = (): ComposerStep => ({
    text: replies.reading(label),
    call: { tool: "Read", input: { file_path: file, limit: mostLines } },
  });
  const latest = results.at(-1);
  if (!latest) return read();

  if (latest.tool === "Read") {
    if (latest.failed && !(request.kind === "new" && isMissing(latest.text)))
      return { text: replies.readFailed(label, latest.text) };
    const before = latest.failed ? "" : textOfReadResult(latest.text);
    if (before === undefined) return { text: replies.problem({ code: "notShownWhole" }, label) };
    const change = changeOf(request, before);
    if (!change.ok) return { text: replies.problem(change.problem, label) };
    return { text: replies.changing(label), call: callFor(file, before, change.text) };
  }

  if (latest.failed) {
    if (!isStale(latest.text)) return { text: replies.changeFailed(label, latest.text) };
    return results.filter(({ tool }) => tool === "Read").length < mostReads
      ? read()
      : { text: replies.gaveUp(label) };
  }
  const seen = results.filter(({ tool, failed }) => tool === "Read" && !failed).at(-1);
  const change = changeOf(request, (seen && textOfReadResult(seen.text)) ?? "");
  if (!change.ok) return { text: replies.problem(change.problem, label) };
  const shown = showHook(change.event, change.matcher, change.hook);
  return {
    text: request.kind === "new" ? replies.added(label, shown, change.event) : replies.edited(label, shown),
  };
}

function changeOf(request: Exclude<HookRequest, { kind: "other" }>, text: string): SettingsChange {
  const { wish } = request;
  if (request.kind === "edit") {
    const edit = isCopilotFile(request.aim.file ?? "") ? editCopilotHook : editHook;
    return edit(text, request.aim, wish);
  }
  const event = wish.event ?? "";
  if (typeof request.target === "object") return addCopilotHook(text, event, wish);
  return addHook(text, event, matcherFor(event, request.wish), hookObject(request.wish));
}

function callFor(file: string, before: string, after: string): NonNullable<ComposerStep["call"]> {
  const edit = before.trim() === "" ? undefined : smallestEdit(before, after);
  return edit
    ? { tool: "Edit", input: { file_path: file, old_string: edit.oldString, new_string: edit.newString } }
    : { tool: "Write", input: { file_path: file, content: after } };
}

function isMissing(text: string): boolean {
  return /does not exist|no such file|not found|ENOENT/i.test(text);
}

function isStale(text: string): boolean {
  return /(?:changed|modified) since|has not been read|read it (?:first|again)/i.test(text);
}

/** The user's own messages, the tool results since the last of them, and whether that last one was only a note of a hook or task. */
function readPrompt(prompt: LanguageModelV3Prompt): {
  requests: string[];
  results: ToolResult[];
  last: "request" | "note";
} {
  const requests: string[] = [];
  let results: ToolResult[] = [];
  let last: "request" | "note" = "request";
  let afterTool = false;
  let isAnswered = true;
  for (const message of prompt) {
    if (message.role === "user") {
      const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      if (afterTool || isNote(text)) {
        if (!afterTool && isAnswered) last = "note";
        continue;
      }
      // What UserPromptSubmit hooks print stands behind the request, as it is: only a request of its own replaces that.
      if (!isAnswered && understandRequest(text).kind === "other") continue;
      requests.push(text);
      results = [];
      last = "request";
      isAnswered = false;
    } else if (message.role === "tool") {
      for (const part of message.content) {
        if (part.type === "tool-result") results.push(readResult(part.toolName, part.output));
      }
    }
    if (message.role === "assistant") isAnswered = true;
    afterTool = message.role === "tool" ? true : message.role === "assistant" ? false : afterTool;
  }
  return { requests, results, last };
}

/** Messages for the model that no person wrote: injected context, hook feedback, task notifications. */
function isNote(text: string): boolean {
  return /^\s*(?:<(?:system-reminder|task-notification)\b|(?:PreToolUse|PostToolUse):\S+ hook )/.test(text);
}

function readResult(tool: string, output: LanguageModelV3ToolResultOutput): ToolResult {
  switch (output.type) {
    case "text":
      return { tool, text: output.value, failed: false };
    case "error-text":
      return { tool, text: output.value, failed: true };
    case "execution-denied":
      return { tool, text: output.reason ?? "", failed: true };
    case "content":
      return {
        tool,
        text: output.value.map((part) => (part.type === "text" ? part.text : "")).join(""),
        failed: false,
      };
    default:
      return { tool, text: JSON.stringify(output.value), failed: output.type === "error-json" };
  }
}
