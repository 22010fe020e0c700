import type { SettingsFileError } from "../settings/settingsProblem.ts";
import type { Localizer } from "./localizer.ts";
import { problemText } from "./settingsPage/hookSnapshot.ts";

/** What went wrong, for people; in the user's language where it is known as data. */
export function errorText(error: unknown, l10n: Localizer): string {
  if (isSettingsFileError(error)) {
    const { reason, advice } = problemText(error.problem, l10n);
    return `${reason} ${advice}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** By name: the error may come from another bundle, whose classes are not ours. */
function isSettingsFileError(error: unknown): error is SettingsFileError {
  return error instanceof Error && error.name === "SettingsFileError" && "problem" in error;
}
