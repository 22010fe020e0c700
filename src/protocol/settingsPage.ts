import { type HookSnapshot, type HookTab, hookTabs } from "./hookView.ts";
import { isRecord } from "./validate.ts";

/** Settings page to host. The host validates each with `parseSettingsPageMessage`. */
export type SettingsPageMessage =
  | { type: "ready" }
  | { type: "tab"; tab: HookTab }
  | { type: "newHook"; tab: "user" | "project" }
  | { type: "editHook"; id: string }
  | { type: "deleteHook"; id: string; requestId: number }
  | { type: "openFile"; file: string; line: number; column: number }
  | { type: "manageTrust" };

/** Host to settings page. */
export type SettingsPageEvent =
  | { type: "snapshot"; snapshot: HookSnapshot; tab: HookTab }
  | { type: "deleteResult"; requestId: number; ok: true }
  | { type: "deleteResult"; requestId: number; ok: false; error: string };

/** The message, or undefined where it is none of ours: a webview is never trusted. */
export function parseSettingsPageMessage(value: unknown): SettingsPageMessage | undefined {
  if (!isRecord(value)) return undefined;
  switch (value.type) {
    case "ready":
      return { type: "ready" };
    case "manageTrust":
      return { type: "manageTrust" };
    case "tab":
      return isTab(value.tab) ? { type: "tab", tab: value.tab } : undefined;
    case "newHook":
      return value.tab === "user" || value.tab === "project"
        ? { type: "newHook", tab: value.tab }
        : undefined;
    case "editHook":
      return typeof value.id === "string" ? { type: "editHook", id: value.id } : undefined;
    case "deleteHook":
      return typeof value.id === "string" && Number.isSafeInteger(value.requestId)
        ? { type: "deleteHook", id: value.id, requestId: value.requestId as number }
        : undefined;
    case "openFile":
      return typeof value.file === "string" && isPosition(value.line) && isPosition(value.column)
        ? { type: "openFile", file: value.file, line: value.line, column: value.column }
        : undefined;
    default:
      return undefined;
  }
}

function isTab(value: unknown): value is HookTab {
  return hookTabs.includes(value as HookTab);
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
