import { defineConfig } from "vitest/config";

/** Real browsers and editors share two cores with everything else: one file at a time, and patience. */
const oneAtATime = { fileParallelism: false, testTimeout: 300_000, hookTimeout: 600_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/webview/**", "test/vscode/**", "test/inhost/**"],
          testTimeout: 60_000,
          // How busy the machine is must not decide a test.
          expect: { poll: { timeout: 15_000 } },
        },
      },
      {
        test: {
          name: "webview",
          include: ["test/webview/**/*.test.ts"],
          globalSetup: ["test/support/globalBuild.ts"],
          ...oneAtATime,
        },
      },
      {
        test: {
          name: "vscode",
          include: ["test/vscode/**/*.test.ts"],
          // The README's pictures are taken on request alone: a test run changes no file of the project.
          exclude: process.env.WAVE_HOOKS_SCREENSHOTS === "1" ? [] : ["test/vscode/screenshots.test.ts"],
          globalSetup: ["test/support/globalBuild.ts", "test/support/globalVscode.ts"],
          ...oneAtATime,
        },
      },
    ],
  },
});
