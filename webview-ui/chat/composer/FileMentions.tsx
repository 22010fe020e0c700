import { useEffect, useRef } from "react";
import { visibleText } from "../../shared/visibleText.ts";
import { texts } from "../texts.ts";

interface FileMentionsProps {
  id: string;
  /** Absent while the host searches. */
  paths: readonly string[] | undefined;
  selected: number;
  onPick: (path: string) => void;
}

/** The files that match what follows the "@". The focus stays in the text; its arrow keys move the selection. */
export function FileMentions(props: FileMentionsProps) {
  const { id, paths, selected } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`#${CSS.escape(`${id}-${selected}`)}`)?.scrollIntoView({ block: "nearest" });
  }, [id, selected]);
  if (!paths || paths.length === 0) {
    return (
      <div className="mentions secondary">
        <p>{paths ? texts.noFiles : texts.searchingFiles}</p>
      </div>
    );
  }
  return (
    <div ref={list} id={id} className="mentions" role="listbox" aria-label={texts.filesLabel}>
      {paths.map((path, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text area's, see above
        <div
          key={path}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === selected}
          className="mention"
          // Before the text area loses the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => props.onPick(path)}
        >
          <bdi>{visibleText(path)}</bdi>
        </div>
      ))}
    </div>
  );
}
