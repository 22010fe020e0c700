import type { HookDialectName } from "../hooks/hookDefinition.ts";
import { effectiveMembers, type JsonNode, memberValue, snippetOf } from "./jsonTree.ts";
import type { HookFileShape, HooksFileOrigin, ParsedHook } from "./parsedHook.ts";
import { SettingsDocument } from "./settingsDocument.ts";
import type { LocatedProblem } from "./settingsProblem.ts";
import { waveHooks } from "./waveHooks.ts";

export interface ParsedHooksFile {
  /** In order of definition. Empty where the text is not JSON. */
  hooks: readonly ParsedHook[];
  problems: readonly LocatedProblem[];
  /** False where the text is not JSON, or no object: then nothing of it counts, and it must not be written. */
  isValid: boolean;
  disableAllHooks?: boolean;
  /** Plugin name -> on or off; the wave dialect's settings files alone. */
  enabledPlugins: ReadonlyMap<string, boolean>;
}

/** One shape per dialect; a dialect without one has no files. */
const hookFileShapes: Partial<Record<HookDialectName, HookFileShape>> = { wave: waveHooks };

/** The dialects whose files can be read. */
export const readableDialects = Object.keys(hookFileShapes) as HookDialectName[];

/**
 * Reads the hooks of a file's text. One bad entry never costs its neighbours; a text that is not JSON has no hooks.
 * Never throws.
 */
export function parseHooksFile(text: string, origin: HooksFileOrigin): ParsedHooksFile {
  return readHooks(new SettingsDocument(text), origin);
}

/** Hooks given in code, in the shape of the "hooks" key of a settings file. */
export function parseCodeHooks(hooks: unknown): ParsedHooksFile {
  const text = JSON.stringify({ hooks });
  return parseHooksFile(text, { source: "code", dialect: "wave" });
}

/** The same for a text that is parsed already. */
export function readHooks(document: SettingsDocument, origin: HooksFileOrigin): ParsedHooksFile {
  const { root, problems } = document;
  const nothing = { hooks: [], enabledPlugins: new Map<string, boolean>() };
  if (!root) return { ...nothing, problems, isValid: false };
  document.reportRepeatedKeys(root);
  const hooks = memberValue(root, "hooks");
  if (hooks && hooks.kind !== "object")
    document.report(hooks.offset, "error", "hooksNotAnObject", { found: snippetOf(hooks) });
  const shape = hookFileShapes[origin.dialect];
  const found = hooks?.kind === "object" && shape ? shape(hooks, document, origin) : [];
  const disableAllHooks = document.booleanSetting(memberValue(root, "disableAllHooks"), "disableAllHooks");
  const enabledPlugins = readEnabledPlugins(memberValue(root, "enabledPlugins"), document);
  return {
    hooks: found,
    problems: problems.sort((a, b) => a.line - b.line || a.column - b.column),
    isValid: true,
    ...(disableAllHooks === undefined ? {} : { disableAllHooks }),
    enabledPlugins,
  };
}

function readEnabledPlugins(node: JsonNode | undefined, document: SettingsDocument): Map<string, boolean> {
  const plugins = new Map<string, boolean>();
  if (!node) return plugins;
  if (node.kind !== "object") {
    const params = { key: "enabledPlugins", found: snippetOf(node) };
    document.report(node.offset, "warning", "settingNotObject", params);
    return plugins;
  }
  for (const { key, value } of effectiveMembers(node).values()) {
    const isOn = document.booleanSetting(value, `enabledPlugins.${key}`);
    if (isOn !== undefined) plugins.set(key, isOn);
  }
  return plugins;
}
