import { chatStrings, settingsStringComments, settingsStrings } from "../protocol/strings.ts";
import type { Localizer } from "./localizer.ts";

/** The texts of the settings page in the user's language. */
export function settingsTexts(l10n: Localizer): Record<string, string> {
  return translate(settingsStrings, settingsStringComments, l10n);
}

/** The texts of the chat in the user's language. */
export function chatTexts(l10n: Localizer): Record<string, string> {
  return translate(chatStrings, {}, l10n);
}

function translate(
  english: Readonly<Record<string, string>>,
  comments: Readonly<Record<string, string>>,
  l10n: Localizer,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(english).map(([key, message]) => {
      const comment = comments[key];
      return [key, comment === undefined ? l10n.t(message) : l10n.t({ message, comment: [comment] })];
    }),
  );
}
