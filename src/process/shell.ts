import { win32 } from "node:path";

/** How a command line is handed to a shell. */
export interface Shell {
  kind: "sh" | "gitBash" | "powershell";
  file: string;
  args(command: string): string[];
}

export interface ShellSearch {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  fileExists(path: string): boolean;
}

/** `/bin/sh`; on Windows Git Bash where it is installed, else PowerShell (design.md section 4). */
export function findShell(search: ShellSearch): Shell {
  if (search.platform !== "win32") return { kind: "sh", file: "/bin/sh", args: (command) => ["-c", command] };
  const gitBash = gitBashPlaces(search.env).find((place) => search.fileExists(place));
  if (gitBash !== undefined) return { kind: "gitBash", file: gitBash, args: (command) => ["-c", command] };
  const systemRoot = variable(search.env, "SystemRoot") ?? "C:\\Windows";
  return {
    kind: "powershell",
    file: win32.join(systemRoot, "System32", "WindowsPowerShell", "v1.0", "powershell.exe"),
    args: powerShellArguments,
  };
}

/** Never `System32\bash.exe`: that one is the Linux subsystem, with other paths and another environment. */
function gitBashPlaces(env: ShellSearch["env"]): string[] {
  const places: string[] = [];
  for (const name of ["ProgramFiles", "ProgramW6432", "ProgramFiles(x86)"]) {
    const folder = variable(env, name);
    if (folder) places.push(win32.join(folder, "Git", "bin", "bash.exe"));
  }
  const local = variable(env, "LocalAppData");
  if (local) places.push(win32.join(local, "Programs", "Git", "bin", "bash.exe"));
  for (const folder of (variable(env, "Path") ?? "").split(";")) {
    // git.exe stands in <Git>\cmd or <Git>\bin; bash.exe in <Git>\bin.
    if (/[\\/]git[\\/](?:cmd|bin)[\\/]?$/i.test(folder))
      places.push(win32.join(folder, "..", "bin", "bash.exe"));
  }
  return places;
}

/** Names of environment variables know no case on Windows. */
function variable(env: ShellSearch["env"], name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(env).find(([each]) => each.toLowerCase() === wanted)?.[1];
}

/** Variables that hook commands written for a POSIX shell name as `${NAME}`; PowerShell knows them as `${env:NAME}`. */
const portableVariables = /\$\{((?:WAVE|CLAUDE)_(?:PROJECT_DIR|PLUGIN_ROOT))\}/g;

/**
 * Base64 of UTF-16 spares every question of quoting. PowerShell by itself turns each failing exit code into 1 and writes
 * stderr as XML and stdout in the console's code page; hooks need exit code 2 and UTF-8.
 */
function powerShellArguments(command: string): string[] {
  const script = [
    "$ProgressPreference = 'SilentlyContinue'",
    "[Console]::OutputEncoding = [System.Text.UTF8Encoding]::new($false)",
    "[Console]::InputEncoding = [System.Text.UTF8Encoding]::new($false)",
    command.replace(portableVariables, (_, name: string) => `\${env:${name}}`),
    "$waveSucceeded = $?",
    "if ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }",
    "if (-not $waveSucceeded) { exit 1 }",
  ].join("\n");
  return [
    "-NoLogo",
    "-NoProfile",
    "-NonInteractive",
    "-ExecutionPolicy",
    "Bypass",
    "-InputFormat",
    "Text",
    "-OutputFormat",
    "Text",
    "-EncodedCommand",
    Buffer.from(script, "utf16le").toString("base64"),
  ];
}
