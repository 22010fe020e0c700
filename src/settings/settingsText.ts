import type { SettingsProblem } from "./settingsProblem.ts";

/** What stands at a path. `text` is without its BOM; line ends are as in the file. */
export type SettingsText =
  | { state: "read"; text: string; hasBom: boolean; bytes: Buffer; hash: string; realPath: string }
  | { state: "missing" }
  | { state: "failed"; problem: SettingsProblem };

/** Reads a settings file of at most 64 MiB. Never rejects: what is in the way is told apart and returned. */
export declare function readSettingsText(path: string): Promise<SettingsText>;
