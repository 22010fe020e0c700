import type { HookDialectName } from "../hooks/hookDefinition.ts";

/** Which system the process is on and where it keeps its files: handed in, so that tests never meet the real home folder. */
export interface HookFilePlaces {
  /** Absolute path of the user's home folder. */
  home: string;
  /** Absolute path of the project's folder; absent where no folder is open. */
  workdir?: string;
  /** Plugins given in code (`Agent.create({plugins})`), beside those of `~/.wave/plugins`. */
  plugins?: readonly { path: string }[];
  env?: Readonly<Record<string, string | undefined>>;
}

/** One place from which hooks may come, whether or not a file stands there. */
export interface HookFileLocation {
  source: "plugin" | "user" | "project" | "local";
  dialect: HookDialectName;
  /** Absolute path, as people know it: links are not resolved. */
  file: string;
  /** Short form for people: `~/.wave/settings.json`, `.wave/settings.json`. */
  fileLabel: string;
  pluginName?: string;
  pluginRoot?: string;
  /** Set where a plugin is turned off: the settings file that says so. */
  pluginOffBy?: string;
  /** False for plugins: their hooks are listed only. */
  canChange: boolean;
}

/** In run order; each real file once, however many paths lead to it. */
export interface HookFileLocations {
  files: readonly HookFileLocation[];
  /** Folders whose list of entries decides which files there are. */
  folders: readonly string[];
}

export declare function hookFileLocations(places: HookFilePlaces): Promise<HookFileLocations>;
