import type { HookDefinition, HookDialectName, HookSource } from "../hooks/hookDefinition.ts";
import type { JsonObject } from "./jsonTree.ts";
import type { SettingsDocument } from "./settingsDocument.ts";
import type { SettingsProblem } from "./settingsProblem.ts";

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

/** Reads the entries of the "hooks" object of one dialect, in order of definition, reporting what is wrong to the document. */
export type HookFileShape = (
  hooks: JsonObject,
  document: SettingsDocument,
  origin: HooksFileOrigin,
) => ParsedHook[];
