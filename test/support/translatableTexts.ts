import { readFileSync } from "node:fs";
import path from "node:path";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { protectionReasons } from "../../src/agent/permissions/protectedFiles.ts";
import { hookEvents } from "../../src/hooks/hookEvents.ts";
import { chatStrings, settingsStringComments, settingsStrings } from "../../src/protocol/strings.ts";
import { settingsProblemTexts } from "../../src/settings/settingsProblem.ts";

/** Every key that l10n/bundle.l10n.<locale>.json has to hold: `message`, or `message/comment`. */
export function translatableTexts(root: string): Set<string> {
  const settings = Object.entries(settingsStrings).map(([key, text]) => {
    const comment = settingsStringComments[key as keyof typeof settingsStrings];
    return comment === undefined ? text : `${text}/${comment}`;
  });
  return new Set([
    ...settings,
    ...Object.values(chatStrings),
    ...Object.values(settingsProblemTexts).flatMap(({ reason, advice }) => [reason, advice]),
    ...Object.values(hookEvents).map((row) => row.label),
    ...protectionReasons,
    ...literalsGivenToL10n(root),
  ]);
}

/** The texts of all calls `l10n.t("…")` of the extension; a call with anything but literals must take its text from a table above. */
function literalsGivenToL10n(root: string): string[] {
  const files = globSync("src/extension/**/*.ts", { cwd: root }).map((file) => path.join(root, file));
  return files.flatMap((file) => {
    const texts: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && /(^|\.)l10n\.t$/.test(node.expression.getText())) {
        const [first] = node.arguments;
        if (first) texts.push(...literalsOf(first));
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true));
    return texts;
  });
}

function literalsOf(expression: ts.Expression): string[] {
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isConditionalExpression(expression))
    return [...literalsOf(expression.whenTrue), ...literalsOf(expression.whenFalse)];
  return [];
}
