import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LongLivedProcess, startLongLivedProcess } from "../../src/process/longLivedProcess.ts";
import { nothingLeft, processesWith } from "../support/processesLeft.ts";

describe("a process that runs beside us", () => {
  let marker: string;
  let folder: string;
  let output: string;

  beforeEach(async () => {
    marker = `mark-${randomUUID()}`;
    folder = await mkdtemp(join(tmpdir(), "wave-process-"));
    output = "";
  });
  afterEach(async () => {
    await nothingLeft(marker);
    await rm(folder, { recursive: true, force: true });
  });

  const shell = (script: string, writable = false): Promise<LongLivedProcess> =>
    startLongLivedProcess({
      file: "/bin/sh",
      args: ["-c", script],
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", MARK: marker },
      writable,
      onStdout: (chunk) => {
        output += chunk.toString("latin1");
      },
      onStderr: (chunk) => {
        output += `!${chunk.toString("latin1")}`;
      },
    });

  it("tells its output and its exit code", async () => {
    const child = await shell("echo out; echo err >&2; exit 7");
    expect(await child.ended).toEqual({ kind: "exit", code: 7 });
    expect(output).toContain("out\n");
    expect(output).toContain("!err\n");
  });

  it("reads all of a large output before it counts as ended", async () => {
    const child = await shell("head -c 20000000 /dev/zero");
    await child.ended;
    expect(output).toHaveLength(20_000_000);
  });

  it("takes input while it runs, and says so when it no longer reads", async () => {
    const child = await shell(
      "read -r line; echo got $line; exec 0<&-; read -r never < /dev/null; sleep 0",
      true,
    );
    await child.write("one\n");
    await child.ended;
    expect(output).toBe("got one\n");
    await expect(child.write("two\n")).rejects.toThrow();
  });

  it("end takes the whole tree along, also children that ignore the gentle signal", async () => {
    const child = await shell("trap '' TERM; (trap '' TERM; sleep 300) & sleep 300 & echo up; wait");
    await expect.poll(() => output).toContain("up");
    expect(processesWith(marker).length).toBeGreaterThanOrEqual(3);
    await child.end(100);
    expect(await child.ended).toEqual({ kind: "signal", signal: "SIGKILL" });
    await nothingLeft(marker);
  });

  it("a child that is left behind neither delays the end for long nor survives it", async () => {
    const child = await shell("sleep 300 & exit 0");
    expect(await child.ended).toEqual({ kind: "exit", code: 0 });
    await nothingLeft(marker);
  });

  it("says what is wrong where it cannot start", async () => {
    const start = (file: string, cwd: string) =>
      startLongLivedProcess({ file, args: [], cwd, env: {}, onStdout: () => {}, onStderr: () => {} });
    await expect(start("no-such-program", folder)).rejects.toThrow(
      'Cannot start "no-such-program": the program was not found.',
    );
    await expect(start("/bin/sh", join(folder, "gone"))).rejects.toThrow("does not exist");
    await writeFile(join(folder, "plain.txt"), "text");
    await expect(start(join(folder, "plain.txt"), folder)).rejects.toThrow("it may not be executed");
  });

  it("ten trees die with a host that is killed and can run nothing any more", async () => {
    const host = join(folder, "host.mjs");
    await build({
      stdin: {
        contents: `
          import { startLongLivedProcess } from "./src/process/longLivedProcess.ts";
          for (let i = 0; i < 10; i++) await startLongLivedProcess({
            file: "/bin/sh", args: ["-c", "trap '' TERM HUP; sleep 300 & sleep 300; wait"], cwd: "/",
            env: { PATH: process.env.PATH, MARK: process.env.MARK }, onStdout() {}, onStderr() {},
          });
          console.log("up");
        `,
        resolveDir: resolve("."),
        loader: "ts",
      },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: host,
    });
    const child = spawn(process.execPath, [host], {
      env: { ...process.env, MARK: marker },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    // The host, ten shells, and their sleeps as far as they have started.
    expect(processesWith(marker).length).toBeGreaterThanOrEqual(11);
    child.kill("SIGKILL");
    await once(child, "exit");
    await nothingLeft(marker);
  });
});
