import path from "node:path";
import type { TestProject } from "vitest/node";
import { packageExtension } from "../../scripts/packageExtension.mjs";
import { ensureChromium } from "../../scripts/vscode-host/chromium.mjs";
import { ensureVscodeHost } from "../../scripts/vscode-host/install.mjs";

declare module "vitest" {
  export interface ProvidedContext {
    /** Absolute path of the packaged extension. */
    vsix: string;
  }
}

/** Vitest global setup: a browser, a VS Code and the package are there before the first test. */
export async function setup(project: TestProject): Promise<void> {
  await ensureChromium();
  await ensureVscodeHost();
  const root = path.resolve(import.meta.dirname, "../..");
  project.provide("vsix", process.env.WAVE_HOOKS_VSIX ?? (await packageExtension(root)));
}
