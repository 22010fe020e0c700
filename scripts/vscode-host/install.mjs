// A whole VS Code from the npm registry: the package code-server carries the server and the workbench for the browser.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { withLock } from "./lock.mjs";
import { run } from "./run.mjs";
import { PlainError, say } from "./say.mjs";

/** VS Code 1.139.1, which needs Node 24; that comes from npm too. */
const codeServer = "4.139.1";
const node = "24.21.0";

/** @typedef {{ nodeBin: string, serverMain: string }} VscodeHost Absolute paths of the Node to use and of the server. */

/** `node-<platform>-<arch>` is a package that holds the Node binary and its headers. */
const nodePackages = new Set(["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"]);

/** Where downloads are kept between runs. @param {NodeJS.ProcessEnv} env */
function cacheDir(env = process.env) {
  return path.join(env.XDG_CACHE_HOME || path.join(env.HOME || homedir(), ".cache"), "wave-hooks");
}

/**
 * Installs VS Code into the user's cache unless it is there. Two runs at once wait for each other; a cut-off
 * installation is never taken for a whole one.
 * @returns {Promise<VscodeHost>}
 * @throws {PlainError} where it cannot be had
 */
export async function ensureVscodeHost() {
  const platform = `${process.platform}-${process.arch}`;
  if (!nodePackages.has(platform)) {
    throw new PlainError(
      `There is no VS Code for the browser on ${platform}. Install VS Code and put its "code" command on the PATH.`,
    );
  }
  const target = path.join(cacheDir(), "vscode-host", `code-server-${codeServer}-node-${node}`);
  const stamp = path.join(target, "complete");
  if (!existsSync(stamp)) {
    await withLock(
      `${target}.lock`,
      async () => {
        if (!existsSync(stamp)) await install(target, platform);
      },
      (pid) => say(`Another run (process ${pid}) is installing VS Code; waiting for it`),
    );
  }
  return hostIn(target, platform);
}

/** @param {string} target @param {string} platform @returns {VscodeHost} */
function hostIn(target, platform) {
  const modules = path.join(target, "node_modules");
  return {
    nodeBin: path.join(modules, `node-${platform}`, "bin", "node"),
    serverMain: path.join(modules, "code-server", "lib", "vscode", "out", "server-main.js"),
  };
}

/** @param {string} target @param {string} platform */
async function install(target, platform) {
  say(
    `Installing VS Code for the browser (code-server ${codeServer}, about 0.8 GB, one to two minutes) into ${target}`,
  );
  const partial = `${target}.partial`;
  for (const dir of [partial, target]) rmSync(dir, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  writeFileSync(path.join(partial, "package.json"), JSON.stringify({ private: true }));
  const npm = npmCommand();
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  // code-server's own install script compiles eight native modules and fetches from GitHub; two of them are enough here.
  const noScripts = ["--ignore-scripts", ...quiet];
  const packages = [`node-${platform}@${node}`, `code-server@${codeServer}`];
  await run(npm.command, [
    ...npm.args,
    "install",
    "--prefix",
    partial,
    "--no-save",
    ...noScripts,
    ...packages,
  ]);

  const nodeHome = path.join(partial, "node_modules", `node-${platform}`);
  const env = {
    ...process.env,
    PATH: `${path.join(nodeHome, "bin")}${path.delimiter}${process.env.PATH ?? ""}`,
    npm_config_nodedir: nodeHome,
  };
  const vscode = path.join(partial, "node_modules", "code-server", "lib", "vscode");
  await run(npm.command, [...npm.args, "install", "--omit=dev", ...noScripts], { cwd: vscode, env });
  await run(npm.command, [...npm.args, "install", "--omit=dev", ...noScripts], {
    cwd: path.join(vscode, "extensions"),
    env,
  });
  try {
    // Log files, and extension hosts that end with a server that was killed.
    await run(npm.command, [...npm.args, "rebuild", ...quiet, "@vscode/spdlog", "@vscode/native-watchdog"], {
      cwd: vscode,
      env,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    say(`VS Code runs without its native log writer, which could not be compiled: ${reason}`);
  }
  if (!existsSync(hostIn(partial, platform).serverMain)) {
    throw new PlainError(
      `The installation of code-server ${codeServer} in ${partial} is incomplete. Delete that folder and try again.`,
    );
  }
  writeFileSync(path.join(partial, "complete"), "");
  renameSync(partial, target);
}

/** The npm that runs this script, else the one on the PATH: npm.cmd cannot be spawned without a shell. */
export function npmCommand() {
  const cli = process.env.npm_execpath;
  if (cli && readable(cli) && /npm-cli\.c?js$/.test(cli)) return { command: process.execPath, args: [cli] };
  return { command: process.platform === "win32" ? "npm.cmd" : "npm", args: [] };
}

/** @param {string} file */
function readable(file) {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}
