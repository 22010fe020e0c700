// Every check that needs no test run: formatting and lint, types, layers, dead code, manifest.
import { spawnSync } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const bin = (/** @type {string} */ name) => path.join(root, "node_modules", ".bin", name);

/** @type {[string, string[]][]} */
const checks = [
  ["biome", ["ci", "--error-on-warnings"]],
  ["tsc", ["-p", "."]],
  ["tsc", ["-p", "tsconfig.scripts.json"]],
  ["tsc", ["-p", "webview-ui"]],
  ["tsc", ["-p", "test/inhost"]],
  ["vitest", ["run", "--project", "unit", "test/layers.test.ts", "test/manifest.test.ts"]],
  ["knip", ["--no-progress"]],
];

let failed = 0;
for (const [tool, args] of checks) {
  const started = Date.now();
  const result = spawnSync(bin(tool), args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  const ok = result.status === 0;
  if (!ok) failed += 1;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${ok ? "ok    " : "FAILED"} ${tool} ${args.join(" ")} (${seconds} s)`);
}
console.log(failed === 0 ? "check: all clean" : `check: ${failed} of ${checks.length} failed`);
process.exitCode = failed === 0 ? 0 : 1;
