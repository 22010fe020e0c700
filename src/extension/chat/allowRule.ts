import path from "node:path";
import { textWithAllowRule } from "../../agent/permissions/ruleText.ts";
import { SettingsFileError } from "../../settings/settingsProblem.ts";
import { readSettingsText } from "../../settings/settingsText.ts";
import { writeFileAtomically } from "../../settings/writeFileAtomically.ts";

/** Where "Always allow" writes its rules: the user's own settings of this project. */
function allowRuleFile(projectDir: string): string {
  return path.join(projectDir, ".wave", "settings.local.json");
}

/**
 * Adds a rule to `permissions.allow` of the project's local settings. Rejects where the file cannot be read, understood
 * or written, or changed meanwhile; it is then as it was.
 */
export async function addAllowRule(projectDir: string, rule: string): Promise<void> {
  const file = allowRuleFile(projectDir);
  const found = await readSettingsText(file);
  if (found.state === "failed") throw new SettingsFileError(file, found.problem);
  const before = found.state === "read" ? found.text : "";
  const after = textWithAllowRule(before, rule);
  if (after === before) return;
  const bom = found.state === "read" && found.hasBom ? "\ufeff" : "";
  await writeFileAtomically(file, bom + after, { expectedHash: found.state === "read" ? found.hash : null });
}
