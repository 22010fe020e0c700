import { findDoubts } from "./findDoubts.ts";
import type { HookRequest, HookWish, Language, MissingPart } from "./hookWish.ts";
import { languageOf } from "./hookWish.ts";
import { readAnsweredCommand } from "./readCommand.ts";
import { readDuration } from "./readDuration.ts";
import { readEvent, readMatcher, readTools } from "./readEventAndTools.ts";
import { readFlags } from "./readFlags.ts";
import { readTargetAnswer } from "./readTarget.ts";
import { readChanges } from "./understandEdit.ts";
import { completeNew, matchesTools, understandRequest } from "./understandRequest.ts";

/** Where the conversation stands after the user's last message. */
export interface ConversationState {
  request: HookRequest;
  language: Language;
}

/**
 * Folds the user's messages into the request that is open now: an answer to a question completes the request before it,
 * a new request replaces it.
 */
export function readConversation(messages: readonly string[]): ConversationState {
  let state: ConversationState = { request: { kind: "other" }, language: "en" };
  for (const message of messages) {
    const next = understandRequest(message);
    const open = state.request.kind !== "other" && state.request.missing.length > 0;
    const answered = open && !startsAnew(next) ? answerOrAskAgain(state.request, message, next) : undefined;
    state =
      answered === undefined
        ? { request: next, language: languageOf(message) }
        : { request: answered, language: state.language === "zh" ? "zh" : languageOf(message) };
  }
  return state;
}

/** Takes the request back. */
const cancels =
  /^\W*(?:never ?mind|cancel|forget (?:it|about|that)|abort|quit|stop (?:it|that)|no,? thanks?|nothing|算了|取消|不用了|不要了|不了|没事了|放弃)/i;
/** Longer than this, what is no answer is something else that the user wants. */
const mostOfAnAnswer = 40;

function answerOrAskAgain(request: HookRequest, message: string, next: HookRequest): HookRequest | undefined {
  if (cancels.test(message)) return undefined;
  const answered = answer(request, message);
  if (answered || next.kind !== "other" || message.trim().length > mostOfAnAnswer) return answered;
  return request;
}

/** A message that is a request by itself, and not only an answer that happens to name an event and a command. */
function startsAnew(request: HookRequest): boolean {
  return (
    request.kind === "edit" ||
    (request.kind === "new" && request.target !== undefined && request.wish.event !== undefined)
  );
}

const isOtherWork =
  /^\W*(?:please |now |then )?(?:refactor|fix|write|implement|rename|explain|test|build|review|重构|修复|写|实现|解释|测试)\b/i;

/** The open request with the answer to its first question filled in; undefined where the message is no answer to it. */
function answer(request: HookRequest, message: string): HookRequest | undefined {
  if (request.kind === "other") return undefined;
  if (request.kind === "edit") {
    const changes = isOtherWork.test(message) ? undefined : readChanges(message, request.aim);
    const wish = { ...request.wish, ...changes };
    const file = request.aim.file ?? /(?:[A-Za-z]:\\|\/)[^\n`"]*\.json\b/.exec(message)?.[0];
    const missing: MissingPart[] = [];
    if (Object.keys(wish).length === 0) missing.push("change");
    if (!file) missing.push("file");
    if (missing.length === request.missing.length) return undefined;
    return { kind: "edit", aim: { ...request.aim, ...(file && { file }) }, wish, missing };
  }
  const wish: HookWish = { ...request.wish };
  let target = request.target;
  const unclear = new Set(request.missing);
  switch (request.missing[0]) {
    case "target":
      target = readTargetAnswer(message);
      break;
    case "event": {
      const event = readEvent(message) ?? readSide(message, wish);
      if (event) wish.event = event;
      const tools = event && matchesTools(event) ? readTools(message) : undefined;
      if (tools !== undefined && wish.matcher === undefined) wish.matcher = tools;
      break;
    }
    case "tools": {
      if (findDoubts(message, true).length > 0) break;
      const tools = readMatcher(message);
      if (tools !== undefined) {
        wish.matcher = tools;
        unclear.delete("tools");
      }
      break;
    }
    case "command": {
      const reading = readAnsweredCommand(message);
      if (!reading) break;
      wish.command = reading.command;
      const duration = readDuration(reading.rest);
      if (typeof duration?.seconds === "number") wish.timeoutSeconds = duration.seconds;
      if (duration?.seconds === "unclear") unclear.add("timeout");
      Object.assign(wish, readFlags(reading.rest));
      break;
    }
    case "timeout": {
      const seconds = readTimeoutAnswer(message);
      if (seconds === undefined) break;
      if (seconds !== null) wish.timeoutSeconds = seconds;
      unclear.delete("timeout");
      break;
    }
  }
  const next = completeNew(target, wish, unclear);
  return next.kind === "new" && !sameParts(next.missing, request.missing) ? next : undefined;
}

function sameParts(left: readonly MissingPart[], right: readonly MissingPart[]): boolean {
  return left.join() === right.join();
}

/** "before" or "after" alone, as an answer to the question about the event. */
function readSide(message: string, wish: HookWish): string | undefined {
  if (wish.matcher === undefined) return undefined;
  if (/^\W*(?:before|之?前)/i.test(message)) return "PreToolUse";
  if (/^\W*(?:after|之?后)/i.test(message)) return "PostToolUse";
  return undefined;
}

/** Seconds, `null` for the default; undefined where the answer says neither. */
function readTimeoutAnswer(message: string): number | null | undefined {
  const bare = /^\s*(\d+(?:\.\d+)?)\s*[.。]?\s*$/.exec(message)?.[1];
  if (bare !== undefined) return Number(bare) > 0 ? Number(bare) : undefined;
  const seconds = readDuration(message)?.seconds;
  if (seconds !== undefined) return seconds === "unclear" ? undefined : seconds;
  return /^\W*(?:no|none|default)\b|默认|不设|不限|无/i.test(message) ? null : undefined;
}
