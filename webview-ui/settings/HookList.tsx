import {
  createContext,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import {
  type CustomContainerComponentProps,
  type CustomItemComponentProps,
  Virtualizer,
  type VirtualizerHandle,
} from "virtua";
import { HookRow, type HookRowActions } from "./HookRow.tsx";
import type { Row } from "./rows.ts";

interface HookListProps {
  rows: readonly Row[];
  label: string;
  actions: HookRowActions;
  /** The element that scrolls, and the height of what stands in it above the list, in pixels. */
  scroller: RefObject<HTMLElement | null>;
  startMargin: number;
  /** While a dialog is open the focus is not the list's to move. */
  dialogOpen: boolean;
  /** The focused row is gone and no other is left. */
  onFocusLost: () => void;
}

/** The control that has the focus: its row, where that row stood, and the control's name. */
interface FocusPlace {
  key: string;
  index: number;
  name: string;
}

/** The list as a list: only what is seen is in the document, so each item says which of how many it is. */
export function HookList(props: HookListProps) {
  const { rows, startMargin } = props;
  const virtualizer = useRef<VirtualizerHandle>(null);
  const list = useRef<HTMLElement | null>(null);
  const [focused, setFocused] = useFocusPlace(list, rows);
  const [target, setTarget] = useState<FocusPlace>();
  useScrollAnchor(rows, virtualizer, props.scroller, startMargin);

  useEffect(() => {
    if (!target) return;
    virtualizer.current?.scrollToIndex(target.index, { align: "nearest" });
    return untilDone(() => {
      if (!focusControl(list.current, target)) return false;
      setTarget(undefined);
      return true;
    });
  }, [target]);

  const { dialogOpen, onFocusLost } = props;
  useLayoutEffect(() => {
    if (!focused || dialogOpen || rows.some(({ key }) => key === focused.key)) return;
    const index = Math.min(focused.index, rows.length - 1);
    const neighbour = rows[index];
    setFocused(undefined);
    if (hasFocus(document.body)) {
      if (neighbour) setTarget({ key: neighbour.key, index, name: focused.name });
      else onFocusLost();
    }
  }, [rows, focused, dialogOpen, onFocusLost, setFocused]);
  // The list itself goes when its last row does.
  useLayoutEffect(
    () => () => {
      if (list.current?.contains(document.activeElement)) onFocusLost();
    },
    [onFocusLost],
  );

  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const place = placeOf(event.target, rows);
      const index = place && nextIndex(event.key, place.index, rows.length);
      if (!place || index === undefined) return;
      event.preventDefault();
      const row = rows[index];
      if (row) setTarget({ key: row.key, index, name: place.name });
    },
    [rows],
  );

  const keepMounted = useMemo(() => {
    const index = focused ? rows.findIndex(({ key }) => key === focused.key) : -1;
    return [...(index >= 0 ? [index] : []), ...(target ? [target.index] : [])];
  }, [rows, focused, target]);
  const context = useMemo(
    () => ({ size: rows.length, label: props.label, list, onKeyDown }),
    [rows.length, props.label, onKeyDown],
  );
  return (
    <ListContext value={context}>
      <Virtualizer
        ref={virtualizer}
        data={rows as Row[]}
        as={List}
        item={Item}
        itemSize={112}
        scrollRef={props.scroller}
        startMargin={startMargin}
        keepMounted={keepMounted}
      >
        {(row) => <HookRow key={row.key} hook={row.hook} actions={props.actions} />}
      </Virtualizer>
    </ListContext>
  );
}

const ListContext = createContext<{
  size: number;
  label: string;
  list: RefObject<HTMLElement | null>;
  onKeyDown: (event: KeyboardEvent) => void;
}>({ size: 0, label: "", list: { current: null }, onKeyDown: () => {} });

function List(props: CustomContainerComponentProps) {
  const { label, list, onKeyDown } = useContext(ListContext);
  const own = props.ref as
    | ((element: HTMLElement | null) => void)
    | RefObject<HTMLElement | null>
    | undefined;
  const ref = useCallback(
    (element: HTMLElement | null) => {
      list.current = element;
      if (typeof own === "function") own(element);
      else if (own) own.current = element;
    },
    [list, own],
  );
  return (
    <ul ref={ref} className="hook-list" style={props.style} aria-label={label} onKeyDown={onKeyDown}>
      {props.children}
    </ul>
  );
}

function Item(props: CustomItemComponentProps) {
  const { size } = useContext(ListContext);
  return (
    <li
      ref={props.ref as ((element: HTMLElement | null) => void) | undefined}
      style={props.style}
      aria-setsize={size}
      aria-posinset={props.index + 1}
    >
      {props.children}
    </li>
  );
}

/** Follows the focus through the document. A dialog that takes it for a while does not count. */
function useFocusPlace(list: RefObject<HTMLElement | null>, rows: readonly Row[]) {
  const [focused, setFocused] = useState<FocusPlace>();
  useEffect(() => {
    const onFocusIn = (event: FocusEvent) => {
      if (event.target instanceof Element && event.target.closest("dialog")) return;
      const inList = event.target instanceof Node && list.current?.contains(event.target);
      setFocused(inList ? placeOf(event.target, rows) : undefined);
    };
    document.addEventListener("focusin", onFocusIn);
    return () => document.removeEventListener("focusin", onFocusIn);
  }, [list, rows]);
  return [focused, setFocused] as const;
}

/** Keeps the first visible row where it is on the screen when rows above it come or go. */
function useScrollAnchor(
  rows: readonly Row[],
  virtualizer: RefObject<VirtualizerHandle | null>,
  scroller: RefObject<HTMLElement | null>,
  startMargin: number,
) {
  const previous = useRef(rows);
  useLayoutEffect(() => {
    const before = previous.current;
    previous.current = rows;
    const handle = virtualizer.current;
    const element = scroller.current;
    if (before === rows || !handle || !element || element.scrollTop <= startMargin) return;
    const oldIndex = handle.findItemIndex(handle.scrollOffset - startMargin);
    // The first of the old rows from there on that still exists.
    for (let index = oldIndex; index < Math.min(before.length, oldIndex + 50); index++) {
      const newIndex = rows.findIndex(({ key }) => key === before[index]?.key);
      if (newIndex < 0) continue;
      if (newIndex !== index) {
        element.scrollTop += handle.getItemOffset(newIndex) - handle.getItemOffset(index);
      }
      return;
    }
  }, [rows, virtualizer, scroller, startMargin]);
}

function placeOf(target: EventTarget | null, rows: readonly Row[]): FocusPlace | undefined {
  if (!(target instanceof Element)) return undefined;
  const index = Number(target.closest("[aria-posinset]")?.getAttribute("aria-posinset")) - 1;
  const row = rows[index];
  const name = target.closest("[data-name]")?.getAttribute("data-name") ?? "file";
  return row && { key: row.key, index, name };
}

function nextIndex(key: string, index: number, length: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return Math.min(index + 1, length - 1);
    case "ArrowUp":
      return Math.max(index - 1, 0);
    case "Home":
      return 0;
    case "End":
      return length - 1;
    default:
      return undefined;
  }
}

/** False while the row is not drawn yet: rows that are not measured are hidden, and take no focus. */
function focusControl(list: HTMLElement | null, place: FocusPlace): boolean {
  const item = list?.querySelector(`[aria-posinset="${place.index + 1}"]`);
  const control =
    item?.querySelector<HTMLElement>(`[data-name="${place.name}"]`) ??
    item?.querySelector<HTMLElement>("[data-name]");
  if (!control?.checkVisibility({ visibilityProperty: true })) return false;
  control.focus();
  return true;
}

/** Tries at each frame, for a second at most; gives back what ends it early. */
function untilDone(attempt: () => boolean): () => void {
  let frame = 0;
  let tries = 0;
  const next = () => {
    if (!attempt() && ++tries < 60) frame = requestAnimationFrame(next);
  };
  next();
  return () => cancelAnimationFrame(frame);
}

function hasFocus(element: Element): boolean {
  return document.activeElement === element;
}
