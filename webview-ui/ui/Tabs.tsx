import {
  provideVSCodeDesignSystem,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
} from "@vscode/webview-ui-toolkit";
import type { FormEvent, ReactNode } from "react";
import { Badge } from "./Badge.tsx";

provideVSCodeDesignSystem().register(vsCodePanels(), vsCodePanelTab(), vsCodePanelView());

interface Tab<Id extends string> {
  id: Id;
  text: string;
  count: number;
}

interface TabsProps<Id extends string> {
  tabs: readonly Tab<Id>[];
  active: Id;
  label: string;
  onSelect: (id: Id) => void;
  /** The content of the active tab. */
  children: ReactNode;
}

/** Tabs with arrow keys, Home and End; the selection follows the focus. */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  // The element moves by itself on a key, so its state is taken over at each change. A change event of a field inside bubbles, too.
  const onChange = (event: FormEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return;
    const { activeid } = event.currentTarget as HTMLElement & { activeid: string };
    const tab = props.tabs.find(({ id }) => tabId(id) === activeid);
    if (tab && tab.id !== props.active) props.onSelect(tab.id);
  };
  return (
    <vscode-panels activeid={tabId(props.active)} aria-label={props.label} onChange={onChange}>
      {props.tabs.map(({ id, text, count }) => (
        // The element copies its text into aria-label once, when it is connected: without the same text here, a later count
        // would not be heard.
        <vscode-panel-tab key={id} id={tabId(id)} aria-label={`${text} ${count}`}>
          {text} <Badge>{count}</Badge>
        </vscode-panel-tab>
      ))}
      {props.tabs.map(({ id }) => (
        <vscode-panel-view key={id} id={`view-${id}`}>
          {id === props.active && props.children}
        </vscode-panel-view>
      ))}
    </vscode-panels>
  );
}

function tabId(id: string): string {
  return `tab-${id}`;
}
