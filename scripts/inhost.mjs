// Runs test/inhost with mocha inside an extension host: in VS Code for the browser, or with --electron in a
// desktop VS Code that @vscode/test-electron downloads.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildInHostSuite } from "./inHostSuite.mjs";
import { build, root, runScript } from "./prepare.mjs";
import { copySample } from "./sampleProject.mjs";
import { followFile, runInHost } from "./vscode-host/inHost.mjs";
import { PlainError, say } from "./vscode-host/say.mjs";

const companion = path.join(root, "test", "support", "companion");

/** @param {Parameters<typeof runInHost>[0]} options @returns {Promise<number>} */
async function runInElectron({ extension, tests, folder, home, outputFile, env = {} }) {
  const { downloadAndUnzipVSCode, runTests } = await import("@vscode/test-electron");
  say("Getting a desktop VS Code");
  const vscodeExecutablePath = await downloadAndUnzipVSCode().catch((error) => {
    throw new PlainError(
      `VS Code could not be downloaded: ${error instanceof Error ? error.message : error}`,
    );
  });
  const follower = followFile(outputFile);
  try {
    return await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: [extension, companion],
      extensionTestsPath: tests,
      launchArgs: [folder, "--disable-workspace-trust", "--skip-welcome"],
      extensionTestsEnv: { ...env, HOME: home, USERPROFILE: home },
    });
  } catch {
    return 1; // the suite has told what failed
  } finally {
    follower.stop();
  }
}

await runScript(async () => {
  if (process.env.WAVE_HOOKS_BUILT !== "1") await build();
  const tests = await buildInHostSuite(root);
  const results = path.join(root, "test-results");
  mkdirSync(results, { recursive: true });
  const report = path.join(results, "inhost.json");
  rmSync(report, { force: true });
  const dir = mkdtempSync(path.join(tmpdir(), "wave-hooks-inhost-"));
  try {
    const { home, project } = copySample(dir);
    const outputFile = path.join(dir, "output.txt");
    const options = {
      ...{ extension: root, tests, folder: project, home, outputFile, extensionFolders: [companion] },
      env: { WAVE_HOOKS_INHOST_OUTPUT: outputFile, WAVE_HOOKS_INHOST_REPORT: report },
    };
    const code = await (process.argv.includes("--electron") ? runInElectron(options) : runInHost(options));
    const { passed, failed, skipped } = JSON.parse(readFileSync(report, "utf8"));
    console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    return code;
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
});
