import type { ReactNode } from "react";
import type { ChatBlockView } from "../../../src/protocol/chatView.ts";
import { CutText } from "../../shared/CutText.tsx";
import { visibleText } from "../../shared/visibleText.ts";
import { Icon } from "../../ui/Icon.tsx";
import { LinkButton } from "../../ui/LinkButton.tsx";
import { useExpanded } from "../expansion.tsx";
import { texts } from "../texts.ts";

/** As the user typed it. */
export function UserText(props: { text: string }) {
  return (
    <div className="user-text">
      <CutText
        className="data"
        text={props.text}
        maxLength={3000}
        maxLines={30}
        showMore={texts.showMore}
        showLess={texts.showLess}
      />
    </div>
  );
}

type NoticeLevel = Extract<ChatBlockView, { type: "notice" }>["level"];

/** What hooks, the agent or the model's service say to the user. */
export function Notice(props: { level: NoticeLevel; text: string }) {
  const { level } = props;
  const name = { info: texts.noticeInfo, warning: texts.noticeWarning, error: texts.noticeError }[level];
  return (
    <div className={`banner notice ${level}`} role="note">
      <span className={`level-${level}`}>
        <Icon name={level} />
      </span>
      <div className="banner-text">
        <span className="screen-reader-only">{name}: </span>
        <CutText
          className="data"
          text={props.text}
          maxLength={2000}
          maxLines={20}
          showMore={texts.showMore}
          showLess={texts.showLess}
        />
      </div>
    </div>
  );
}

interface FoldableProps {
  id: string;
  icon: string;
  title: string;
  /** What the link says that opens it. */
  action: string;
  /** Nothing, where there is nothing to open. */
  children: ReactNode;
}

/** A line in the conversation whose text is opened on demand. */
export function Foldable(props: FoldableProps) {
  const [expanded, setExpanded] = useExpanded(`fold:${props.id}`, false);
  return (
    <div className="foldable">
      <p className="foldable-head secondary">
        <Icon name={props.icon} />
        <span className="data">{visibleText(props.title)}</span>
        {props.children && (
          <LinkButton expanded={expanded} onClick={() => setExpanded(!expanded)}>
            {expanded ? texts.showLess : props.action}
          </LinkButton>
        )}
      </p>
      {expanded && props.children}
    </div>
  );
}
