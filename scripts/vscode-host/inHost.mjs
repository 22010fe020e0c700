import { closeSync, existsSync, openSync, readSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { chromium } from "playwright-core";
import { ensureChromium } from "./chromium.mjs";
import { startServer } from "./server.mjs";

/**
 * @typedef {object} InHostOptions
 * @property {string} extension folder of the extension under test
 * @property {string} tests module that exports run(), as for `code --extensionTestsPath`
 * @property {string} folder the folder that the window opens
 * @property {string} home
 * @property {string} outputFile the tests write here what they have to say; it is shown while they run
 * @property {readonly string[]} [extensionFolders] further extensions
 * @property {Record<string, string>} [env]
 * @property {number} [timeout] in ms
 */

/** Runs mocha inside the extension host of a VS Code in the browser. @param {InHostOptions} options @returns {Promise<number>} the exit code */
export async function runInHost(options) {
  const timeout = options.timeout ?? 600_000;
  const server = await startServer({
    home: options.home,
    extensionFolders: options.extensionFolders ?? [],
    env: options.env ?? {},
  });
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: ["--headless", "--disable-gpu", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  });
  writeFileSync(options.outputFile, "");
  const follower = followFile(options.outputFile);
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    /** @type {string[]} */
    const workbenchLog = [];
    // The workbench calls these two in a window that was opened with a path of tests.
    await page.exposeFunction(
      "codeAutomationLog",
      (/** @type {string} */ type, /** @type {unknown[]} */ args) => {
        workbenchLog.push(`[${type}] ${args.join(" ")}`);
      },
    );
    /** @type {Promise<number | string>} */
    const ended = new Promise((resolve) => {
      page.once("crash", () => resolve("the page crashed"));
      page.exposeFunction("codeAutomationExit", resolve).catch((error) => resolve(String(error)));
    });
    const address = server.windowUrl(options.folder, [
      ["extensionDevelopmentPath", server.remoteUri(options.extension)],
      ["extensionTestsPath", server.remoteUri(options.tests)],
      ["skipWelcome", "true"],
    ]);
    await page.goto(address, { waitUntil: "domcontentloaded" });
    const limit = new AbortController();
    const tooLate = delay(timeout, `no end after ${timeout / 1000} s`, { signal: limit.signal });
    const code = await Promise.race([ended, tooLate.catch(() => "stopped")]);
    limit.abort();
    follower.readRest();
    if (code === 0) return 0;
    if (!follower.sawAnything()) {
      console.error(
        `The tests never started (${code}). The workbench said:\n${workbenchLog.slice(-20).join("\n")}`,
      );
    } else if (typeof code === "string") console.error(code);
    return typeof code === "number" ? code : 1;
  } finally {
    follower.stop();
    await browser.close();
    await server.stop();
  }
}

/** Copies what is appended to a file to our own output. @param {string} file */
export function followFile(file) {
  if (!existsSync(file)) writeFileSync(file, "");
  const descriptor = openSync(path.resolve(file), "r");
  const buffer = Buffer.alloc(65_536);
  let position = 0;
  const readRest = () => {
    for (;;) {
      const length = readSync(descriptor, buffer, 0, buffer.length, position);
      if (length === 0) return;
      position += length;
      process.stdout.write(buffer.subarray(0, length));
    }
  };
  const timer = setInterval(readRest, 200);
  return {
    readRest,
    sawAnything: () => position > 0,
    stop: () => {
      clearInterval(timer);
      readRest();
      closeSync(descriptor);
    },
  };
}
