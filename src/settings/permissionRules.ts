import type { PermissionMode } from "../hooks/hookEvent.ts";
import type { HookFileLocations } from "./hookFileLocations.ts";
import type { ListedProblem } from "./listHooks.ts";

/** One entry of `permissions.allow`, `.ask` or `.deny`, as written, with the file that it stands in. */
export interface PermissionRule {
  /** `Bash(npm test)`, `Write`, `mcp__server__tool`. */
  rule: string;
  behavior: "allow" | "ask" | "deny";
  source: "user" | "project" | "local";
  file: string;
  /** 1-based. */
  line: number;
}

export interface PermissionRules {
  /** In the order user, project, local; inside a file in order of definition. */
  rules: readonly PermissionRule[];
  /** `permissions.defaultMode` of the most local file that sets it. */
  defaultMode?: { mode: PermissionMode; file: string };
  problems: readonly ListedProblem[];
  /** Files that cannot be read now and never could: their rules are unknown, so allow nothing on their behalf. */
  unreadableFiles: readonly string[];
}

/** Reads the rules of the wave settings files (user, project, local). A malformed hook costs no rule. */
export declare function readPermissionRules(locations: HookFileLocations): Promise<PermissionRules>;
