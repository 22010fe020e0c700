// npm start: VS Code with this extension, on a copy of the sample project and with a home folder of its own.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, installDependencies, root, runScript } from "./prepare.mjs";
import { copySample } from "./sampleProject.mjs";
import { endProcessGroup } from "./vscode-host/processGroup.mjs";
import { say } from "./vscode-host/say.mjs";
import { quietSettings, startServer } from "./vscode-host/server.mjs";

/** No hook runs before the sample is trusted: whoever tries it out should be asked at once. */
const trustPrompt = { "security.workspace.trust.startupPrompt": "always" };

/** The `code` command. The one in a remote terminal only hands files to its window: it can start none. @returns {string | undefined} */
function findCode() {
  if (process.env.VSCODE_IPC_HOOK_CLI) return undefined;
  const names = process.platform === "win32" ? ["code.cmd", "code.exe"] : ["code"];
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  return folders
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find((file) => existsSync(file));
}

/** Resolves at Ctrl+C or when somebody asks us to end. @returns {Promise<void>} */
function askedToStop() {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => resolve());
  });
}

/** @param {string} code @param {string} dir @param {{ home: string, project: string }} sample */
async function openDesktop(code, dir, { home, project }) {
  const userData = path.join(dir, "user-data");
  mkdirSync(path.join(userData, "User"), { recursive: true });
  writeFileSync(
    path.join(userData, "User", "settings.json"),
    JSON.stringify({ ...quietSettings, ...trustPrompt }, undefined, 2),
  );
  say(`Opening VS Code (${code}); close its window or press Ctrl+C to end`);
  const child = spawn(
    code,
    [
      "--new-window",
      "--wait",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      `--extensionDevelopmentPath=${root}`,
      ...["--user-data-dir", userData],
      ...["--extensions-dir", path.join(dir, "extensions")],
      project,
    ],
    {
      env: { ...process.env, HOME: home, USERPROFILE: home },
      stdio: "inherit",
      detached: process.platform !== "win32",
      shell: code.endsWith(".cmd"),
    },
  );
  const closed = new Promise((resolve, reject) => {
    child.once("exit", resolve);
    child.once("error", reject);
  });
  await Promise.race([closed, askedToStop()]);
  await endProcessGroup(child);
}

/** @param {{ home: string, project: string }} sample */
async function openInBrowser({ home, project }) {
  say(`There is no "code" command that could open a window: starting VS Code for the browser`);
  const stop = askedToStop();
  const server = await startServer({
    home,
    askForTrust: true,
    settings: trustPrompt,
    forPerson: true,
    extensionFolders: [root],
  });
  try {
    say("VS Code is running. Open this address in a browser on this machine, and press Ctrl+C here to end:");
    console.log(`\n  ${server.windowUrl(project)}\n`);
    await stop;
  } finally {
    await server.stop();
  }
}

await runScript(async () => {
  await installDependencies();
  await build();
  const dir = mkdtempSync(path.join(tmpdir(), "wave-hooks-start-"));
  try {
    const sample = copySample(dir);
    say(`The sample project is in ${sample.project}, its user's home folder in ${sample.home}`);
    say(
      'In the window: activity bar "Wave Hooks" for the chat, command "Wave Hooks: Open Hooks Settings" for the hooks',
    );
    const code = findCode();
    if (code) await openDesktop(code, dir, sample);
    else await openInBrowser(sample);
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  say("Ended; the copy of the sample project is removed");
  return 0;
});
