import type { NotRunningReason } from "../protocol/hookView.ts";
import type { HookAim } from "./deleteHook.ts";
import type { HookFileLocation, HookFileLocations } from "./hookFileLocations.ts";
import type { ParsedHook } from "./hooksFile.ts";
import type { LocatedProblem, SettingsProblem } from "./settingsProblem.ts";

/** One hook of the settings page, not yet in the user's language. */
export interface ListedHook {
  /** Stays the same while file, place and content do. */
  id: string;
  location: HookFileLocation;
  hook: ParsedHook;
  /** Position in run order, from 0, over all sources. */
  order: number;
  willRun: boolean;
  notRunning?: { reason: NotRunningReason; why: SettingsProblem };
  canChange: boolean;
  aim: HookAim;
}

export interface ListedProblem extends LocatedProblem {
  location: HookFileLocation;
}

export interface HookList {
  hooks: readonly ListedHook[];
  problems: readonly ListedProblem[];
}

/** Everything that is on disk now. Never rejects for what a file holds. */
export declare function listHooks(
  locations: HookFileLocations,
  options: { trusted: boolean },
): Promise<HookList>;
