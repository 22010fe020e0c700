import type { Disposable } from "../base/disposable.ts";
import type { HookConfiguration } from "../hooks/hookDefinition.ts";
import type { HookFilePlaces } from "./hookFileLocations.ts";
import type { PermissionRules } from "./permissionRules.ts";
import type { LocatedProblem } from "./settingsProblem.ts";

/** Said once for each change of a file that has problems, and once when they are gone. */
export interface SettingsFileReport {
  file: string;
  /** Empty: the file is in order again. */
  problems: readonly LocatedProblem[];
  /** True where the file could not be read or parsed and what it held before stays in force. */
  keptLastGood: boolean;
}

export interface HookConfigurationStoreOptions {
  places: HookFilePlaces;
  /** Hooks given in code, in the shape of the "hooks" key of a settings file; they run first (H18.3). */
  codeHooks?: unknown;
  /** In an untrusted workspace there is no hook at all. Asked at each event. */
  trusted: () => boolean;
  /** Must not throw. */
  onReport?: (report: SettingsFileReport) => void;
}

/** What is in force, always as the files are now; cheap to ask while nothing changes. */
export declare class HookConfigurationStore implements Disposable {
  constructor(options: HookConfigurationStoreOptions);
  /** Looks at the files and returns what is in force. Take it once per event. Never rejects. */
  current(): Promise<HookConfiguration>;
  /** What `current` returned last; no hooks before the first look. */
  readonly latest: HookConfiguration;
  /** Permission rules of the same files, with the same last-good rule. */
  permissionRules(): Promise<PermissionRules>;
  dispose(): void;
}
