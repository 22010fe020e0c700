/** Variables that a program needs to run at all. Everything else may be a secret and is for the server's configuration to name. */
const safeNames = [
  "HOME LANG LOGNAME PATH SHELL TERM TMPDIR TZ USER XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME",
  "APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES",
  "PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR",
].flatMap((line) => line.split(" "));

/** Windows spells names in any case. */
const isSafe = (name: string): boolean => safeNames.includes(name.toUpperCase()) || name.startsWith("LC_");

/** The part of `env` that any MCP server may see. Exported shell functions, which begin with "()", are left out. */
export function safeEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => isSafe(name) && !value.startsWith("()")),
  );
}
