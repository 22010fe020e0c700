import { useState } from "react";
import { LinkButton } from "../ui/LinkButton.tsx";
import { visibleText } from "./visibleText.ts";

interface CutTextProps {
  text: string;
  /** Characters and lines shown at first. */
  maxLength: number;
  maxLines: number;
  className?: string;
  showMore: string;
  showLess: string;
}

/** Text of any length and content, shown as text alone: the beginning first, all on demand. */
export function CutText(props: CutTextProps) {
  const [whole, setWhole] = useState(false);
  const short = cutAt(props.text, props.maxLength, props.maxLines);
  const isCut = short.length < props.text.length;
  return (
    <>
      <span className={props.className} dir="auto">
        {visibleText(whole ? props.text : short)}
        {isCut && !whole ? "…" : ""}
      </span>
      {isCut && (
        <LinkButton expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? props.showLess : props.showMore}
        </LinkButton>
      )}
    </>
  );
}

/** The first lines, never half of a surrogate pair. */
export function cutAt(text: string, maxLength: number, maxLines: number): string {
  let end = -1;
  for (let line = 0; line < maxLines; line++) {
    end = text.indexOf("\n", end + 1);
    if (end === -1 || end > maxLength) break;
  }
  if (end === -1) end = text.length;
  end = Math.min(end, maxLength);
  if (end >= text.length) return text;
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
}
