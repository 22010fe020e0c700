import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import * as esbuild from "esbuild";
import { globSync } from "tinyglobby";

/**
 * Bundles test/inhost for mocha inside the extension host.
 * @param {string} root the project's folder
 * @returns {Promise<string>} the module to give to VS Code as extensionTestsPath
 */
export async function buildInHostSuite(root) {
  const outdir = path.join(root, "test-results", "inhost");
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: globSync("test/inhost/*.ts", { cwd: root }),
    outdir,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode", "mocha"],
    sourcemap: "inline",
    logLevel: "warning",
  });
  return path.join(outdir, "run.cjs");
}
