import type { Doubt } from "./findDoubts.ts";

/** The fields of a hook that a request sets; what it does not mention is absent. `null` means "take it away". */
export interface HookWish {
  event?: string;
  /** `null`: all tools. */
  matcher?: string | null;
  command?: string;
  timeoutSeconds?: number | null;
  async?: boolean;
  asyncRewake?: boolean;
  description?: string;
}

/** The settings file that a new hook goes into. */
export type HookTarget =
  | "user"
  | "project"
  | "local"
  /** A Copilot hook file, as the request names it: absolute, below `~/`, or relative to the project. */
  | { copilotFile: string };

/** What tells the hook to be edited apart from its neighbours; from the line that the edit prompt carries. */
export interface HookAim {
  event?: string;
  matcher?: string;
  command?: string;
  /** Absolute path of its file. */
  file?: string;
  /** 1-based line at which the hook begins in its file. */
  line?: number;
}

/** What is still needed before a request can be carried out. */
export type MissingPart = "target" | "event" | "tools" | "command" | "timeout" | "file" | "change" | Doubt;

export type Language = "en" | "zh";

/** A request as understood: complete where `missing` is empty. */
export type HookRequest =
  | { kind: "new"; target?: HookTarget; wish: HookWish; missing: readonly MissingPart[] }
  | { kind: "edit"; aim: HookAim; wish: HookWish; missing: readonly MissingPart[] }
  | { kind: "other" };

export function languageOf(text: string): Language {
  return /[\u3400-\u9fff]/u.test(text) ? "zh" : "en";
}
