import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import * as esbuild from "esbuild";
import { globSync } from "tinyglobby";
import { nodeBundleOptions } from "./nodeBundleOptions.mjs";

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
    ...nodeBundleOptions,
    absWorkingDir: root,
    entryPoints: globSync("test/inhost/*.ts", { cwd: root }),
    outdir,
    outExtension: { ".js": ".cjs" },
    external: ["vscode", "mocha"],
    sourcemap: "inline",
  });
  return path.join(outdir, "run.cjs");
}
