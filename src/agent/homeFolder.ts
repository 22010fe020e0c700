import { homedir } from "node:os";

/** The user's home folder: as given, else `HOME` (`USERPROFILE` on Windows) of `env`, else that of this process. */
export function homeFolder(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return given ?? (process.platform === "win32" ? env.USERPROFILE : env.HOME) ?? homedir();
}
