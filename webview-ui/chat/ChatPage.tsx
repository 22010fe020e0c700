import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { ChatStateView } from "../../src/protocol/chatView.ts";
import { type Announcement, LiveRegion } from "../shared/LiveRegion.tsx";
import { visibleText } from "../shared/visibleText.ts";
import { type FocusHandle, IconButton } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import { LinkButton } from "../ui/LinkButton.tsx";
import { announcementFor } from "./announcements.ts";
import { BackgroundItems } from "./BackgroundItems.tsx";
import type { ChatActions } from "./chatActions.ts";
import type { ChatData, ChatStore } from "./chatStore.ts";
import { Composer } from "./composer/Composer.tsx";
import type { DraftModel } from "./composer/draftModel.ts";
import { FirstRun } from "./FirstRun.tsx";
import { itemsOf, sentTexts } from "./items.ts";
import { MessageList } from "./MessageList.tsx";
import { PermissionQuestion } from "./PermissionQuestion.tsx";
import { SessionList } from "./SessionList.tsx";
import { TurnStatus } from "./TurnStatus.tsx";
import { texts } from "./texts.ts";

interface PageProps {
  store: ChatStore;
  draft: DraftModel;
  actions: ChatActions;
}

export function ChatPage(props: PageProps) {
  const data = useSyncExternalStore(props.store.subscribe, props.store.get);
  if (!data.state) {
    return (
      <main className="page loading" aria-busy="true">
        <p role="status">
          <Icon name="loading" spin /> {texts.loading}
        </p>
      </main>
    );
  }
  return <LoadedPage {...props} data={data} state={data.state} />;
}

function LoadedPage(props: PageProps & { data: ChatData; state: ChatStateView }) {
  const { state, data, draft, actions, store } = props;
  const composer = useRef<FocusHandle>(null);
  const [sent, setSent] = useState(0);
  const sessions = useSessions(state, draft, actions, composer);
  const items = useMemo(() => itemsOf(data.messages), [data.messages]);
  const history = useCallback(() => sentTexts(store.get().messages), [store]);
  const announcement = useAnnouncement(data);
  const isRunning = state.status.state === "running";
  useEscape(() => {
    if (sessions.isOpen) sessions.close();
    else if (isRunning) actions.post({ type: "stop" });
  });
  return (
    <main className="page">
      <ChatHeader state={state} sessions={sessions} actions={actions} />
      {!state.trusted && <RestrictedBanner onManage={() => actions.post({ type: "manageTrust" })} />}
      {sessions.isOpen ? (
        <SessionList
          sessions={state.sessions}
          currentId={state.sessionId}
          onSwitch={sessions.switchTo}
          onClose={sessions.close}
        />
      ) : items.length > 0 ? (
        <MessageList key={state.sessionId} items={items} sent={sent} actions={actions} />
      ) : (
        <div className="welcome">
          <h2>{texts.emptyTitle}</h2>
          <p className="secondary">{texts.emptyText}</p>
        </div>
      )}
      <div className="dock">
        {state.modelId === undefined && <FirstRun actions={actions} />}
        <TurnStatus status={state.status} />
        <BackgroundItems items={state.background} actions={actions} />
        <Questions state={state} actions={actions} composer={composer} />
        <Composer
          ref={composer}
          state={state}
          files={data.files}
          draft={draft}
          actions={actions}
          sentTexts={history}
          onSend={() => setSent((count) => count + 1)}
        />
      </div>
      <LiveRegion announcement={announcement} />
    </main>
  );
}

interface SessionControl {
  isOpen: boolean;
  open(): void;
  close(): void;
  switchTo(id: string): void;
  button: React.RefObject<FocusHandle | null>;
}

function ChatHeader(props: { state: ChatStateView; sessions: SessionControl; actions: ChatActions }) {
  const { sessions, actions } = props;
  return (
    <header className="chat-head">
      <h1>
        <bdi>{visibleText(props.state.projectName) || texts.title}</bdi>
      </h1>
      <IconButton icon="add" label={texts.newSession} onClick={() => actions.post({ type: "newSession" })} />
      <IconButton
        ref={sessions.button}
        icon="history"
        label={texts.sessions}
        expanded={sessions.isOpen}
        onClick={sessions.isOpen ? sessions.close : sessions.open}
      />
      <IconButton
        icon="clear-all"
        label={texts.clearSession}
        onClick={() => actions.post({ type: "clearSession" })}
      />
      <IconButton
        icon="gear"
        label={texts.openHooks}
        onClick={() => actions.post({ type: "openSettings" })}
      />
    </header>
  );
}

function RestrictedBanner(props: { onManage: () => void }) {
  return (
    <div className="banner warning" role="note">
      <span className="level-warning">
        <Icon name="shield" />
      </span>
      <div className="banner-text">
        <p>
          <strong>{texts.restrictedTitle}</strong> {texts.restrictedText}
        </p>
        <LinkButton onClick={props.onManage}>{texts.manageTrust}</LinkButton>
      </div>
    </div>
  );
}

/** The first of the questions that wait. */
function Questions(props: {
  state: ChatStateView;
  actions: ChatActions;
  composer: React.RefObject<FocusHandle | null>;
}) {
  const { questions } = props.state;
  const answered = useRef<string>(undefined);
  const question = questions[0];
  const id = question?.id;
  // After the last answer the focus goes back to where one writes.
  useEffect(() => {
    if (id !== undefined || answered.current === undefined) return;
    answered.current = undefined;
    if (document.activeElement === document.body) props.composer.current?.focus();
  }, [id, props.composer]);
  if (!question) return null;
  return (
    <PermissionQuestion
      key={question.id}
      question={question}
      count={questions.length}
      followsAnother={answered.current !== undefined && answered.current !== question.id}
      actions={props.actions}
      onAnswered={() => {
        answered.current = question.id;
      }}
    />
  );
}

function useSessions(
  state: ChatStateView,
  draft: DraftModel,
  actions: ChatActions,
  composer: React.RefObject<FocusHandle | null>,
): SessionControl {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<FocusHandle>(null);
  const set = (open: boolean) => {
    setOpen(open);
    actions.post({ type: "listSessions", open });
  };
  return {
    isOpen,
    button,
    open: () => set(true),
    close: () => {
      set(false);
      button.current?.focus();
    },
    switchTo: (id) => {
      set(false);
      composer.current?.focus();
      if (id === state.sessionId) return;
      draft.leaveSession();
      actions.post({ type: "switchSession", id });
    },
  };
}

function useAnnouncement(data: ChatData): Announcement | undefined {
  const [announcement, setAnnouncement] = useState<Announcement>();
  const previous = useRef(data);
  useEffect(() => {
    const text = announcementFor(previous.current, data);
    previous.current = data;
    if (text !== undefined) setAnnouncement((last) => ({ id: (last?.id ?? 0) + 1, text }));
  }, [data]);
  return announcement;
}

/** Esc anywhere in the page, unless something nearer took it. */
function useEscape(onEscape: () => void) {
  const latest = useRef(onEscape);
  latest.current = onEscape;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !event.isComposing) latest.current();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
