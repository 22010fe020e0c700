import { formatString } from "../../src/protocol/strings.ts";
import type { ChatData } from "./chatStore.ts";
import { texts } from "./texts.ts";

/** What a screen reader should hear of a change: a question, a notice, the end of a turn. Not each word of a stream. */
export function announcementFor(before: ChatData, after: ChatData): string | undefined {
  if (!before.state || !after.state || before.state.sessionId !== after.state.sessionId) return undefined;
  const asked = new Set(before.state.questions.map(({ id }) => id));
  const question = after.state.questions.find(({ id }) => !asked.has(id));
  if (question)
    return formatString(texts.questionAnnounce, question.toolName, question.summary.slice(0, 200));
  const notice = newNotice(before, after);
  if (notice) return notice;
  if (before.state.status.state === "running" && after.state.status.state === "idle") return texts.turnEnded;
  return undefined;
}

function newNotice(before: ChatData, after: ChatData): string | undefined {
  const message = after.messages.at(-1);
  const block = message?.blocks.at(-1);
  if (!message || block?.type !== "notice") return undefined;
  const known = before.messages.findLast(({ id }) => id === message.id);
  return known && known.blocks.length >= message.blocks.length ? undefined : block.content;
}
