/** The tabs of the settings page, in order (seed hooks.md, story "按来源 Tab 展示钩子"). */
export const hookTabs = ["user", "project", "plugin"] as const;
export type HookTab = (typeof hookTabs)[number];

/** Why a listed hook does not run. */
export type NotRunningReason = "disabled" | "bad" | "untrusted" | "pluginOff" | "otherSystem";

/** One row of the settings page. All texts are data, to be shown as text only. Labels are already in the user's language. */
export interface HookView {
  /** Opaque aim for edit and delete: file, place and content. Two equal hooks in two places have two ids. */
  id: string;
  tab: HookTab;
  source: "user" | "project" | "local" | "plugin";
  /** "User", "Project", "Project (local)", "Plugin: name". */
  sourceLabel: string;
  dialect: "wave" | "copilot";
  /** As written in the file. */
  event: string;
  /** What the event means, from the event table; absent for an unknown event. */
  eventLabel?: string;
  /** The event's name in the other format, where it has one. */
  otherEventName?: string;
  /** Set for a Copilot event that the cloud agent never fires (C25). */
  notFiredByCloudAgent?: true;
  matcher?: string;
  description?: string;
  /** Command, or the URL of an HTTP hook. Cut for display; `commandCutBy` says by how many characters. */
  command: string;
  commandCutBy?: number;
  /** In seconds, the default where the file sets none. */
  timeoutSeconds?: number;
  timeoutIsDefault: boolean;
  async: boolean;
  asyncRewake: boolean;
  /** Absolute path of the file. */
  file: string;
  /** Short form for people: `~/.wave/settings.json`, `.wave/settings.json`. */
  fileLabel: string;
  /** 1-based. */
  line: number;
  column: number;
  willRun: boolean;
  notRunning?: { reason: NotRunningReason; text: string };
  warnings: readonly string[];
  /** False for plugin hooks: no edit, no delete (H29.5, H30.5). */
  canChange: boolean;
}

/** Something malformed in a file: where, what and what to do. */
export interface FileProblem {
  tab: HookTab;
  severity: "error" | "warning";
  file: string;
  fileLabel: string;
  line: number;
  column: number;
  reason: string;
  advice: string;
}

/** Everything that the settings page shows: always whole, never a difference. */
export interface HookSnapshot {
  /** Grows with each snapshot; an older one is ignored. */
  revision: number;
  projectName: string;
  projectDir: string;
  trusted: boolean;
  hooks: readonly HookView[];
  problems: readonly FileProblem[];
}
