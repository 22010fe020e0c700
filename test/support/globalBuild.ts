import { execFileSync } from "node:child_process";
import path from "node:path";
import type { TestProject } from "vitest/node";

/** Vitest global setup: the bundles under test are those of this source. `npm test` has built them already. */
export function setup(project: TestProject): void {
  if (process.env.WAVE_HOOKS_BUILT === "1") return;
  const root = path.resolve(import.meta.dirname, "../..");
  const names = project.name === "webview" ? ["settings", "chat"] : ["--types"];
  execFileSync(process.execPath, ["esbuild.mjs", ...names], { cwd: root, stdio: "inherit" });
}
