import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nothingLeft, processesWith } from "../support/processesLeft.ts";

/** A program that runs ten hook commands which ignore TERM and leave children, and one more that leaves a child and exits. */
const host = `
  import { ProcessCommandRunner } from "./src/process/processCommandRunner.ts";
  const runner = new ProcessCommandRunner();
  const run = (command) => runner.run({
    command, cwd: process.env.FOLDER, stdin: "{}", timeoutMs: 600000,
    env: { PATH: process.env.PATH, MARK: process.env.MARK },
  });
  for (let i = 0; i < 10; i++) void run("trap '' TERM HUP; sleep 300 & echo > up" + i + "; sleep 300; wait");
  await run("sleep 300 > /dev/null 2>&1 &");
  console.log("ready");
`;

describe("hook commands of a host", () => {
  let folder: string;
  let program: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "wave-host-"));
    program = join(folder, "host.mjs");
    await build({
      stdin: { contents: host, resolveDir: resolve("."), loader: "ts" },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: program,
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "all die with a host that is ended by %s",
    async (signal) => {
      const marker = `mark-${randomUUID()}`;
      const here = await mkdtemp(join(folder, "run-"));
      const child = spawn(process.execPath, [program], {
        env: { PATH: process.env.PATH, MARK: marker, FOLDER: here },
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      await expect.poll(async () => (await readdir(here)).length, { timeout: 15_000 }).toBe(10);
      expect(processesWith(marker).length).toBeGreaterThan(20);
      child.kill(signal);
      await once(child, "exit");
      await nothingLeft(marker);
    },
  );
});
