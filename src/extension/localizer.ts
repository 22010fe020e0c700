/**
 * Translates a text of the extension. `vscode.l10n` is one; pure code is handed it, so that it runs without VS Code.
 * Every literal given to `t` must have a Chinese translation in l10n/bundle.l10n.zh-cn.json (a test holds that).
 */
export interface Localizer {
  /** `{0}`, `{1}`, … in the message stand for the arguments. */
  t(message: string, ...args: (string | number | boolean)[]): string;
  /** `{name}` stands for the argument of that name. */
  t(message: string, args: Record<string, string | number>): string;
  /** The comment tells two texts apart that are the same in English. */
  t(options: { message: string; comment: string[] }): string;
}
