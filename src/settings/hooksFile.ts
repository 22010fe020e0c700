import { copilotEventNamed } from "../hooks/copilotEvents.ts";
import type { HookDialectName } from "../hooks/hookDefinition.ts";
import { copilotHooks } from "./copilotHooks.ts";
import { effectiveMembers, type JsonNode, snippetOf } from "./jsonTree.ts";
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

/** One shape per dialect. */
const hookFileShapes: Record<HookDialectName, HookFileShape> = {
  wave: waveHooks,
  copilot: copilotHooks(process.platform),
};

/** The dialects whose files can be read. */
export const readableDialects = Object.keys(hookFileShapes) as HookDialectName[];

/**
 * Reads the hooks of a file's text. One bad entry never costs its neighbours; a text that is not JSON has no hooks.
 * Never throws.
 */
export function parseHooksFile(text: string, origin: HooksFileOrigin): ParsedHooksFile {
  return readHooks(new SettingsDocument(text), origin);
}

/**
 * Hooks given in code, in the shape of the "hooks" key of a file. A camelCase event name means the Copilot dialect: its own
 * entries, payloads and answers.
 */
export function parseCodeHooks(hooks: unknown): ParsedHooksFile {
  const isObject = typeof hooks === "object" && hooks !== null && !Array.isArray(hooks);
  const named = isObject ? Object.entries(hooks) : [];
  const isCopilot = ([event]: [string, unknown]): boolean => copilotEventNamed(event)?.format === "camelCase";
  const parse = (some: unknown, dialect: HookDialectName) =>
    parseHooksFile(JSON.stringify({ hooks: some }), { source: "code", dialect });
  const wave = parse(
    isObject ? Object.fromEntries(named.filter((entry) => !isCopilot(entry))) : hooks,
    "wave",
  );
  const copilot = parse(Object.fromEntries(named.filter(isCopilot)), "copilot");
  return {
    ...wave,
    hooks: [...wave.hooks, ...copilot.hooks],
    problems: [...wave.problems, ...copilot.problems],
  };
}

/** The same for a text that is parsed already. */
export function readHooks(document: SettingsDocument, origin: HooksFileOrigin): ParsedHooksFile {
  const { root, problems } = document;
  const nothing = { hooks: [], enabledPlugins: new Map<string, boolean>() };
  if (!root) return { ...nothing, problems, isValid: false };
  const members = document.members(root);
  const hooks = members.get("hooks")?.value;
  if (hooks && hooks.kind !== "object")
    document.report(hooks.offset, "error", "hooksNotAnObject", { found: snippetOf(hooks) });
  const shape = hookFileShapes[origin.dialect];
  const found = hooks?.kind === "object" ? shape(hooks, document, origin) : [];
  const disableAllHooks = document.booleanSetting(members.get("disableAllHooks")?.value, "disableAllHooks");
  const enabledPlugins = readEnabledPlugins(members.get("enabledPlugins")?.value, document);
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
