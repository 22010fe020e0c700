import { useEffect, useState } from "react";
import type { ChatActions } from "../chatActions.ts";
import type { ChatData } from "../chatStore.ts";
import type { Mention } from "./mention.ts";

const debounce = 80;

/** The list of an "@": asks the host for files as the user types, and keeps the selection. */
export function useFileMentions(
  mention: Mention | undefined,
  files: ChatData["files"],
  actions: ChatActions,
) {
  const query = mention?.query;
  const [selected, setSelected] = useState(0);
  /** Where the "@" stands whose list was closed with Esc. */
  const [closedAt, setClosedAt] = useState<number>();
  useEffect(() => {
    setSelected(0);
    if (query === undefined) {
      setClosedAt(undefined);
      return;
    }
    const timer = setTimeout(() => actions.post({ type: "findFiles", query }), debounce);
    return () => clearTimeout(timer);
  }, [query, actions]);

  const isOpen = mention !== undefined && mention.start !== closedAt;
  const paths = isOpen && files?.query === query ? files?.paths : undefined;
  const count = paths?.length ?? 0;
  return {
    isOpen,
    paths,
    selected: Math.min(selected, Math.max(0, count - 1)),
    move: (step: number) => setSelected((index) => (count === 0 ? 0 : (index + step + count) % count)),
    close: () => setClosedAt(mention?.start),
  };
}
