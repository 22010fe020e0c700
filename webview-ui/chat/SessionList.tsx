import { type KeyboardEvent, useEffect, useRef } from "react";
import type { SessionEntryView } from "../../src/protocol/chatView.ts";
import { pageLanguage } from "../shared/strings.ts";
import { visibleText } from "../shared/visibleText.ts";
import { IconButton } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import { texts } from "./texts.ts";

interface SessionListProps {
  /** Absent while the host reads them. */
  sessions: readonly SessionEntryView[] | undefined;
  currentId: string;
  onSwitch: (id: string) => void;
  onClose: () => void;
}

/** The earlier sessions of the project, in place of the conversation while it is open. */
export function SessionList(props: SessionListProps) {
  const { sessions } = props;
  const list = useRef<HTMLUListElement>(null);
  const loaded = sessions !== undefined;
  useEffect(() => {
    if (!loaded) return;
    const buttons = list.current?.querySelectorAll("button");
    (list.current?.querySelector<HTMLElement>("[aria-current]") ?? buttons?.[0])?.focus();
  }, [loaded]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const index = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (index < 0) return;
    event.preventDefault();
    buttons[event.key === "ArrowDown" ? index + 1 : index - 1]?.focus();
  };
  return (
    <section className="sessions" aria-labelledby="sessions-title">
      <div className="sessions-head">
        <h2 id="sessions-title">{texts.sessions}</h2>
        <IconButton icon="close" label={texts.closeSessions} onClick={props.onClose} />
      </div>
      {!sessions && (
        <p role="status" className="secondary">
          <Icon name="loading" spin /> {texts.loadingSessions}
        </p>
      )}
      {sessions?.length === 0 && <p className="secondary">{texts.noSessions}</p>}
      <ul ref={list} onKeyDown={onKeyDown}>
        {sessions?.map(({ id, title, updatedAt }) => (
          <li key={id}>
            <button
              type="button"
              className="session"
              aria-current={id === props.currentId ? "true" : undefined}
              onClick={() => props.onSwitch(id)}
            >
              <bdi className="session-title">{visibleText(title) || texts.untitledSession}</bdi>
              <span className="secondary">
                {timeAgo(updatedAt, Date.now())}
                {id === props.currentId && ` · ${texts.currentSession}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** "5 minutes ago"; the date after a month. */
function timeAgo(time: number, now: number): string {
  const language = pageLanguage();
  const passed = Math.max(0, now - time);
  if (passed > 30 * 86_400_000)
    return new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(time);
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const [unit, length] of units) {
    if (passed >= length) return format.format(-Math.floor(passed / length), unit);
  }
  return format.format(0, "second");
}
