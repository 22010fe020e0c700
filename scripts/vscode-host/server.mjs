import { spawn } from "node:child_process";
import {
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ensureVscodeHost } from "./install.mjs";
import { endProcessGroup, killProcessGroup } from "./processGroup.mjs";
import { run } from "./run.mjs";

/** No welcome page, no gallery or telemetry traffic, no second chat bar. */
export const quietSettings = {
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.enableExperiments": false,
  "workbench.tips.enabled": false,
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "git.openRepositoryInParentFolders": "never",
  "remote.autoForwardPorts": false,
};

const testDriver = [
  "--enable-smoke-test-driver", // window.driver, and ?payload= for development and test paths
  ...["--reconnection-grace-time", "1"], // a closed page takes its extension host along
];

/**
 * @typedef {object} ServerOptions
 * @property {string} [home] home folder of the server and so of the extension; a throw-away one by default
 * @property {Record<string, unknown>} [settings] user settings, beside the quiet ones
 * @property {Record<string, string>} [env]
 * @property {boolean} [askForTrust] false (the default): every folder is trusted
 * @property {boolean} [forPerson] without the test driver, which hides notifications and lets a closed page's extension host end at once
 * @property {readonly string[]} [extensionFolders] unpacked extensions, linked in as if they had been installed
 * @property {readonly string[]} [vsix] packages to install
 * @property {string} [locale] display language, e.g. "zh-cn"; texts of VS Code itself stay English
 *
 * @typedef {object} VscodeServer
 * @property {string} url
 * @property {string} dir throw-away folder with the server's log and data
 * @property {string} home
 * @property {string} settingsFile the user settings of the window: user settings of a browser live on the server
 * @property {(place: string, payload?: readonly (readonly [string, string])[]) => string} windowUrl of a folder or a .code-workspace file
 * @property {(file: string) => string} remoteUri
 * @property {() => Promise<void>} stop ends every process of the server and removes `dir`
 */

/** @param {ServerOptions} [options] @returns {Promise<VscodeServer>} */
export async function startServer(options = {}) {
  const host = await ensureVscodeHost();
  const dir = mkdtempSync(path.join(tmpdir(), "wave-hooks-vscode-"));
  const home = options.home ?? path.join(dir, "home");
  const data = path.join(dir, "data");
  const extensions = path.join(dir, "extensions");
  for (const folder of [home, extensions, path.join(data, "User"), path.join(data, "Machine")]) {
    mkdirSync(folder, { recursive: true });
  }
  const settingsFile = path.join(data, "User", "settings.json");
  writeFileSync(settingsFile, JSON.stringify({ ...quietSettings, ...options.settings }, undefined, 2));
  if (options.locale) offerLanguage(options.locale, data);
  const { NODE_OPTIONS: _ignored, ...inherited } = process.env;
  const env = {
    ...inherited,
    HOME: home,
    XDG_RUNTIME_DIR: dir, // else sockets of a killed server stay in the temp folder
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    ...options.env,
  };
  const places = ["--server-data-dir", dir, "--user-data-dir", data, "--extensions-dir", extensions];
  const terms = ["--accept-server-license-terms", "--telemetry-level", "off"];
  const common = [host.serverMain, ...places, ...terms];

  // Links first: the folder is scanned only as long as the first installation has not written its extensions.json.
  for (const folder of options.extensionFolders ?? []) linkExtension(folder, extensions);
  for (const vsix of options.vsix ?? []) {
    await run(host.nodeBin, [...common, "--install-extension", vsix, "--force"], { env });
  }

  const port = await freePort();
  const child = spawn(
    host.nodeBin,
    [
      ...common,
      ...["--host", "127.0.0.1", "--port", String(port), "--without-connection-token"],
      ...(options.forPerson ? [] : testDriver),
      ...["--agent-host-bridge-path", path.join(dir, "no-agent-host.sock")], // no second agent process
      ...(options.locale ? ["--locale", options.locale] : []),
      ...(options.askForTrust ? [] : ["--disable-workspace-trust"]),
    ],
    { env, stdio: ["ignore", "pipe", "pipe"], detached: true },
  );
  const log = createWriteStream(path.join(dir, "server.log"));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  // A test run that ends by an exception must not leave servers behind.
  const killAtExit = () => killProcessGroup(child);
  process.once("exit", killAtExit);
  const stop = async () => {
    process.off("exit", killAtExit);
    await endProcessGroup(child);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await answering(url, child);
  } catch (error) {
    const tail = readFileSync(path.join(dir, "server.log"), "utf8").slice(-2000);
    await stop();
    throw new Error(
      `The VS Code server did not start: ${error instanceof Error ? error.message : error}\n${tail}`,
    );
  }
  return {
    url,
    dir,
    home,
    settingsFile,
    windowUrl: (place, payload = []) => {
      const query = new URLSearchParams({
        [place.endsWith(".code-workspace") ? "workspace" : "folder"]: place,
      });
      if (payload.length > 0) query.set("payload", JSON.stringify(payload));
      return `${url}/?${query}`;
    },
    remoteUri: (file) => `vscode-remote://127.0.0.1:${port}${file}`,
    stop,
  };
}

/** VS Code takes a display language only where a language pack is known to translate it: this one translates nothing. @param {string} locale @param {string} data */
function offerLanguage(locale, data) {
  const translations = path.join(data, "no-translations.json");
  writeFileSync(translations, JSON.stringify({ version: "1.0.0", contents: {} }));
  const extensions = [{ extensionIdentifier: { id: "tests.no-translations" }, version: "1.0.0" }];
  const pack = { hash: "none", extensions, translations: { vscode: translations }, label: locale };
  writeFileSync(path.join(data, "languagepacks.json"), JSON.stringify({ [locale]: pack }));
}

/** @param {string} folder @param {string} extensions */
function linkExtension(folder, extensions) {
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const name = `${manifest.publisher}.${manifest.name}-${manifest.version}`;
  symlinkSync(path.resolve(folder), path.join(extensions, name), "junction");
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => {
        if (address && typeof address === "object") resolve(address.port);
        else reject(new Error("no free port"));
      });
    });
  });
}

/** @param {string} url @param {import("node:child_process").ChildProcess} child */
async function answering(url, child) {
  for (const end = Date.now() + 60_000; ; ) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`it ended with ${child.exitCode ?? child.signalCode}`);
    }
    try {
      if ((await fetch(`${url}/version`)).ok) return;
    } catch {
      // Not listening yet.
    }
    if (Date.now() > end) throw new Error("it does not answer");
    await delay(100);
  }
}
