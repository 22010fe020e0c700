import { type HookSnapshot, type HookTab, type HookView, hookTabs } from "../../src/protocol/hookView.ts";
import type { SettingsPageEvent } from "../../src/protocol/settingsPage.ts";
import { formatString } from "../../src/protocol/strings.ts";
import type { Announcement } from "../shared/LiveRegion.tsx";
import { hookName } from "./rows.ts";
import { texts } from "./texts.ts";

export interface PageState {
  /** Absent until the host has answered. */
  snapshot?: HookSnapshot;
  tab: HookTab;
  filter: string;
  /** The delete dialog. With `requestId` the host has been asked. */
  deletion?: { hook: HookView; requestId?: number };
  /** Why the last deletion did not happen. */
  failure?: { hook: HookView; reason: string };
  announcement?: Announcement;
}

export type PageAction =
  | SettingsPageEvent
  | { type: "selectTab"; tab: HookTab }
  | { type: "setFilter"; filter: string }
  | { type: "askDelete"; hook: HookView }
  | { type: "cancelDelete" }
  | { type: "requestDelete"; requestId: number }
  | { type: "dismissFailure" };

/** The first state, from what the page saved before it was hidden or reloaded. */
export function initialState(saved: unknown): PageState {
  const view = typeof saved === "object" && saved !== null ? saved : {};
  const tab = "tab" in view ? hookTabs.find((known) => known === view.tab) : undefined;
  const filter = "filter" in view && typeof view.filter === "string" ? view.filter : "";
  return { tab: tab ?? "user", filter };
}

export function reduce(state: PageState, action: PageAction): PageState {
  switch (action.type) {
    case "snapshot":
      return withSnapshot(state, action.snapshot, action.tab);
    case "selectTab":
      return { ...state, tab: action.tab };
    case "setFilter":
      return { ...state, filter: action.filter };
    case "askDelete": {
      const { failure: _, ...rest } = state;
      return { ...rest, deletion: { hook: action.hook } };
    }
    case "cancelDelete":
      return state.deletion?.requestId === undefined ? withoutDeletion(state) : state;
    case "requestDelete":
      if (!state.deletion) return state;
      return { ...state, deletion: { ...state.deletion, requestId: action.requestId } };
    case "deleteResult": {
      const { deletion } = state;
      if (!deletion || deletion.requestId !== action.requestId) return state;
      const closed = withoutDeletion(state);
      if (action.ok) return announce(closed, formatString(texts.deleted, hookName(deletion.hook)));
      return { ...closed, failure: { hook: deletion.hook, reason: action.error } };
    }
    case "dismissFailure": {
      const { failure: _, ...rest } = state;
      return rest;
    }
  }
}

/** Takes a newer list. The host names the tab of the first one: it knows where the page was opened from. */
function withSnapshot(state: PageState, snapshot: HookSnapshot, tab: HookTab): PageState {
  if (state.snapshot && snapshot.revision < state.snapshot.revision) return state;
  const next: PageState = { ...state, snapshot, tab: state.snapshot ? state.tab : tab };
  const { deletion } = state;
  // Asked, not confirmed yet, and the hook is no longer what the dialog shows: the answer would be about something else.
  if (
    deletion &&
    deletion.requestId === undefined &&
    !snapshot.hooks.some(({ id }) => id === deletion.hook.id)
  ) {
    return { ...withoutDeletion(next), failure: { hook: deletion.hook, reason: texts.deleteGone } };
  }
  return next;
}

function withoutDeletion(state: PageState): PageState {
  const { deletion: _, ...rest } = state;
  return rest;
}

function announce(state: PageState, text: string): PageState {
  return { ...state, announcement: { id: (state.announcement?.id ?? 0) + 1, text } };
}
