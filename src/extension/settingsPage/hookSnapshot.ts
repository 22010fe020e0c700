import type { FileProblem, HookSnapshot, HookTab, HookView } from "../../protocol/hookView.ts";
import type { HookFileLocation } from "../../settings/hookFileLocations.ts";
import type { HookList, ListedHook, ListedProblem } from "../../settings/listHooks.ts";
import { describeProblem, type SettingsProblem } from "../../settings/settingsProblem.ts";
import type { Localizer } from "../localizer.ts";
import { eventName } from "./eventNames.ts";

/** Characters of a command that the page is sent; nobody reads more in a list, and 100 KB commands exist. */
const shownCommandLength = 4000;

export interface SnapshotContext {
  revision: number;
  projectName: string;
  projectDir: string;
  trusted: boolean;
}

/** The list as the page shows it, in the user's language. */
export function hookSnapshot(list: HookList, context: SnapshotContext, l10n: Localizer): HookSnapshot {
  return {
    ...context,
    hooks: list.hooks.map((listed) => hookView(listed, l10n)),
    problems: list.problems.map((problem) => fileProblem(problem, l10n)),
  };
}

/** What is wrong and what to do, in the user's language. */
export function problemText(problem: SettingsProblem, l10n: Localizer): { reason: string; advice: string } {
  return describeProblem(problem, (text, params) => l10n.t(text, params));
}

function hookView(
  { id, location, hook, willRun, notRunning, canChange }: ListedHook,
  l10n: Localizer,
): HookView {
  const command = cutText(hook.command, shownCommandLength);
  const event = eventName(hook.event, location.dialect);
  return {
    id,
    tab: tabOf(location),
    source: location.source,
    sourceLabel: sourceLabel(location, l10n),
    dialect: location.dialect,
    event: hook.event,
    ...(event ? { eventLabel: l10n.t(event.label) } : {}),
    ...(event?.otherName === undefined ? {} : { otherEventName: event.otherName }),
    ...(event?.notFiredByCloudAgent ? { notFiredByCloudAgent: true } : {}),
    ...(hook.matcher === undefined ? {} : { matcher: hook.matcher }),
    ...(hook.description === undefined ? {} : { description: hook.description }),
    command: command.text,
    ...(command.cutBy > 0 ? { commandCutBy: command.cutBy } : {}),
    ...(hook.timeoutSeconds === undefined ? {} : { timeoutSeconds: hook.timeoutSeconds }),
    timeoutIsDefault: hook.timeoutIsDefault,
    async: hook.async,
    asyncRewake: hook.asyncRewake,
    file: location.file,
    fileLabel: location.fileLabel,
    line: hook.line,
    column: hook.column,
    willRun,
    ...(notRunning
      ? { notRunning: { reason: notRunning.reason, text: sentence(notRunning.why, l10n) } }
      : {}),
    warnings: hook.warnings.map((warning) => sentence(warning, l10n)),
    canChange,
  };
}

function fileProblem(problem: ListedProblem, l10n: Localizer): FileProblem {
  return {
    tab: tabOf(problem.location),
    severity: problem.severity,
    file: problem.location.file,
    fileLabel: problem.location.fileLabel,
    line: problem.line,
    column: problem.column,
    ...problemText(problem, l10n),
  };
}

function sentence(problem: SettingsProblem, l10n: Localizer): string {
  const { reason, advice } = problemText(problem, l10n);
  return `${reason} ${advice}`;
}

function tabOf(location: HookFileLocation): HookTab {
  switch (location.source) {
    case "user":
      return "user";
    case "project":
    case "local":
      return "project";
    case "plugin":
      return "plugin";
  }
}

function sourceLabel(location: HookFileLocation, l10n: Localizer): string {
  switch (location.source) {
    case "user":
      return l10n.t("User");
    case "project":
      return l10n.t("Project");
    case "local":
      return l10n.t("Project (local)");
    case "plugin":
      return l10n.t("Plugin: {0}", location.pluginName ?? location.fileLabel);
  }
}

/** Cuts without tearing a surrogate pair apart. */
function cutText(text: string, limit: number): { text: string; cutBy: number } {
  if (text.length <= limit) return { text, cutBy: 0 };
  const lastUnit = text.charCodeAt(limit - 1);
  const end = lastUnit >= 0xd800 && lastUnit <= 0xdbff ? limit - 1 : limit;
  return { text: text.slice(0, end), cutBy: text.length - end };
}
