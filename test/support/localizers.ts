import { readFileSync } from "node:fs";
import path from "node:path";
import type { Localizer } from "../../src/extension/localizer.ts";

type Text = string | { message: string; comment: string[] };
type Arg = string | number | boolean;

/** Stands in for `vscode.l10n` where there is no VS Code: the same placeholders, the same bundle. */
class BundleLocalizer implements Localizer {
  constructor(private readonly bundle: Readonly<Record<string, string>>) {}

  t(text: Text, ...args: (Arg | Record<string, string | number>)[]): string {
    const key = typeof text === "string" ? text : `${text.message}/${text.comment.join("")}`;
    const translated = this.bundle[key] ?? (typeof text === "string" ? text : text.message);
    const [first] = args;
    const values = typeof first === "object" ? first : { ...args };
    return translated.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name as never] ?? whole));
  }
}

export const english: Localizer = new BundleLocalizer({});

export const chinese: Localizer = new BundleLocalizer(
  JSON.parse(
    readFileSync(path.join(import.meta.dirname, "../../l10n/bundle.l10n.zh-cn.json"), "utf8"),
  ) as Record<string, string>,
);
