import type { PermissionMode } from "../hooks/hookEvent.ts";
import { holdsPermissions, type PermissionBehavior } from "./filePermissions.ts";
import type { HookFileLocations } from "./hookFileLocations.ts";
import { type LoadedFile, loadFiles } from "./loadedFile.ts";

/** One entry of `permissions.allow`, `.ask` or `.deny`, as written, with the file that it stands in. */
export interface PermissionRule {
  /** `Bash(npm test)`, `Write`, `mcp__server__tool`. */
  rule: string;
  behavior: PermissionBehavior;
  source: "user" | "project" | "local";
  file: string;
  /** 1-based. */
  line: number;
}

export interface PermissionRules {
  /** In the order user, project, local; inside a file allow, ask, deny, each in order of definition. */
  rules: readonly PermissionRule[];
  /** `permissions.defaultMode` of the most local file that sets it. */
  defaultMode?: { mode: PermissionMode; file: string };
  /** Files whose rules are unknown, because they cannot be read or parsed and never could: allow nothing on their behalf. */
  unreadableFiles: readonly string[];
}

/** Reads the rules of the wave settings files (user, project, local). A malformed hook costs no rule. */
export async function readPermissionRules(locations: HookFileLocations): Promise<PermissionRules> {
  return mergePermissions(await loadFiles(locations.files));
}

/** Joins the rules of files given in run order. */
export function mergePermissions(files: readonly LoadedFile[]): PermissionRules {
  const rules: PermissionRule[] = [];
  const unreadableFiles: string[] = [];
  let defaultMode: PermissionRules["defaultMode"];
  for (const { location, state, content } of files) {
    const { source, file } = location;
    if (source === "plugin" || !holdsPermissions(location)) continue;
    if (state !== "missing" && !content) unreadableFiles.push(file);
    for (const rule of content?.permissions.rules ?? []) rules.push({ ...rule, source, file });
    const mode = content?.permissions.defaultMode;
    if (mode) defaultMode = { mode, file };
  }
  return { rules, ...(defaultMode ? { defaultMode } : {}), unreadableFiles };
}
