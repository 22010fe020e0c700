import type { HookAnswer, HookDialect, HookRunEffects } from "./hookDialect.ts";
import type { HookEvent } from "./hookEvent.ts";
import type { HookBlock, HookEventResult, HookNotice, HookRunRecord } from "./hookResult.ts";

/** What an event without a matching hook gives. */
export const nothingMatched: HookEventResult = Object.freeze({
  modelMessages: [],
  notices: [],
  matched: false,
  records: [],
});

/**
 * Makes one result of all runs, in definition order: the first block decides, the first feedback is told (H16.5), the most
 * restrictive permission wins, of every other answer the last one; all context and all reports stay (E3).
 */
export function mergeEffects(
  event: HookEvent,
  runs: readonly HookRunEffects[],
  dialects: readonly HookDialect[],
  records: readonly HookRunRecord[],
): HookEventResult {
  const messages: string[] = [];
  const guidance: { heading: string; text: string }[] = [];
  const notices: HookNotice[] = [];
  let answer: HookAnswer = {};
  let block: HookBlock | undefined;
  let hasFeedback = false;
  let discardsContext = false;
  for (const { hook, effects } of runs) {
    const { verdict } = effects;
    if (verdict?.kind === "block" && block === undefined) {
      block = { text: verdict.text, hook: hook.provenance };
      discardsContext = effects.discardsContext ?? false;
    }
    if (verdict?.kind === "feedback" && !hasFeedback) {
      messages.push(verdict.text);
      hasFeedback = true;
    }
    messages.push(...effects.context);
    if (effects.guidance !== undefined) guidance.push(effects.guidance);
    notices.push(...effects.notices);
    if (effects.answer !== undefined) answer = mergeAnswers(answer, effects.answer);
  }
  const conclusion = block === undefined ? conclude(event, runs, dialects) : undefined;
  block ??= conclusion;
  return {
    ...(block === undefined ? {} : { block }),
    ...answer,
    modelMessages: discardsContext ? [] : [...messages, ...underHeadings(guidance)],
    // Where nothing worked, the block lists the failures; they are not shown twice.
    notices:
      conclusion === undefined ? notices : notices.filter(({ text }) => !conclusion.text.includes(text)),
    matched: true,
    records,
  };
}

function conclude(
  event: HookEvent,
  runs: readonly HookRunEffects[],
  dialects: readonly HookDialect[],
): HookBlock | undefined {
  for (const dialect of dialects) {
    const own = runs.filter(({ hook }) => hook.provenance.dialect === dialect.name);
    const block = own.length > 0 ? dialect.conclude?.(event, own) : undefined;
    if (block !== undefined) return block;
  }
  return undefined;
}

const restrictiveness = { allow: 0, ask: 1, deny: 2 } as const;

function mergeAnswers(first: HookAnswer, second: HookAnswer): HookAnswer {
  const merged = { ...first, ...second };
  if (first.permission !== undefined && second.permission !== undefined) {
    merged.permission =
      restrictiveness[second.permission.decision] > restrictiveness[first.permission.decision]
        ? second.permission
        : first.permission;
  }
  if (first.compactInstructions !== undefined && second.compactInstructions !== undefined) {
    merged.compactInstructions = `${first.compactInstructions}\n${second.compactInstructions}`;
  }
  if (first.toolResultAddendum !== undefined && second.toolResultAddendum !== undefined) {
    merged.toolResultAddendum = joinUnderHeading(first.toolResultAddendum, second.toolResultAddendum);
  }
  return merged;
}

function underHeadings(guidance: readonly { heading: string; text: string }[]): string[] {
  const messages = new Map<string, string>();
  for (const { heading, text } of guidance) {
    const message = messages.get(heading);
    messages.set(heading, message === undefined ? `${heading}\n${text}` : `${message}\n\n${text}`);
  }
  return [...messages.values()];
}

/** The heading is the first line of both. */
function joinUnderHeading(first: string, second: string): string {
  const heading = first.split("\n", 1)[0] ?? "";
  return `${first}\n\n${second.startsWith(`${heading}\n`) ? second.slice(heading.length + 1) : second}`;
}
