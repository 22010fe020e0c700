/** Characters that a reader passes over: blanks, and format characters such as the zero-width space. */
const invisible = String.raw`[\s\p{Cf}]*`;
const tagStart = new RegExp(
  `<(?=[\\s\\p{Cf}/]*${[..."system"].join(invisible)}[\\s\\p{Cf}_-]*${[..."reminder"].join(invisible)})`,
  "giu",
);

/**
 * Takes the power from imitations of the `<system-reminder>` tag in text that a hook produced, in any case and with any
 * blanks, so that the text can neither close nor open a wrapper (E18). The text stays readable: only `<` becomes `&lt;`.
 */
export function neutralizeReminderTags(text: string): string {
  return text.includes("<") ? text.replace(tagStart, "&lt;") : text;
}

/** Wraps a hook's text as context for the model (seed hooks.md, "注入形态"). */
export function wrapInSystemReminder(text: string): string {
  return `<system-reminder>\n${neutralizeReminderTags(text)}\n</system-reminder>`;
}
