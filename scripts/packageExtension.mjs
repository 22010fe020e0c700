import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { run } from "./vscode-host/run.mjs";
import { PlainError } from "./vscode-host/say.mjs";

/**
 * Packages what is built in dist/. A warning of the packager is an error.
 * @param {string} root the project's folder
 * @param {string} [file] where to write it; by default below test-results, to be installed by tests
 * @returns {Promise<string>} absolute path of the .vsix
 */
export async function packageExtension(root, file = path.join(root, "test-results", "wave-hooks.vsix")) {
  const manifest = JSON.parse(
    readFileSync(path.join(root, "node_modules/@vscode/vsce/package.json"), "utf8"),
  );
  mkdirSync(path.dirname(file), { recursive: true });
  const vsce = path.join(root, "node_modules/@vscode/vsce", manifest.bin.vsce);
  const flags = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"];
  const output = await run(process.execPath, [vsce, "package", ...flags, "--out", file], { cwd: root });
  if (/\bwarning\b/i.test(output)) throw new PlainError(`Packaging the extension warns:\n${output}`);
  return file;
}
