import type { HookDefinition, HookDialectName, HookSource } from "../hooks/hookDefinition.ts";
import type { LocatedProblem, SettingsProblem } from "./settingsProblem.ts";

export type JsonPath = readonly (string | number)[];

/** What the parser has to know of a file beside its text: it becomes the provenance of its hooks. */
export interface HooksFileOrigin {
  source: HookSource;
  dialect: HookDialectName;
  /** Absent for hooks given in code. */
  file?: string;
  pluginName?: string;
  pluginRoot?: string;
}

/** One entry of a hooks file, good or bad, as far as it could be read. */
export interface ParsedHook {
  /** The event's name as written in the file. */
  event: string;
  matcher?: string;
  /** The command or URL; "" where there is none. */
  command: string;
  description?: string;
  timeoutSeconds?: number;
  timeoutIsDefault: boolean;
  async: boolean;
  asyncRewake: boolean;
  /** Of the hook's object in the JSON text. */
  jsonPath: JsonPath;
  /** In UTF-16 units from the start of the text, a BOM not counted. */
  offset: number;
  length: number;
  /** 1-based. */
  line: number;
  column: number;
  /** Present exactly where the hook can run. */
  definition?: HookDefinition;
  /** Why it cannot; also among the file's problems. */
  bad?: SettingsProblem;
  /** Set where it is valid, yet not for this operating system. */
  otherSystem?: boolean;
  warnings: readonly SettingsProblem[];
}

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

export declare function parseHooksFile(text: string, origin: HooksFileOrigin): ParsedHooksFile;

/** Hooks given in code, in the shape of the "hooks" key of a settings file. */
export declare function parseCodeHooks(hooks: unknown): ParsedHooksFile;
