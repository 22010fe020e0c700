// npm test: everything from installation to the tests in a real VS Code. The last line sums up: "N passed, N failed".
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { packageExtension } from "./packageExtension.mjs";
import { build, installDependencies, root, runScript } from "./prepare.mjs";
import { ensureChromium } from "./vscode-host/chromium.mjs";
import { ensureVscodeHost } from "./vscode-host/install.mjs";
import { say } from "./vscode-host/say.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

const results = path.join(root, "test-results");

/** @param {string} project @param {string} about @returns {Counts} */
function runVitest(project, about) {
  say(`Running the ${project} tests (${about})`);
  const report = path.join(results, `${project}.json`);
  rmSync(report, { force: true });
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const filters = process.argv.slice(2);
  const { status } = spawnSync(
    process.execPath,
    [vitest, "run", "--project", project, "--passWithNoTests", ...reporters, ...filters],
    { cwd: root, stdio: "inherit", env: { ...process.env, WAVE_HOOKS_BUILT: "1" } },
  );
  return withStatus(readCounts(report), status);
}

/** @param {string} report @returns {Counts} */
function readCounts(report) {
  try {
    const json = JSON.parse(readFileSync(report, "utf8"));
    return {
      passed: json.numPassedTests,
      failed: json.numFailedTests,
      skipped: json.numPendingTests + json.numTodoTests,
    };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

/** A run that failed without a failed test (a file that does not load, an unhandled error) is a failure too. @param {Counts} counts @param {number | null} status */
function withStatus(counts, status) {
  return status === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

/** @returns {Counts} */
function runInHost() {
  say("Running the tests inside VS Code's extension host");
  const report = path.join(results, "inhost.json");
  rmSync(report, { force: true });
  const script = path.join(root, "scripts", "inhost.mjs");
  const { status } = spawnSync(process.execPath, [script], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, WAVE_HOOKS_BUILT: "1" },
  });
  try {
    return withStatus(JSON.parse(readFileSync(report, "utf8")), status);
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

await runScript(async () => {
  mkdirSync(results, { recursive: true });
  await installDependencies();
  await build(["--types"]);
  process.env.CHROMIUM = await ensureChromium();
  say(`Using the browser ${process.env.CHROMIUM}`);
  await ensureVscodeHost();
  say("Packaging the extension");
  process.env.WAVE_HOOKS_VSIX = await packageExtension(root);
  const runs = [
    runVitest("unit", "real processes and files"),
    runVitest("webview", "the pages in Chromium"),
    runVitest("vscode", "the packaged extension in VS Code"),
  ];
  if (process.argv.length === 2) runs.push(runInHost());
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const run of runs) {
    sum.passed += run.passed;
    sum.failed += run.failed;
    sum.skipped += run.skipped;
  }
  console.log(
    `${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ""}`,
  );
  return sum.failed === 0 && sum.passed > 0 ? 0 : 1;
});
