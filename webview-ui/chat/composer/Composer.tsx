import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { ChatStateView } from "../../../src/protocol/chatView.ts";
import { Button, type FocusHandle } from "../../ui/Button.tsx";
import type { ChatActions } from "../chatActions.ts";
import type { ChatData } from "../chatStore.ts";
import { texts } from "../texts.ts";
import type { DraftModel } from "./draftModel.ts";
import { FileMentions } from "./FileMentions.tsx";
import { insertMention, mentionAt } from "./mention.ts";
import { ModelPicker, ModePicker } from "./pickers.tsx";
import { PromptHistory } from "./promptHistory.ts";
import { Queue } from "./Queue.tsx";
import { useFileMentions } from "./useFileMentions.ts";

interface ComposerProps {
  state: ChatStateView;
  files: ChatData["files"];
  draft: DraftModel;
  actions: ChatActions;
  /** What was sent in this session, the newest first. */
  sentTexts: () => readonly string[];
  onSend: () => void;
  ref?: Ref<FocusHandle>;
}

/** Where the user writes. A browser's own text area: the toolkit's neither grows with its text nor tells where the caret is. */
export function Composer(props: ComposerProps) {
  const { state, draft, actions } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  useSyncExternalStore(draft.subscribe, draft.getVersion);
  const [caret, setCaret] = useCaret(area);
  const history = useMemo(() => new PromptHistory(props.sentTexts), [props.sentTexts]);
  const mention = useMemo(() => mentionAt(draft.text, caret), [draft.text, caret]);
  const mentions = useFileMentions(mention, props.files, actions);
  const isRunning = state.status.state === "running";
  const isEmpty = draft.text.trim() === "";

  useImperativeHandle(props.ref, () => ({ focus: () => area.current?.focus() }), []);
  usePrefillFocus(draft, area);

  const replace = (text: string, at: number) => {
    draft.edit(text);
    setCaret(at);
  };
  const pick = (path: string) => {
    if (!mention) return;
    const inserted = insertMention(draft.text, mention, path);
    replace(inserted.text, inserted.caret);
  };
  const send = () => {
    if (isEmpty) return;
    actions.post({ type: "send", text: draft.text });
    draft.sent();
    props.onSend();
    area.current?.focus();
  };

  const onMentionKey = (event: KeyboardEvent): boolean => {
    if (!mentions.isOpen || event.shiftKey) return false;
    if (event.key === "Escape") {
      mentions.close();
      return true;
    }
    const path = mentions.paths?.[mentions.selected];
    if (path === undefined) return false;
    if (event.key === "ArrowDown") mentions.move(1);
    else if (event.key === "ArrowUp") mentions.move(-1);
    else if (event.key === "Enter" || event.key === "Tab") pick(path);
    else return false;
    return true;
  };
  const onHistoryKey = (event: KeyboardEvent): boolean => {
    const { current } = area;
    if (!current || current.selectionStart !== current.selectionEnd || event.shiftKey) return false;
    const browsing = history.isAt(draft.text);
    let text: string | undefined;
    if (event.key === "ArrowUp" && (browsing ? isOnFirstLine(current) : current.selectionEnd === 0)) {
      text = history.older(draft.text);
    } else if (event.key === "ArrowDown" && browsing && isOnLastLine(current)) {
      text = history.newer(draft.text);
    }
    if (text === undefined) return false;
    replace(text, text.length);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A key that picks a word in an input method is not for us. 229: what some of them report instead.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (onMentionKey(event) || onHistoryKey(event)) {
      event.preventDefault();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  };

  return (
    <div className="composer">
      <Queue queue={state.queue} actions={actions} />
      <div className="composer-box">
        {mentions.isOpen && (
          <FileMentions id={listId} paths={mentions.paths} selected={mentions.selected} onPick={pick} />
        )}
        <textarea
          ref={area}
          rows={2}
          dir="auto"
          aria-label={texts.composerLabel}
          aria-autocomplete="list"
          aria-controls={mentions.paths?.length ? listId : undefined}
          aria-activedescendant={mentions.paths?.length ? `${listId}-${mentions.selected}` : undefined}
          placeholder={texts.composerPlaceholderShort}
          title={texts.composerPlaceholder}
          value={draft.text}
          onChange={(event) => draft.edit(event.currentTarget.value)}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart, true)}
          onKeyDown={onKeyDown}
          onBlur={() => draft.flush()}
        />
        <div className="composer-bar">
          <ModePicker state={state} actions={actions} />
          <ModelPicker state={state} actions={actions} />
          <span className="composer-buttons">
            {isRunning && (
              <Button
                secondary={!isEmpty}
                icon="debug-stop"
                title={texts.stopHint}
                onClick={() => actions.post({ type: "stop" })}
              >
                {texts.stop}
              </Button>
            )}
            {(!isRunning || !isEmpty) && (
              <Button icon={isRunning ? "list-ordered" : "send"} disabled={isEmpty} onClick={send}>
                {isRunning ? texts.queueMessage : texts.send}
              </Button>
            )}
          </span>
        </div>
      </div>
    </div>
  );
}

/** Where the caret is. Setting it moves the caret once the text that goes with it is there, unless it is there already. */
function useCaret(area: RefObject<HTMLTextAreaElement | null>) {
  const [caret, setCaret] = useState(0);
  const wanted = useRef<number>(undefined);
  useLayoutEffect(() => {
    const at = wanted.current;
    if (at === undefined) return;
    wanted.current = undefined;
    area.current?.setSelectionRange(at, at);
  });
  const set = (at: number, isThere = false) => {
    if (!isThere) wanted.current = at;
    setCaret(at);
  };
  return [caret, set] as const;
}

/** After a prompt was put in: the focus goes to it, its first gap (`<event>`) selected, to be typed over. */
function usePrefillFocus(draft: DraftModel, area: RefObject<HTMLTextAreaElement | null>) {
  const requests = useSyncExternalStore(draft.subscribe, draft.getFocusRequests);
  const seen = useRef(0);
  useEffect(() => {
    const element = area.current;
    if (!element || requests === seen.current) return;
    seen.current = requests;
    element.focus();
    const prompt = draft.text.lastIndexOf("\n\n") + 1;
    const gap = /<[^<>\n]+>/.exec(draft.text.slice(prompt));
    const start = gap ? prompt + gap.index : draft.text.length;
    element.setSelectionRange(start, gap ? start + gap[0].length : start);
  }, [requests, draft, area]);
}

function isOnFirstLine(area: HTMLTextAreaElement): boolean {
  return !area.value.slice(0, area.selectionStart).includes("\n");
}

function isOnLastLine(area: HTMLTextAreaElement): boolean {
  return !area.value.slice(area.selectionEnd).includes("\n");
}
