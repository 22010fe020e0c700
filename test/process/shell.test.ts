import { describe, expect, it } from "vitest";
import { findShell } from "../../src/process/shell.ts";

const onWindows = (files: string[], env: Record<string, string> = {}) =>
  findShell({ platform: "win32", env, fileExists: (path) => files.includes(path) });

describe("the shell for hooks", () => {
  it("is /bin/sh on Linux and macOS, and gets the command untouched", () => {
    for (const platform of ["linux", "darwin"] as const) {
      const shell = findShell({ platform, env: {}, fileExists: () => true });
      expect([shell.file, ...shell.args("echo \"a b\" 'c' $D")]).toEqual([
        "/bin/sh",
        "-c",
        "echo \"a b\" 'c' $D",
      ]);
    }
  });

  it("is Git Bash on Windows, wherever it is installed", () => {
    const places: [string, Record<string, string>][] = [
      ["C:\\Program Files\\Git\\bin\\bash.exe", { PROGRAMFILES: "C:\\Program Files" }],
      ["C:\\Program Files (x86)\\Git\\bin\\bash.exe", { "ProgramFiles(x86)": "C:\\Program Files (x86)" }],
      ["C:\\U\\AppData\\Local\\Programs\\Git\\bin\\bash.exe", { LOCALAPPDATA: "C:\\U\\AppData\\Local" }],
      ["D:\\tools\\Git\\bin\\bash.exe", { PATH: "C:\\Windows\\System32;D:\\tools\\Git\\cmd" }],
    ];
    for (const [file, env] of places) {
      expect(onWindows([file], env)).toMatchObject({ kind: "gitBash", file });
      expect(onWindows([file], env).args('exit "2"')).toEqual(["-c", 'exit "2"']);
    }
  });

  it("is PowerShell on Windows without Git Bash, never the Linux subsystem's bash", () => {
    const shell = onWindows(["C:\\Windows\\System32\\bash.exe"], {
      Path: "C:\\Windows\\System32",
      SystemRoot: "C:\\Windows",
    });
    expect(shell.file).toBe("C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe");
  });

  it("hands PowerShell the command without any quoting, and takes exit codes as they are", () => {
    const command = `& "C:\\my dir\\x.exe" 'it''s' "語"; node "\${WAVE_PROJECT_DIR}/x.js" \${OTHER}`;
    const args = onWindows([]).args(command);
    expect(args).toContain("-NoProfile");
    const script = Buffer.from(args[args.indexOf("-EncodedCommand") + 1] ?? "", "base64").toString("utf16le");
    const lines = script.split("\n");
    // A variable that a hook names in the POSIX way is an environment variable in PowerShell.
    const line = `& "C:\\my dir\\x.exe" 'it''s' "語"; node "\${env:WAVE_PROJECT_DIR}/x.js" \${OTHER}`;
    expect(lines).toContain(line);
    expect(lines.slice(lines.indexOf(line) + 1)).toEqual([
      "$waveSucceeded = $?",
      "if ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }",
      "if (-not $waveSucceeded) { exit 1 }",
    ]);
  });
});
