import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Files of a user and a project with hooks from every source; each file as different as people's files are. */
export const sampleHookFiles = {
  /** CRLF, comments, a trailing comma, an unknown key. */
  user: [
    "{",
    "  // mine",
    '  "theme": "sea",',
    '  "hooks": {',
    '    "PreToolUse": [',
    "      {",
    '        "matcher": "Bash",',
    '        "hooks": [',
    "          // asks before it runs",
    '          { "type": "command", "command": "user-guard.sh", "description": "Guard of the user" },',
    '          { "type": "command", "command": "user-log.sh", "timeout": 7 } /* keeps a log */,',
    "        ],",
    "      },",
    "    ],",
    '    "Stop": [ { "hooks": [ { "type": "command", "command": "user-stop.sh", "async": true } ] } ],',
    "  },",
    "}",
    "",
  ].join("\r\n"),
  project: `{
\t"hooks": {
\t\t"PostToolUse": [
\t\t\t{ "matcher": "Write|Edit", "hooks": [
\t\t\t\t{ "type": "command", "command": "project-lint.sh", "description": "Lint what was edited" }
\t\t\t] }
\t\t],
\t\t"SessionStart": [{ "hooks": [{ "type": "command", "command": "project-start.sh" }] }]
\t}
}`,
  local: `{ "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "local-stop.sh" } ] } ] } }\n`,
  plugin: `{ "hooks": { "UserPromptSubmit": [ { "hooks": [ { "type": "command", "command": "plugin-rules.sh", "description": "Rules of the house" } ] } ] } }\n`,
};

export const hookFilePaths = (home: string, project: string) => ({
  user: path.join(home, ".wave", "settings.json"),
  project: path.join(project, ".wave", "settings.json"),
  local: path.join(project, ".wave", "settings.local.json"),
  plugin: path.join(home, ".wave", "plugins", "house", "hooks", "hooks.json"),
});

export function writeHookFiles(home: string, project: string): void {
  const paths = hookFilePaths(home, project);
  for (const [name, file] of Object.entries(paths)) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, sampleHookFiles[name as keyof typeof sampleHookFiles]);
  }
}
