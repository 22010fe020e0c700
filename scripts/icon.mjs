// Renders media/icon.svg as media/icon.png: the marketplace and the extensions view take no SVG. Run it after a change of the drawing.
import { readFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";
import { ensureChromium } from "./vscode-host/chromium.mjs";

const media = path.resolve(import.meta.dirname, "../media");
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
const svg = readFileSync(path.join(media, "icon.svg"), "utf8");
await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
await page.screenshot({ path: path.join(media, "icon.png"), omitBackground: true });
await browser.close();
