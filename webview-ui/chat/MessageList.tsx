import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { Button } from "../ui/Button.tsx";
import { ChatBlock } from "./blocks/ChatBlock.tsx";
import type { ChatActions } from "./chatActions.ts";
import type { ChatItem } from "./items.ts";
import { texts } from "./texts.ts";

interface MessageListProps {
  items: readonly ChatItem[];
  /** Grows with each message that the user sends: who sends wants to see what comes of it. */
  sent: number;
  actions: ChatActions;
}

/** How near to the end, in pixels, counts as being at the end. */
const nearEnd = 8;
/** How long after a wheel, key, touch or focus in the list its scrolling still counts as the reader's, in milliseconds. */
const readerScrolls = 1000;

/**
 * The conversation. Only what is seen is in the document. It follows the end while the reader is at the end; whoever scrolls up stays
 * where they are, and a button leads back.
 */
export function MessageList(props: MessageListProps) {
  const { items } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const [isFollowing, setFollowing] = useFollowing(scroller);
  const [focusedIndex, setFocusedIndex] = useState<number>();

  const toEnd = useCallback(() => {
    if (items.length > 0) virtualizer.current?.scrollToIndex(items.length - 1, { align: "end" });
  }, [items.length]);

  useLayoutEffect(() => {
    if (items.length > 0 && isFollowing.current) toEnd();
  }, [items, isFollowing, toEnd]);

  const seenSent = useRef(props.sent);
  useLayoutEffect(() => {
    if (seenSent.current === props.sent) return;
    seenSent.current = props.sent;
    setFollowing(true);
    toEnd();
  }, [props.sent, setFollowing, toEnd]);

  // The list's own height changes with the composer and the questions below it.
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) toEnd();
    });
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [isFollowing, toEnd]);

  const keepMounted = useMemo(() => (focusedIndex === undefined ? [] : [focusedIndex]), [focusedIndex]);
  return (
    <div className="conversation">
      <div
        ref={scroller}
        className="messages"
        role="log"
        aria-live="off"
        aria-label={texts.conversation}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
        tabIndex={0}
        onFocus={(event) => setFocusedIndex(indexOf(event.target))}
        onBlur={() => setFocusedIndex(undefined)}
      >
        <Virtualizer
          ref={virtualizer}
          data={items as ChatItem[]}
          scrollRef={scroller}
          keepMounted={keepMounted}
        >
          {(item, index) => (
            <div key={item.key} data-index={index}>
              <ChatBlock item={item} actions={props.actions} />
            </div>
          )}
        </Virtualizer>
      </div>
      {!isFollowing.state && (
        <div className="jump">
          <Button
            secondary
            icon="arrow-down"
            onClick={() => {
              setFollowing(true);
              toEnd();
            }}
          >
            {texts.jumpToLatest}
          </Button>
        </div>
      )}
    </div>
  );
}

/**
 * Whether the reader follows the end. Content that grows moves the end away from the reader without any scrolling of theirs, and entries
 * that turn out smaller than was guessed move the list up; so only a reader's own moving up lets go, and only reaching the end takes
 * hold again. `current` is for effects, `state` for rendering.
 */
function useFollowing(scroller: React.RefObject<HTMLElement | null>) {
  const [state, setState] = useState(true);
  const following = useRef({ current: true, lastTop: 0 });
  const set = useCallback((value: boolean) => {
    following.current.current = value;
    setState(value);
  }, []);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let lastInput = -readerScrolls;
    const onInput = (event: Event) => {
      const hovers = event.type === "pointermove" && (event as PointerEvent).buttons === 0;
      if (!hovers) lastInput = performance.now();
    };
    const onScroll = () => {
      const fromEnd = element.scrollHeight - element.clientHeight - element.scrollTop;
      const movedUp = element.scrollTop < following.current.lastTop - 1;
      following.current.lastTop = element.scrollTop;
      if (fromEnd <= nearEnd) set(true);
      else if (movedUp && performance.now() - lastInput < readerScrolls) set(false);
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    for (const input of inputs) element.addEventListener(input, onInput, { passive: true });
    return () => {
      element.removeEventListener("scroll", onScroll);
      for (const input of inputs) element.removeEventListener(input, onInput);
    };
  }, [scroller, set]);
  return [
    useMemo(
      () => ({
        get current() {
          return following.current.current;
        },
        state,
      }),
      [state],
    ),
    set,
  ] as const;
}

/** By which a reader scrolls; the pointer moves while it drags the scroll bar. */
const inputs = ["wheel", "keydown", "touchmove", "pointerdown", "pointermove", "focusin"] as const;

function indexOf(target: EventTarget): number | undefined {
  const index =
    target instanceof Element ? target.closest("[data-index]")?.getAttribute("data-index") : undefined;
  return index ? Number(index) : undefined;
}
