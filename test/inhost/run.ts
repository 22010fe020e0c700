import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import Mocha from "mocha";

class Silent extends Mocha.reporters.Base {}

/** What VS Code calls as extensionTestsPath. Rejects when a test failed or none ran. */
export async function run(): Promise<void> {
  const output = process.env.WAVE_HOOKS_INHOST_OUTPUT;
  const say = (line: string): void => {
    if (output) appendFileSync(output, `${line}\n`);
    else console.log(line);
  };
  const mocha = new Mocha({ ui: "bdd", timeout: 30_000, reporter: Silent });
  for (const file of readdirSync(__dirname).sort()) {
    if (file.endsWith(".test.cjs")) mocha.addFile(path.join(__dirname, file));
  }
  const counts = await new Promise<{ passed: number; failed: number; skipped: number }>((resolve) => {
    const runner = mocha.run(() => {
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      resolve({ passed: passes, failed: failures, skipped: pending });
    });
    runner.on("pass", (test) => say(`  ok      ${test.fullTitle()}`));
    runner.on("pending", (test) => say(`  skipped ${test.fullTitle()}`));
    runner.on("fail", (test, error) => say(`  FAILED  ${test.fullTitle()}\n${error.stack ?? error.message}`));
  });
  if (process.env.WAVE_HOOKS_INHOST_REPORT) {
    writeFileSync(process.env.WAVE_HOOKS_INHOST_REPORT, JSON.stringify(counts));
  }
  if (counts.failed > 0 || counts.passed === 0) {
    throw new Error(`${counts.passed} passed, ${counts.failed} failed`);
  }
}
