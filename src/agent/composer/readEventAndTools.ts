import { hookEvents } from "../../hooks/hookEvents.ts";
import { afterWords, beforeWords, eventPhrases, toolNames, toolPhrases } from "./vocabulary.ts";

const eventNames = Object.entries(hookEvents)
  .filter(([, row]) => row.wave !== undefined)
  .map(([name]) => name);
const nameBoundary = (name: string, flags: string): RegExp =>
  new RegExp(`(?<![\\w-])${name}(?![\\w-])`, flags);

/** The names of events in a text, in the order in which they stand. */
export function eventNamesIn(text: string): string[] {
  return eventNames
    .map((name) => ({ name, at: text.search(nameBoundary(name, name === "Stop" ? "" : "i")) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
}

/** The event that a request names or describes; undefined where it does neither, or is not clear about before and after. */
export function readEvent(text: string): string | undefined {
  const named = eventNamesIn(text)[0];
  if (named) return named;
  const described = eventPhrases.find(({ pattern }) => pattern.test(text));
  if (described) return described.means;
  if (readTools(text) !== undefined || /\btools?\b|工具/i.test(text)) {
    if (beforeWords.test(text)) return "PreToolUse";
    if (afterWords.test(text)) return "PostToolUse";
  }
  return undefined;
}

/** The matcher that a request names or describes; `null` for every tool, undefined where it says nothing. */
export function readTools(text: string): string | null | undefined {
  const explicit = /\bmatcher\b\s*(?:is|to|of|[:=：])?\s*([A-Za-z_*^][\w*|.^$()-]*)/i.exec(text)?.[1];
  if (explicit && explicit !== "*") return explicit;
  const words = text.replace(/PreToolUse|PostToolUse|PermissionRequest/gi, " ");
  const names = readToolNames(words);
  if (names.length > 0) return names.join("|");
  if (explicit === "*" || /(?<![\w*(])\*(?![\w*./])/.test(words)) return null;
  return toolPhrases.find(({ pattern }) => pattern.test(words))?.means;
}

/** A matcher given as such: names, a pattern, or a description; `null` for every tool, undefined where it is none of these. */
export function readMatcher(text: string): string | null | undefined {
  const bare = text.trim().replace(/^(["'`“「])(.*)["'`”」]$/s, "$2");
  const token = /^[^\s,，。;；]+/.exec(bare)?.[0] ?? "";
  if (/^(?:(?:everything|anything|all|any|every(?: tools?)?)\b|\*$|所有|全部|任何|任意|都)/i.test(bare))
    return null;
  // a permission rule such as Bash(git *) is no matcher
  if (new RegExp(`^(?:${toolNames.join("|")})\\(`).test(token)) return undefined;
  if (/[\^$.()[\]+?\\*]/.test(token)) return compiles(token) ? token : undefined;
  return readTools(bare) ?? (/^[\w|-]+$/.test(token) && token === bare ? token : undefined);
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}

/** Tool names in the order in which they stand; small letters count only where the text is plainly about tools. */
function readToolNames(text: string): string[] {
  const found = new Map<string, number>();
  for (const match of text.matchAll(/mcp__[\w.*-]*[\w*]/g)) found.set(match[0], match.index);
  for (const name of toolNames) {
    const at = text.search(nameBoundary(name, ""));
    if (at >= 0) found.set(name, at);
  }
  if (found.size === 0) {
    const place =
      /\bfor (?:the )?((?:\w+(?:\s*(?:,|\||\/|and|or|和|、)\s*)?)+?)(?:\s+tools?)?\s*(?:[,，;:]|$)|([a-z|、,和 ]+?)\s*工具/i.exec(
        text,
      );
    const list = (place?.[1] ?? place?.[2] ?? "").split(/\s*(?:,|\||\/|、|\band\b|\bor\b|和|或)\s*/i);
    const named = list.map((word) =>
      toolNames.find((name) => name.toLowerCase() === word.trim().toLowerCase()),
    );
    if (named.length > 0 && named.every((name) => name !== undefined))
      return named.filter((name) => name !== undefined);
  }
  return [...found.entries()].sort((a, b) => a[1] - b[1]).map(([name]) => name);
}
