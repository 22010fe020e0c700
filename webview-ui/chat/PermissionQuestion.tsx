import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { PermissionQuestionView } from "../../src/protocol/chatView.ts";
import { formatString } from "../../src/protocol/strings.ts";
import { CutText } from "../shared/CutText.tsx";
import { visibleText } from "../shared/visibleText.ts";
import { Button, type FocusHandle } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import { LinkButton } from "../ui/LinkButton.tsx";
import { TextField } from "../ui/TextField.tsx";
import { DiffView } from "./blocks/DiffView.tsx";
import type { ChatActions } from "./chatActions.ts";
import { texts } from "./texts.ts";

interface QuestionProps {
  question: PermissionQuestionView;
  /** How many wait, this one included. */
  count: number;
  /**
   * It takes the place of one that was just answered from here: the focus comes along, and for a moment nothing can be answered, so
   * that a second click or a held key meant for the other one does not allow this one.
   */
  followsAnother: boolean;
  actions: ChatActions;
  onAnswered: () => void;
}

const armingTime = 350;

/** Asks in the conversation, never in a modal. It takes no focus by itself: someone may be typing. */
export function PermissionQuestion(props: QuestionProps) {
  const { question, actions, followsAnother } = props;
  const [word, setWord] = useState("");
  const [armed, setArmed] = useState(!followsAnother);
  const allow = useRef<FocusHandle>(null);
  useEffect(() => {
    if (armed) return;
    const timer = setTimeout(() => setArmed(true), armingTime);
    return () => clearTimeout(timer);
  }, [armed]);
  useEffect(() => {
    if (!armed || !followsAnother || document.activeElement !== document.body) return;
    // The element takes the focus once it has shown itself as enabled, which it does at the next frame.
    const frame = requestAnimationFrame(() => allow.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [armed, followsAnother]);

  const answer = (kind: "allow" | "always" | "deny") => {
    if (!armed) return;
    const message = word.trim();
    actions.post({
      type: "answer",
      id: question.id,
      answer: kind,
      ...(kind === "deny" && message && { message }),
    });
    props.onAnswered();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.nativeEvent.isComposing) answer("deny");
  };
  return (
    <section className="question" aria-label={texts.questionsLabel}>
      <div className="question-scroll">
        <h2>
          <span className="level-warning">
            <Icon name="question" />
          </span>{" "}
          {formatString(texts.questionTitle, visibleText(question.toolName))}
          {props.count > 1 && (
            <span className="secondary"> {formatString(texts.questionCount, 1, props.count)}</span>
          )}
        </h2>
        {question.reason && <p className="data">{visibleText(question.reason)}</p>}
        <p className="question-what">
          <CutText
            className="monospace data"
            text={question.summary}
            maxLength={3000}
            maxLines={30}
            showMore={texts.showMore}
            showLess={texts.showLess}
          />
        </p>
        {question.diff && (
          <>
            <DiffView diff={question.diff} id={question.id} />
            <LinkButton onClick={() => actions.post({ type: "openDiff", toolId: question.id })}>
              {texts.openDiff}
            </LinkButton>
          </>
        )}
      </div>
      <div className="question-buttons">
        <Button ref={allow} disabled={!armed} onClick={() => answer("allow")}>
          {texts.allowOnce}
        </Button>
        {question.always && (
          <Button secondary disabled={!armed} onClick={() => answer("always")}>
            {texts.allowAlways}
          </Button>
        )}
        <Button secondary disabled={!armed} onClick={() => answer("deny")}>
          {texts.deny}
        </Button>
      </div>
      {question.always && (
        <p className="secondary data">
          {texts.allowAlways}:{" "}
          {formatString(
            texts.allowAlwaysHint,
            visibleText(question.always.rule),
            visibleText(question.always.fileLabel),
          )}
        </p>
      )}
      <TextField
        value={word}
        label={texts.denyWith}
        placeholder={texts.denyWithPlaceholder}
        onInput={setWord}
        onKeyDown={onKeyDown}
      />
    </section>
  );
}
