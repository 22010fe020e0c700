import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";
import { run } from "./run.mjs";
import { PlainError, say } from "./say.mjs";

const commands = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
  "msedge",
];

/** Where installers put browsers that are not on the PATH. */
const knownPlaces = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ...["ProgramFiles", "ProgramFiles(x86)", "LocalAppData"].flatMap((name) => {
    const base = process.env[name];
    if (!base) return [];
    return [
      path.join(base, "Google", "Chrome", "Application", "chrome.exe"),
      path.join(base, "Microsoft", "Edge", "Application", "msedge.exe"),
    ];
  }),
];

/** An installed Chromium, Chrome or Edge, or what the variable CHROMIUM names. @returns {string | undefined} its path */
function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const extension = process.platform === "win32" ? ".exe" : "";
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  for (const command of commands) {
    for (const folder of folders) {
      const file = path.join(folder, command + extension);
      if (isExecutable(file)) return file;
    }
  }
  return knownPlaces.find((file) => existsSync(file));
}

/**
 * The path of a Chromium; on Debian, as root, its package is installed where there is none.
 * @returns {Promise<string>}
 * @throws {PlainError} where none can be had
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync("/etc/debian_version")) {
    say("Installing Debian's package chromium");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    // Another apt at work is waited for.
    const apt = ["-qq", "-o", "DPkg::Lock::Timeout=300"];
    await run("apt-get", [...apt, "update"], { env });
    await run("apt-get", [...apt, "install", "-y", "--no-install-recommends", "chromium"], { env });
    const installed = findChromium();
    if (installed) return installed;
  }
  throw new PlainError(
    "No Chromium, Chrome or Edge was found. Install one of them, or set the environment variable CHROMIUM to its path.",
  );
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
