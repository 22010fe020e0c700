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
          globalSetup: ["test/support/globalBuild.ts", "test/support/globalVscode.ts"],
          ...oneAtATime,
        },
      },
    ],
  },
});
