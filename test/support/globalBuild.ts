import { execFileSync } from "node:child_process";
import path from "node:path";

/** Vitest global setup: the bundles under test are those of this source. `npm test` has built them already. */
export function setup(): void {
  if (process.env.WAVE_HOOKS_BUILT === "1") return;
  const root = path.resolve(import.meta.dirname, "../..");
  execFileSync(process.execPath, ["esbuild.mjs"], { cwd: root, stdio: "inherit" });
}
