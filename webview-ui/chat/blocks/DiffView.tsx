import { formatString } from "../../../src/protocol/strings.ts";
import { visibleText } from "../../shared/visibleText.ts";
import { LinkButton } from "../../ui/LinkButton.tsx";
import { useExpanded } from "../expansion.tsx";
import { texts } from "../texts.ts";

const linesAtFirst = 200;

/** A unified diff, coloured. The signs stay: colour alone says nothing to some. */
export function DiffView(props: { diff: string; id: string }) {
  const [whole, setWhole] = useExpanded(`diff:${props.id}`, false);
  const lines = linesOf(props.diff);
  const added = lines.filter(({ kind }) => kind === "added").length;
  const removed = lines.filter(({ kind }) => kind === "removed").length;
  const summary = `${formatString(texts.linesAdded, added)}, ${formatString(texts.linesRemoved, removed)}`;
  return (
    <div className="diff">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields */}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
        tabIndex={0}
        role="group"
        aria-label={`${texts.changes}: ${summary}`}
        className="monospace"
      >
        {(whole ? lines : lines.slice(0, linesAtFirst)).map(({ kind, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one diff do not move
          <span key={index} className={`diff-line ${kind}`}>
            {visibleText(text)}
            {"\n"}
          </span>
        ))}
      </pre>
      {lines.length > linesAtFirst && (
        <LinkButton expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? texts.showLess : texts.showMore}
        </LinkButton>
      )}
    </div>
  );
}

type LineKind = "added" | "removed" | "hunk" | "context";

/** Without the lines that name the file before the first hunk: the card names it already. */
function linesOf(diff: string): { kind: LineKind; text: string }[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  const firstHunk = lines.findIndex((line) => line.startsWith("@@"));
  return lines.slice(Math.max(firstHunk, 0)).map((text) => ({ text, kind: kindOf(text) }));
}

function kindOf(line: string): LineKind {
  if (line.startsWith("@@")) return "hunk";
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return "context";
}
