import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeBundleOptions } from "../../scripts/nodeBundleOptions.mjs";

const root = resolve(import.meta.dirname, "../..");

describe("examples/hookManager.ts", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "wave-example-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("H18.1 H18.3 V11 runs as a program of its own, with the hooks of a project and those in code", async () => {
    // As an installed package: the SDK in a file of its own, built as for publishing.
    const sdk = join(folder, "node_modules/wave-hooks/sdk.cjs");
    await build({ ...nodeBundleOptions, entryPoints: [join(root, "src/sdk.ts")], outfile: sdk });
    await writeFile(
      join(folder, "node_modules/wave-hooks/package.json"),
      '{"exports":{"./sdk":"./sdk.cjs"}}',
    );
    const program = join(folder, "example.mjs");
    await build({
      entryPoints: [join(root, "examples/hookManager.ts")],
      external: ["wave-hooks/sdk"],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: program,
    });
    await mkdir(join(folder, ".wave"));
    const stdout = {
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "Tests: npm test" },
    };
    await writeFile(
      join(folder, ".wave/settings.json"),
      JSON.stringify({
        hooks: {
          SessionStart: [{ hooks: [{ type: "command", command: `echo '${JSON.stringify(stdout)}'` }] }],
          PreToolUse: [{ hooks: [{ type: "command", command: "echo no such luck >&2; exit 1" }] }],
          Stop: [{ hooks: [{ type: "command", command: "true" }] }],
        },
      }),
    );
    const { stdout: printed } = await promisify(execFile)(process.execPath, [program, folder], {
      env: { PATH: process.env.PATH, HOME: join(folder, "home") },
    });
    const [stopHooks, ...lines] = printed.trim().split("\n");
    expect(stopHooks).toBe("Are there Stop hooks? true");
    expect(lines).toEqual([
      expect.stringMatching(/^SessionStart: echo .* -> succeeded; its additionalContext goes to the model$/),
      "For the model: <system-reminder>",
      "Tests: npm test",
      "</system-reminder>",
      expect.stringMatching(/^PreToolUse: grep .* -> blocked with exit code 2$/),
      "PreToolUse: echo no such luck >&2; exit 1 -> failed with exit code 1",
      "Blocked: PreToolUse:Bash hook error: Ask before you delete.",
      expect.stringMatching(
        /^For the user: PreToolUse hook .*settings\.json:\d+\) failed with exit code 1: no such luck$/,
      ),
    ]);
  });
});
