// What `npm start`, `npm test` and .ci/run need first. Node's own modules only: this runs before anything is installed.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { npmCommand } from "./vscode-host/install.mjs";
import { run } from "./vscode-host/run.mjs";
import { PlainError, say } from "./vscode-host/say.mjs";

export const root = path.resolve(import.meta.dirname, "..");

/** Installs from the lock file where node_modules is missing or older than the lock. */
export async function installDependencies() {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major < 20) throw new PlainError(`Node 20 or later is needed; this is ${process.version}.`);
  const lock = path.join(root, "package-lock.json");
  const installed = path.join(root, "node_modules", ".package-lock.json");
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  say("Installing the dependencies from package-lock.json (npm ci)");
  const npm = npmCommand();
  await run(npm.command, [...npm.args, "ci", "--no-audit", "--no-fund"], { cwd: root, show: true });
}

/** @param {readonly string[]} [flags] of esbuild.mjs */
export async function build(flags = []) {
  say("Building dist/");
  await run(process.execPath, ["esbuild.mjs", ...flags], { cwd: root, show: true });
}

/**
 * Runs a script's main function. A PlainError ends it with its sentence alone, anything else with its stack.
 * @param {() => Promise<number>} main gives the exit code
 */
export async function runScript(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof PlainError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
