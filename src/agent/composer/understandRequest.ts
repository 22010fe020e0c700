import { hookEvents } from "../../hooks/hookEvents.ts";
import type { HookRequest, HookTarget, HookWish, MissingPart } from "./hookWish.ts";
import { readCommand } from "./readCommand.ts";
import { readDuration } from "./readDuration.ts";
import { readEvent, readTools } from "./readEventAndTools.ts";
import { readDescription, readFlags } from "./readFlags.ts";
import { readTarget, takePlaceholders } from "./readTarget.ts";
import { isEditRequest, understandEdit } from "./understandEdit.ts";

const mentionsHook = /\bhooks?\b|钩子/i;
const asksAboutHooks =
  /^\s*(?:what|how|why|which|who|where|explain|tell me|list|show|describe|do |does |is |are |can )\b|(?:什么|怎么|为什么|如何|哪些|解释|列出|介绍)/i;
const wantsRemoval =
  /\b(?:delete|remove)\b[^.,;]{0,16}\bhooks?\b|(?:删除|移除|删掉|去掉)[^，。；,]{0,6}钩子/i;
const creates =
  /\b(?:set ?up|create|add|new|make|configure|install|register|write|want|need|give|put)\b|配|新建|新增|添加|创建|加|建|设置|弄|想要|需要/i;

/** Reads a user's message as a request about hooks; everything else is `other`. */
export function understandRequest(message: string): HookRequest {
  const { text, unfilled } = takePlaceholders(message);
  if (isEditRequest(text)) return understandEdit(text, unfilled);
  if (wantsRemoval.test(text)) return { kind: "other" };

  const description = readDescription(text);
  const reading = readCommand(description ? text.replace(description.text, " ") : text);
  const rest = reading?.rest ?? text;
  const wish = readWish(rest, unfilled.size > 0);
  if (reading?.command) wish.command = reading.command;
  if (description) wish.description = description.description;

  const isTemplate = unfilled.size > 0 && mentionsHook.test(text);
  const isAboutHook = mentionsHook.test(rest) && creates.test(rest) && !asksAboutHooks.test(rest);
  const isBareWish = wish.event !== undefined && wish.command !== undefined;
  if (!isTemplate && !isAboutHook && !isBareWish) return { kind: "other" };

  const target = readTarget(rest);
  return completeNew(target, wish, unfilled.has("tools") && wish.matcher === undefined);
}

/** States what a new hook still lacks. `toolsUnclear`: the prompt's place for the tools was left as it was. */
export function completeNew(
  target: HookTarget | undefined,
  wish: HookWish,
  toolsUnclear: boolean,
): HookRequest {
  const missing: MissingPart[] = [];
  if (!target) missing.push("target");
  if (!wish.event) missing.push("event");
  if (toolsUnclear && (wish.event === undefined || matchesTools(wish.event))) missing.push("tools");
  if (!wish.command) missing.push("command");
  return { kind: "new", ...(target && { target }), wish, missing };
}

export function matchesTools(event: string): boolean {
  return (
    Object.hasOwn(hookEvents, event) &&
    hookEvents[event as keyof typeof hookEvents].matchedOn?.what === "tool name"
  );
}

/** Everything but the command and the description, which are already taken out of `text`. */
function readWish(text: string, fromTemplate: boolean): HookWish {
  const wish: HookWish = {};
  const duration = readDuration(text);
  if (duration && duration.seconds !== null) wish.timeoutSeconds = duration.seconds;
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
  return { ...wish, ...readFlags(remaining) };
}

/** Matchers of events that are held against something else than a tool. */
function readSource(event: string, text: string): string | undefined {
  const values: Readonly<Record<string, readonly [RegExp, string][]>> = {
    SessionStart: [
      [/\bresum\w*|恢复/i, "resume"],
      [/\b(?:clear|清空)\w*/i, "clear"],
      [/\bstart-?up\b|启动时/i, "startup"],
    ],
    PreCompact: [
      [/\bauto(?:matic(?:ally)?)?\b|自动/i, "auto"],
      [/\bmanual(?:ly)?\b|手动/i, "manual"],
    ],
  };
  const table = values[event === "PostCompact" ? "PreCompact" : event];
  return table?.find(([pattern]) => pattern.test(text))?.[1];
}

function withoutTemplateWords(text: string, fromTemplate: boolean): string {
  return fromTemplate ? text.replace(/\bset up a\b|\bcreate a\b/gi, " ") : text;
}
