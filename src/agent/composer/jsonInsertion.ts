import type { Node } from "jsonc-parser";
import { triviaBetween } from "./jsonTrivia.ts";

/**
 * Adds a member to the end of an array or object and leaves every other byte as it was.
 * jsonc-parser's own `modify` hands a comment behind the last member to the new one (its issue 125), hence this piece.
 * `container` must be a node of `text`; `member` is JSON text, for an object with its key, written for indentation 0 with "\n".
 */
export function appendMember(text: string, container: Node, member: string): string {
  const style = readStyle(text);
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const inner = last ? indentOfLine(text, container.children?.[0]?.offset ?? 0) : "";
  const outer = indentOfLine(text, container.offset);

  if (!last) {
    const body = text.slice(container.offset + 1, close);
    const indent = outer + style.unit;
    const kept = body.trim() === "" ? "" : body.trimEnd();
    return splice(
      text,
      container.offset + 1,
      close,
      `${kept}${style.eol}${indented(member, indent, style)}${style.eol}${outer}`,
    );
  }

  const end = last.offset + last.length;
  const tail = scanTail(text, end, close);
  const isMultiLine = /[\r\n]/.test(text.slice(container.offset, container.children?.[0]?.offset ?? 0));
  if (!isMultiLine) {
    const compact = JSON.stringify(
      JSON.parse(`[${member.startsWith('"') && container.type === "object" ? `{${member}}` : member}]`)[0],
    );
    const written = container.type === "object" ? compact.slice(1, -1) : compact;
    return splice(text, end, end, `, ${written}`);
  }
  const added = `${style.eol}${indented(member, inner, style)}${tail.hasComma ? "," : ""}`;
  const withMember = splice(text, tail.lineEnd, tail.lineEnd, added);
  return tail.hasComma ? withMember : splice(withMember, end, end, ",");
}

interface TextStyle {
  eol: string;
  /** One step of indentation. */
  unit: string;
}

function readStyle(text: string): TextStyle {
  const eol = /\r\n|\n/.exec(text)?.[0] ?? "\n";
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return { eol, unit: unit.startsWith("\t") ? "\t" : unit };
}

/** Re-indents text that was written with two blanks a step. */
function indented(member: string, indent: string, style: TextStyle): string {
  return member
    .split("\n")
    .map((line) => {
      const steps = Math.floor((/^ */.exec(line)?.[0].length ?? 0) / 2);
      return indent + style.unit.repeat(steps) + line.trimStart();
    })
    .join(style.eol);
}

function indentOfLine(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** What stands behind the last member: a comma, and comments on the same line that belong to it. */
function scanTail(text: string, from: number, close: number): { hasComma: boolean; lineEnd: number } {
  let hasComma = false;
  let lineEnd = from;
  let onSameLine = true;
  for (const { kind, end } of triviaBetween(text, from, close)) {
    if (kind === "lineBreak") onSameLine = false;
    if (kind === "comma") hasComma = true;
    if (kind === "comma" || (kind === "comment" && onSameLine)) lineEnd = end;
  }
  return { hasComma, lineEnd };
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
