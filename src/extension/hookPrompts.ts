import type { HookView } from "../protocol/hookView.ts";
import type { Localizer } from "./localizer.ts";
import { oneLine } from "./oneLine.ts";

/** The prompt that "New user hook" and "New project hook" put into the chat (H28.1, H28.2; seed hooks.md to the letter). */
export function newHookPrompt(l10n: Localizer, tab: "user" | "project", projectName: string): string {
  return tab === "user"
    ? l10n.t("Set up a user hook for me: on <event>, for <matcher tools>, run <command>, <timeout/async>")
    : l10n.t(
        "Create a hook in [{0}] for me: on <event>, for <matcher tools>, run <command>, <timeout/async>",
        projectName,
      );
}

type NamedHook = Pick<HookView, "event" | "matcher" | "command">;

/** The prompt that "Edit" puts into the chat (H29.1), and under it the line that says which hook in which file is meant. */
export function editHookPrompt(l10n: Localizer, hook: NamedHook & Pick<HookView, "file" | "line">): string {
  const prompt = l10n.t("Edit this hook for me: change <event/matcher/command/timeout> to <new value>");
  return `${prompt}\n${l10n.t("The hook: {0} in {1}, line {2}", hookName(hook), hook.file, hook.line)}`;
}

/** Event, matcher and command on one line, e.g. ``PostToolUse, Write|Edit, `npm run lint` ``. */
export function hookName(hook: NamedHook): string {
  const parts = [oneLine(hook.event, 60)];
  if (hook.matcher !== undefined && hook.matcher !== "") parts.push(oneLine(hook.matcher, 60));
  if (hook.command !== "") parts.push(`\`${oneLine(hook.command, 120)}\``);
  return parts.join(", ");
}
