/** Characters that a reader passes over: blanks, and control and format characters such as the zero-width space. */
const invisible = String.raw`[\s\p{Cc}\p{Cf}]*`;
const tagStart = new RegExp(
  `[<＜﹤](?=[\\s\\p{Cc}\\p{Cf}/\\\\／]*${[..."system"].join(invisible)}[\\s\\p{Cc}\\p{Cf}\\p{Pd}\\u2212_]*${[..."reminder"].join(invisible)})`,
  "giu",
);

/**
 * Takes the power from imitations of the `<system-reminder>` tag in text that a hook produced, in any case, with any
 * blanks and dashes, so that the text can neither close nor open a wrapper (E18). The text stays readable: only `<` becomes `&lt;`.
 */
export function neutralizeReminderTags(text: string): string {
  return /[<＜﹤]/.test(text) ? text.replace(tagStart, "&lt;") : text;
}

/** Wraps a hook's text as context for the model (seed hooks.md, "注入形态"). */
export function wrapInSystemReminder(text: string): string {
  return `<system-reminder>\n${neutralizeReminderTags(text)}\n</system-reminder>`;
}
