import type { NotRunningReason } from "../protocol/hookView.ts";
import type { LoadedFile } from "./loadedFile.ts";
import type { ParsedHook } from "./parsedHook.ts";
import type { SettingsProblem } from "./settingsProblem.ts";

/** Why a hook does not run: the kind for the page, and the sentence. */
export interface NotRunning {
  reason: NotRunningReason;
  why: SettingsProblem;
}

/** Says of each hook of these files whether it runs. */
export type RunRule = (file: LoadedFile, hook: ParsedHook) => NotRunning | undefined;

/** The rule that follows from what the files say together; `files` are all of them, in run order. */
export function runRule(files: readonly LoadedFile[], trusted: boolean): RunRule {
  const disabledBy = whoDisablesHooks(files);
  const pluginSwitches = pluginsTurnedOnOrOff(files);
  return (file, hook) => {
    const { location, content } = file;
    if (hook.bad) return { reason: "bad", why: hook.bad };
    if (hook.otherSystem) return { reason: "otherSystem", why: { code: "otherSystem", params: {} } };
    const plugin = location.pluginName;
    const pluginSwitch = plugin === undefined ? undefined : pluginSwitches.get(plugin);
    if (plugin !== undefined && pluginSwitch && !pluginSwitch.isOn && !location.pluginIsGivenInCode)
      return { reason: "pluginOff", why: { code: "pluginOff", params: { plugin, file: pluginSwitch.file } } };
    // A Copilot file turns off its own hooks, and Wave's switch does not reach them (design.md section 9).
    const ownSwitch = content?.hooks.disableAllHooks ? location.file : undefined;
    const disabling = location.dialect === "wave" ? disabledBy : ownSwitch;
    if (disabling !== undefined)
      return { reason: "disabled", why: { code: "disabledByFile", params: { file: disabling } } };
    if (!trusted) return { reason: "untrusted", why: { code: "workspaceUntrusted", params: {} } };
    return undefined;
  };
}

/** The file whose `disableAllHooks` turns the Wave hooks off: the most local one that sets it decides. */
export function whoDisablesHooks(files: readonly LoadedFile[]): string | undefined {
  const deciding = settingsFiles(files).findLast((file) => file.content?.hooks.disableAllHooks !== undefined);
  return deciding?.content?.hooks.disableAllHooks ? deciding.location.file : undefined;
}

function pluginsTurnedOnOrOff(files: readonly LoadedFile[]): Map<string, { isOn: boolean; file: string }> {
  const switches = new Map<string, { isOn: boolean; file: string }>();
  for (const { location, content } of settingsFiles(files)) {
    for (const [name, isOn] of content?.hooks.enabledPlugins ?? [])
      switches.set(name, { isOn, file: location.file });
  }
  return switches;
}

/** The Wave settings files, from user to local: a plugin cannot turn other hooks off. */
function settingsFiles(files: readonly LoadedFile[]): LoadedFile[] {
  return files.filter(({ location }) => location.dialect === "wave" && location.source !== "plugin");
}
