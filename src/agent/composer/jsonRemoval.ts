import type { Node } from "jsonc-parser";
import { triviaBetween } from "./jsonTrivia.ts";

/** Takes one member out of an array or object with exactly one comma; its neighbours and their comments stay. */
export function removeMember(text: string, container: Node, index: number): string {
  const members = container.children ?? [];
  const member = members[index];
  if (!member) return text;
  const previous = members[index - 1];
  const end = member.offset + member.length;
  const commaAfter = findComma(
    text,
    end,
    members[index + 1]?.offset ?? container.offset + container.length - 1,
  );
  const from = previous ? previous.offset + previous.length : container.offset + 1;
  if (commaAfter !== undefined) {
    const start = startOfOwnSpace(text, from, member.offset);
    return text.slice(0, start) + text.slice(endOfOwnSpace(text, commaAfter + 1, start));
  }
  const commaBefore = previous && findComma(text, from, member.offset);
  const start = startOfOwnSpace(text, commaBefore === undefined ? from : commaBefore + 1, member.offset);
  const rest = text.slice(0, start) + text.slice(end);
  return commaBefore === undefined ? rest : rest.slice(0, commaBefore) + rest.slice(commaBefore + 1);
}

function findComma(text: string, from: number, to: number): number | undefined {
  for (const { kind, start } of triviaBetween(text, from, to)) if (kind === "comma") return start;
  return undefined;
}

/** The blanks before a member, with its line break where it stands on a line of its own. */
function startOfOwnSpace(text: string, from: number, offset: number): number {
  let start = offset;
  while (start > from && /[ \t]/.test(text[start - 1] ?? "")) start--;
  if (start > from && text[start - 1] === "\n") start--;
  if (start > from && text[start - 1] === "\r") start--;
  return start;
}

/** Blanks behind a removed member on a line shared with others. */
function endOfOwnSpace(text: string, offset: number, start: number): number {
  if (/[\r\n]/.test(text.slice(start, start + 2).charAt(0))) return offset;
  let end = offset;
  while (/[ \t]/.test(text[end] ?? "")) end++;
  return end;
}
