import { type Browser, chromium } from "playwright-core";
import { ensureChromium } from "../../scripts/vscode-host/chromium.mjs";

/** A real Chromium, without a window, that asks nothing of the network by itself. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await ensureChromium(),
    args: [
      "--headless",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
