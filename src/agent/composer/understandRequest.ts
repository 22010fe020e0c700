import { copilotEventNamed } from "../../hooks/copilotEvents.ts";
import { hookEvents } from "../../hooks/hookEvents.ts";
import { copilotEventName } from "./copilotChange.ts";
import { findDoubts, isOnlyTalk } from "./findDoubts.ts";
import type { HookRequest, HookTarget, HookWish, MissingPart } from "./hookWish.ts";
import { readCommand } from "./readCommand.ts";
import { readDuration } from "./readDuration.ts";
import { readEvent, readTools } from "./readEventAndTools.ts";
import { readDescription, readFlags } from "./readFlags.ts";
import { readTarget, takePlaceholders } from "./readTarget.ts";
import { isEditRequest, understandEdit } from "./understandEdit.ts";
import { toolNames } from "./vocabulary.ts";

const mentionsHook = /\bhooks?\b|钩子/i;
const wantsRemoval =
  /\b(?:delete|remove)\b[^.,;]{0,16}\bhooks?\b|(?:删除|移除|删掉|去掉)[^，。；,]{0,6}钩子/i;
const creates =
  /\b(?:set ?up|create|add|new|make|configure|install|register|write|want|need|give|put)\b|配|新建|新增|添加|创建|加|建|设置|弄|想要|需要/i;

/** Reads a user's message as a request about hooks; everything else is `other`. */
export function understandRequest(message: string): HookRequest {
  const { text, unfilled } = takePlaceholders(message);
  if (isEditRequest(text)) return understandEdit(text, unfilled);
  if (wantsRemoval.test(text)) return { kind: "other" };

  const words = bareNames(text);
  const description = readDescription(words);
  const reading = readCommand(description ? words.replace(description.text, " ") : words);
  const rest = reading?.rest ?? words;
  if (isOnlyTalk(rest)) return { kind: "other" };
  const { wish, isTimeoutUnclear } = readWish(rest, unfilled.size > 0);
  if (reading?.command) wish.command = reading.command;
  if (description) wish.description = description.description;

  const isTemplate = unfilled.size > 0 && mentionsHook.test(text);
  const isAboutHook = mentionsHook.test(rest) && creates.test(rest);
  const isBareWish = wish.event !== undefined && wish.command !== undefined;
  if (!isTemplate && !isAboutHook && !isBareWish) return { kind: "other" };

  const unclear = new Set<MissingPart>(
    findDoubts(rest, wish.event === undefined || matchesTools(wish.event)),
  );
  if (unfilled.has("tools") && wish.matcher === undefined) unclear.add("tools");
  if (isTimeoutUnclear) unclear.add("timeout");
  const target = readTarget(rest);
  if (typeof target === "object") {
    const event = copilotEventName(rest, wish.event);
    if (event) wish.event = event;
  }
  return completeNew(target, wish, unclear);
}

/** Names of events and tools stand in code spans as well; what is left in them is a command. */
function bareNames(text: string): string {
  const names = [...toolNames, "MultiEdit", ...Object.keys(hookEvents)].join("|");
  return text
    .replace(new RegExp(String.raw`\`(\s*(?:${names})(?:\s*[|,]\s*(?:${names}))*\s*)\``, "gi"), "$1")
    .replace(/(\bmatcher\b[\s:=]*(?:is |of |to )?|匹配器?[\s:：]*)`([^`\n]+)`/gi, "$1$2")
    .replace(/(\btime-?out\b[\s:=]*(?:is |of |to )?|超时[\s:：]*)`([^`\n]+)`/gi, "$1$2")
    .replace(/`([^`\n]*(?:settings(?:\.local)?|[\\/]hooks[\\/][\w.-]+)\.json)`/g, "$1");
}

/** States what a new hook still lacks. `unclear`: what the request says in a way that cannot be carried out. */
export function completeNew(
  target: HookTarget | undefined,
  wish: HookWish,
  unclear: ReadonlySet<MissingPart>,
): HookRequest {
  const missing: MissingPart[] = [];
  if (unclear.has("oneHook")) missing.push("oneHook");
  if (unclear.has("condition")) missing.push("condition");
  if (!target) missing.push("target");
  if (!wish.event) missing.push("event");
  if (unclear.has("tools") && (wish.event === undefined || matchesTools(wish.event))) missing.push("tools");
  if (!wish.command) missing.push("command");
  if (unclear.has("timeout")) missing.push("timeout");
  return { kind: "new", ...(target && { target }), wish, missing };
}

export function matchesTools(event: string): boolean {
  const ours = Object.hasOwn(hookEvents, event)
    ? hookEvents[event as keyof typeof hookEvents].matchedOn
    : undefined;
  return (
    (ours?.what ?? copilotEventNamed(event)?.row.matchedOn?.what ?? "").replace("toolName", "tool name") ===
    "tool name"
  );
}

/** Everything but the command and the description, which are already taken out of `text`. */
function readWish(text: string, fromTemplate: boolean): { wish: HookWish; isTimeoutUnclear: boolean } {
  const wish: HookWish = {};
  const duration = readDuration(text);
  if (typeof duration?.seconds === "number") wish.timeoutSeconds = duration.seconds;
  const remaining = duration ? text.replace(duration.text, " ") : text;
  const event = readEvent(remaining);
  if (event) wish.event = event;
  if (event === undefined || matchesTools(event)) {
    const matcher = readTools(withoutTemplateWords(remaining, fromTemplate));
    if (matcher !== undefined) wish.matcher = matcher;
  } else {
    const source = readSource(event, remaining);
    if (source) wish.matcher = source;
  }
  return { wish: { ...wish, ...readFlags(remaining) }, isTimeoutUnclear: duration?.seconds === "unclear" };
}

/** Matchers of events that are held against something else than a tool. */
function readSource(event: string, text: string): string | undefined {
  const values: Readonly<Record<string, readonly [RegExp, string][]>> = {
    SessionStart: [
      [/\bresum\w*|恢复/i, "resume"],
      [/\b(?:clear|清空)\w*/i, "clear"],
      [/\bstart-?up\b|启动(?=时|和|或|、)/i, "startup"],
    ],
    PreCompact: [
      [/\bauto(?:matic(?:ally)?)?\b|自动/i, "auto"],
      [/\bmanual(?:ly)?\b|手动/i, "manual"],
    ],
  };
  const table = values[event === "PostCompact" ? "PreCompact" : event];
  const found = table?.filter(([pattern]) => pattern.test(text)).map(([, value]) => value) ?? [];
  return found.length > 0 ? found.sort().join("|") : undefined;
}

function withoutTemplateWords(text: string, fromTemplate: boolean): string {
  return fromTemplate ? text.replace(/\bset up a\b|\bcreate a\b/gi, " ") : text;
}
