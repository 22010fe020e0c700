import { join } from "node:path";
import type { HookTarget } from "./hookWish.ts";

export interface ComposerPlaces {
  home: string;
  workdir: string;
}

/** The absolute path of the file that a new hook goes into. */
export function targetFile(target: HookTarget, { home, workdir }: ComposerPlaces): string {
  if (typeof target === "object") {
    const { copilotFile } = target;
    if (/^~[\\/]/.test(copilotFile)) return join(home, copilotFile.slice(2));
    return /^(?:[\\/]|[A-Za-z]:)/.test(copilotFile) ? copilotFile : join(workdir, copilotFile);
  }
  if (target === "user") return join(home, ".wave", "settings.json");
  return join(workdir, ".wave", target === "local" ? "settings.local.json" : "settings.json");
}

/** A path as people write it: relative to the project, or below `~`. */
export function labelOf(file: string, { home, workdir }: ComposerPlaces): string {
  for (const [folder, shown] of [
    [workdir, ""],
    [home, "~/"],
  ] as const) {
    if (/^[\\/]/.test(file.slice(folder.length)) && file.startsWith(folder)) {
      return shown + file.slice(folder.length + 1).replaceAll("\\", "/");
    }
  }
  return file;
}
