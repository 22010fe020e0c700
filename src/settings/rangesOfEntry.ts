import { createScanner } from "jsonc-parser";
import type { JsonArray, JsonObject } from "./jsonTree.ts";

/** A piece of a text: from `start` up to, not including, `end`. */
export interface TextRange {
  start: number;
  end: number;
}

type GapToken = TextRange & { kind: "comma" | "lineBreak" | "comment" };

const commaToken = 5;
const lineBreakToken = 14;
const endToken = 17;

/**
 * The pieces to cut for taking one entry out of a list or an object: the entry, exactly one comma, its own comments, and the blanks
 * or lines that nothing else stands on. Its own comments are those on lines directly above it (no blank line between) and those that
 * follow it on its line; every other comment is somebody else's and stays.
 * jsonc-parser's `modify` is not used: for removals it deletes comments of neighbours, and in some layouts too few or too many commas.
 */
export function rangesOfEntry(text: string, container: JsonArray | JsonObject, index: number): TextRange[] {
  const entry = entryRange(container, index);
  const previous = index > 0 ? entryRange(container, index - 1) : undefined;
  const next = index + 1 < entryCount(container) ? entryRange(container, index + 1) : undefined;
  const before = gapTokens(text, previous?.end ?? container.offset + 1, entry.start);
  const after = gapTokens(text, entry.end, next?.start ?? container.end - 1);

  const commaBefore = before.findIndex((token) => token.kind === "comma");
  const commaAfter = after.find((token) => token.kind === "comma");
  const comma = commaAfter ?? before[commaBefore];
  const pieces: TextRange[] = [
    ...commentsAbove(before.slice(commaBefore + 1)),
    entry,
    ...commentsBehind(after, next !== undefined),
    ...(comma ? [comma] : []),
  ];
  const ranges = joinOverBlanks(text, pieces).map((piece) => widen(text, piece, next !== undefined));
  const isAlone = !previous && !next;
  return isAlone && leavesOnlyBlanks(text, container, ranges)
    ? [{ start: container.offset + 1, end: container.end - 1 }]
    : ranges;
}

/** The text without these pieces, which must be in order and apart. */
export function cutRanges(text: string, ranges: readonly TextRange[]): string {
  let kept = "";
  let position = 0;
  for (const { start, end } of ranges) {
    kept += text.slice(position, start);
    position = end;
  }
  return kept + text.slice(position);
}

function entryCount(container: JsonArray | JsonObject): number {
  return container.kind === "array" ? container.items.length : container.members.length;
}

function entryRange(container: JsonArray | JsonObject, index: number): TextRange {
  if (container.kind === "array") {
    const item = container.items[index];
    if (item) return { start: item.offset, end: item.end };
  } else {
    const member = container.members[index];
    if (member) return { start: member.offset, end: member.value.end };
  }
  throw new RangeError(`There is no entry ${index}.`);
}

/** What stands between two values: comments, line breaks, and at most one comma. */
function gapTokens(text: string, start: number, end: number): GapToken[] {
  const scanner = createScanner(text.slice(start, end), false);
  const tokens: GapToken[] = [];
  for (let kind: number = scanner.scan(); kind !== endToken; kind = scanner.scan()) {
    const from = start + scanner.getTokenOffset();
    const range = { start: from, end: from + scanner.getTokenLength() };
    if (kind === commaToken) tokens.push({ kind: "comma", ...range });
    else if (kind === lineBreakToken) tokens.push({ kind: "lineBreak", ...range });
    else if (text[from] === "/") tokens.push({ kind: "comment", ...range });
  }
  return tokens;
}

/** Of the tokens between the comma (or bracket) before an entry and the entry: the comments that belong to the entry. */
function commentsAbove(tokens: readonly GapToken[]): TextRange[] {
  const firstBreak = tokens.findIndex((token) => token.kind === "lineBreak");
  // On one line with what comes before: a comment in between is about what it precedes.
  if (firstBreak < 0) return tokens.filter((token) => token.kind === "comment");
  const own: TextRange[] = [];
  let breaks = 0;
  for (const token of tokens.slice(firstBreak + 1).reverse()) {
    breaks = token.kind === "lineBreak" ? breaks + 1 : 0;
    if (breaks > 1) break;
    if (token.kind === "comment") own.unshift(token);
  }
  return own;
}

/** Of the tokens between an entry and what comes next: the comments that belong to the entry. */
function commentsBehind(tokens: readonly GapToken[], hasNext: boolean): TextRange[] {
  const lineEnd = tokens.findIndex((token) => token.kind === "lineBreak");
  const comma = tokens.findIndex((token) => token.kind === "comma");
  // With the next entry on the same line, a comment behind the comma is about that one.
  const end = lineEnd >= 0 ? lineEnd : hasNext ? comma : tokens.length;
  return tokens.slice(0, end).filter((token) => token.kind === "comment");
}

/** Sorts the pieces and joins those that only blanks and line breaks stand between. */
function joinOverBlanks(text: string, pieces: readonly TextRange[]): TextRange[] {
  const joined: TextRange[] = [];
  for (const piece of [...pieces].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && text.slice(last.end, piece.start).trim() === "") last.end = piece.end;
    else joined.push({ ...piece });
  }
  return joined;
}

/** Adds the blanks round a piece, or its whole lines where nothing else stands on them. */
function widen(text: string, piece: TextRange, hasNext: boolean): TextRange {
  let { start, end } = piece;
  while (isBlank(text[start - 1])) start--;
  while (isBlank(text[end])) end++;
  const startsLine = start === 0 || isLineBreak(text[start - 1]);
  const endsLine = end === text.length || isLineBreak(text[end]);
  if (startsLine && endsLine) return { start, end: end + lineBreakLength(text, end) };
  if (endsLine) return { start, end };
  return hasNext ? { start: piece.start, end } : { start: startsLine ? piece.start : start, end: piece.end };
}

function leavesOnlyBlanks(text: string, container: JsonArray | JsonObject, ranges: TextRange[]): boolean {
  const shifted = ranges.map(({ start, end }) => ({
    start: Math.max(start, container.offset + 1) - container.offset - 1,
    end: Math.min(end, container.end - 1) - container.offset - 1,
  }));
  return cutRanges(text.slice(container.offset + 1, container.end - 1), shifted).trim() === "";
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

function isLineBreak(character: string | undefined): boolean {
  return character === "\n" || character === "\r";
}

function lineBreakLength(text: string, offset: number): number {
  if (text.startsWith("\r\n", offset)) return 2;
  return offset < text.length ? 1 : 0;
}
