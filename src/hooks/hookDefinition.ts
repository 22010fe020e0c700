import type { HookEventName } from "./hookEvent.ts";

export type HookDialectName = "wave" | "copilot";

/** Levels in run order (design.md section 3). */
export const hookSources = ["code", "plugin", "user", "project", "local"] as const;
export type HookSource = (typeof hookSources)[number];

/** Where a hook comes from; it rides on the hook from its file to its result and the page. */
export interface HookProvenance {
  source: HookSource;
  dialect: HookDialectName;
  /** Absolute path; absent for hooks given in code. */
  file?: string;
  /** Path of the hook's object in the file's JSON, e.g. ["hooks","Stop",0,"hooks",1]. */
  jsonPath?: readonly (string | number)[];
  /** 1-based position of the hook's object in its file. */
  line?: number;
  column?: number;
  pluginName?: string;
  /** Absolute folder of the plugin. */
  pluginRoot?: string;
}

/** One hook that can run: parsed, valid, with its defaults filled in. */
export interface HookDefinition {
  event: HookEventName;
  /** The event's name as written in the file: it decides the payload format in the Copilot dialect. */
  writtenEvent: string;
  matcher?: string;
  action: HookAction;
  description?: string;
  timeoutMs: number;
  /** Whether the file itself sets a timeout (SessionEnd's default is shorter where it does not). */
  timeoutIsExplicit: boolean;
  /** True also where only asyncRewake is set (H10.4). */
  async: boolean;
  asyncRewake: boolean;
  provenance: HookProvenance;
}

export type HookAction =
  | { type: "command"; command: string; cwd?: string; env?: Readonly<Record<string, string>> }
  | {
      type: "http";
      url: string;
      headers?: Readonly<Record<string, string>>;
      allowedEnvVars?: readonly string[];
    };

/** Everything that is in force at one moment: taken once per event, so that an event never sees half of a change. */
export interface HookConfiguration {
  /** In run order, `disableAllHooks` already applied. */
  hooks: readonly HookDefinition[];
  /** Changes with every change of `hooks`; the engine compiles matchers once per revision. */
  revision: number;
}
