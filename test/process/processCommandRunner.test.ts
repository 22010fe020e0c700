import { randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandRequest, CommandResult } from "../../src/hooks/commandRunner.ts";
import { ProcessCommandRunner } from "../../src/process/processCommandRunner.ts";
import { commandRequest } from "../support/commandRequest.ts";
import { nothingLeft, processesWith } from "../support/processesLeft.ts";

const mebibyte = 1024 * 1024;
const exit = (code: number) => ({ kind: "exit", code });

describe("a hook command", () => {
  let marker: string;
  let folder: string;
  let runner: ProcessCommandRunner;

  beforeEach(async () => {
    marker = `mark-${randomUUID()}`;
    folder = await realpath(await mkdtemp(join(tmpdir(), "wave-runner-")));
    runner = new ProcessCommandRunner({ home: folder });
  });
  afterEach(async () => {
    await runner.dispose();
    await nothingLeft(marker);
    await rm(folder, { recursive: true, force: true });
  });

  const run = (command: string, more?: Partial<CommandRequest>): Promise<CommandResult> =>
    runner.run(commandRequest(command, folder, marker, more));

  it("gets its input, and gives exit code, stdout and stderr apart", async () => {
    const result = await run("cat; echo oops >&2; exit 7", { stdin: '{"a":1}\n' });
    expect(result).toMatchObject({ end: exit(7), stdout: '{"a":1}\n', stderr: "oops\n" });
    expect(result).toMatchObject({ stdoutWasCut: false, stderrWasCut: false });
    expect(result.durationMs).toBeGreaterThan(0);
  });

  it("E7 that never reads 5 MB of stdin does not disturb the host", async () => {
    const stdin = "x".repeat(5 * mebibyte);
    expect(await run("echo done", { stdin })).toMatchObject({ end: exit(0), stdout: "done\n" });
    expect(await run("sleep 0.2; echo done", { stdin })).toMatchObject({ end: exit(0), stdout: "done\n" });
  });

  it("E7 that closes stdin and lives on is waited for", async () => {
    const result = await run("exec 0<&-; sleep 0.3; echo alive", { stdin: "x".repeat(5 * mebibyte) });
    expect(result).toMatchObject({ end: exit(0), stdout: "alive\n" });
  });

  it("reads all of 5 MB of stdin where it wants to", async () => {
    const result = await run("wc -c", { stdin: "x".repeat(5 * mebibyte) });
    expect(result.stdout.trim()).toBe(String(5 * mebibyte));
  });

  it("that leaves a child with its pipes behind is settled, and the child ends with the runner", async () => {
    const result = await run("sleep 300 & echo out; exit 3");
    expect(result).toMatchObject({ end: exit(3), stdout: "out\n" });
    expect(processesWith(marker)).toHaveLength(1);
    await runner.dispose();
    await nothingLeft(marker);
  });

  it("that leaves a chatty child behind is settled all the same", async () => {
    const result = await run("(while :; do echo more; sleep 0.02; done) & exit 0");
    expect(result.end).toEqual(exit(0));
    await runner.dispose();
    await nothingLeft(marker);
  });

  it("E10 that ignores TERM is ended at its timeout", async () => {
    const result = await run("trap '' TERM; echo up; while :; do sleep 0.05; done", { timeoutMs: 300 });
    expect(result.end).toEqual({ kind: "timeout" });
    await nothingLeft(marker);
  });

  it("E10 is ended at its timeout together with all that it started, also children that ignore TERM", async () => {
    const result = await run(
      "(trap '' TERM; while :; do sleep 0.05; done) & (trap '' TERM; sleep 300 & sleep 300) & sleep 300 & echo up; wait",
      { timeoutMs: 400 },
    );
    expect(result).toMatchObject({ end: { kind: "timeout" }, stdout: "up\n" });
    await nothingLeft(marker);
  });

  it("E10 whose children ignore TERM although it exits on it itself loses them, too", async () => {
    const result = await run(
      "(trap '' TERM; sleep 300) & (trap '' TERM; while :; do sleep 0.05; done) & wait",
      {
        timeoutMs: 300,
      },
    );
    expect(result.end).toEqual({ kind: "timeout" });
    await nothingLeft(marker);
  });

  it("ends with its whole tree when it is aborted, and is not started when that came first", async () => {
    const abort = new AbortController();
    const running = run("sleep 300 & echo $! > started; wait", {
      signal: abort.signal,
      onStart: () => setTimeout(() => abort.abort(), 200),
    });
    expect((await running).end).toEqual({ kind: "aborted" });
    await nothingLeft(marker);
    expect((await run("echo ran > never", { signal: abort.signal })).end).toEqual({ kind: "aborted" });
    expect(await run("cat never 2>/dev/null || echo none")).toMatchObject({ stdout: "none\n" });
  });

  it.each([
    ["stdout", "cat big", [true, false]],
    ["stderr", "cat big >&2", [false, true]],
    ["both", "cat big & cat big >&2; wait", [true, true]],
  ] as const)("E11 that prints 100 MB on %s is kept to 1 MiB and marked", async (_, command, cut) => {
    const result = await run(`head -c 104857600 /dev/zero | tr '\\0' x > big; ${command}; rm big`);
    expect(result.end).toEqual(exit(0));
    expect([result.stdoutWasCut, result.stderrWasCut]).toEqual(cut);
    for (const [text, wasCut] of [
      [result.stdout, cut[0]],
      [result.stderr, cut[1]],
    ] as const) {
      expect(text).toBe(wasCut ? `${"x".repeat(mebibyte)}\n… [cut: ${99 * mebibyte} more bytes]` : "");
    }
  });

  it("E11 is cut at a character border", async () => {
    await writeFile(join(folder, "wide"), `a${"語".repeat(mebibyte)}`);
    const { stdout } = await run("cat wide");
    expect(stdout.startsWith(`a${"語".repeat(349_525)}\n… [cut: `)).toBe(true);
  });

  it("E11 may split a character over two writes", async () => {
    const result = await run(
      "printf '\\350\\252'; sleep 0.1; printf '\\236'; sleep 0.1; printf '\\360\\237' >&2; sleep 0.1; printf '\\230\\200' >&2",
    );
    expect(result).toMatchObject({ stdout: "語", stderr: "😀" });
  });

  it("E12 may print bytes that are no UTF-8", async () => {
    expect(await run("printf 'a\\377\\000b' >&2; exit 1")).toMatchObject({
      end: exit(1),
      stderr: "a\uFFFD\0b",
    });
  });

  it("may delete its own working directory", async () => {
    const own = join(folder, "own");
    await mkdir(own);
    expect(await run(`rm -rf '${own}'; echo still here`, { cwd: own })).toMatchObject({
      end: exit(0),
      stdout: "still here\n",
    });
  });

  it("that dies by a signal has no exit code", async () => {
    expect((await run("kill -KILL $$")).end).toEqual({ kind: "signal", signal: "SIGKILL" });
    expect((await run("kill -SEGV $$")).end).toEqual({ kind: "signal", signal: "SIGSEGV" });
  });

  it("that waits for a FIFO which nobody opens is ended at its timeout", async () => {
    expect((await run("mkfifo pipe && cat pipe", { timeoutMs: 300 })).end).toEqual({ kind: "timeout" });
    await run("printf '#!/bin/sh\\n' > ok");
    expect((await run("sh ./pipe", { timeoutMs: 300 })).end).toEqual({ kind: "timeout" });
  });

  it("a timeout beyond the longest timer does not fire at once", async () => {
    expect(await run("sleep 0.1; echo late", { timeoutMs: 1e12 })).toMatchObject({ stdout: "late\n" });
  });

  it("H17.3 starts in the fallback directory when its own is gone", async () => {
    const gone = join(folder, "gone");
    const result = await run("pwd", { cwd: gone, fallbackCwd: folder });
    expect(result.stdout).toBe(`${folder}\n`);
    await writeFile(join(folder, "file"), "");
    expect((await run("pwd", { cwd: join(folder, "file") })).stdout).toBe(`${folder}\n`);
  });

  it("H17.4 learns the directory in which it really starts", async () => {
    const variables = { startDirectoryVariables: ["WAVE_PROJECT_DIR"] };
    const echo = 'echo "$WAVE_PROJECT_DIR"';
    expect((await run(echo, variables)).stdout).toBe(`${folder}\n`);
    const fallbackCwd = join(folder, "there");
    await mkdir(fallbackCwd);
    expect((await run(echo, { ...variables, cwd: join(folder, "gone"), fallbackCwd })).stdout).toBe(
      `${fallbackCwd}\n`,
    );
  });

  it("that cannot be started says why", async () => {
    expect((await run("echo a\0b")).end).toMatchObject({
      kind: "failedToStart",
      reason: expect.stringContaining("null character"),
    });
    expect((await run(`: ${"x".repeat(3 * mebibyte)}`)).end).toMatchObject({
      kind: "failedToStart",
      reason: expect.stringContaining("too long"),
    });
  });

  it("leaves no timer and no listener behind", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const abort = new AbortController();
    await run("true", { signal: abort.signal });
    await run("sleep 300 & exit 0", { signal: abort.signal });
    await run("sleep 300", { timeoutMs: 100 });
    expect(timers()).toBeLessThanOrEqual(before);
  });

  describe("E5 that the shell cannot run", () => {
    const script = async (name: string, text: string, mode: number): Promise<void> => {
      await writeFile(join(folder, name), text);
      await chmod(join(folder, name), mode);
    };
    const explained = async (command: string, more?: Partial<CommandRequest>): Promise<string> => {
      const result = await run(command, more);
      expect(result.end).toMatchObject({
        kind: "exit",
        code: expect.toSatisfy((code) => code === 126 || code === 127),
      });
      return result.explanation ?? "(no explanation)";
    };

    it("is missing", async () => {
      expect(await explained("./missing.sh --now")).toBe(
        `"./missing.sh" does not exist (looked up in ${folder}): correct the path`,
      );
      expect(await explained('"$WAVE_PROJECT_DIR"/.wave/x.sh', { env: { WAVE_PROJECT_DIR: folder } })).toBe(
        `"${folder}/.wave/x.sh" does not exist (looked up in ${folder}): correct the path`,
      );
      expect(await explained("bash 'my dir/x.sh'")).toContain('"my dir/x.sh" does not exist');
      expect(await explained("no-such-command-here | cat; exit 127")).toContain(
        'the command "no-such-command-here" was not found',
      );
      expect(await explained("cd / && ./nothing-there")).toContain('"./nothing-there" does not exist');
    });

    it("is a script that its interpreter does not find, although dash and Python exit with 2 then", async () => {
      for (const command of ["sh missing.sh", "python3 -u missing.py", "dash missing.sh"]) {
        const { end } = await run(command);
        if (end.kind === "exit") expect(end.code).toBe(127);
        else
          expect(end).toMatchObject({
            kind: "failedToStart",
            reason: expect.stringContaining("does not exist"),
          });
      }
      await script("two.py", 'import sys\nprint("x: can\'t open y", file=sys.stderr)\nsys.exit(2)\n', 0o644);
      expect((await run("python3 two.py")).end).toEqual(exit(2));
    });

    it("stands in the directory but not on the PATH", async () => {
      await script("here.sh", "#!/bin/sh\n", 0o755);
      expect(await explained("here.sh")).toContain("write ./here.sh");
    });

    it("is a directory", async () => {
      expect(await explained(folder)).toBe(`"${folder}" is a directory, not a program`);
    });

    it("has no x bit", async () => {
      await script("plain.sh", "#!/bin/sh\necho hi\n", 0o644);
      expect(await explained("./plain.sh")).toBe('"./plain.sh" is not executable: run chmod +x on it');
    });

    it("asks for an interpreter that does not exist", async () => {
      await script("odd.sh", "#!/no/such/shell -x\necho hi\n", 0o755);
      expect(await explained("./odd.sh")).toContain('the interpreter "/no/such/shell", which does not exist');
      await script("env.sh", "#!/usr/bin/env no-such-interpreter\n", 0o755);
      expect(await explained("./env.sh")).toContain('"no-such-interpreter", which was not found');
    });

    it("has Windows line endings", async () => {
      await script("crlf.sh", "#!/bin/sh\r\necho hi\r\n", 0o755);
      expect(await explained("./crlf.sh")).toContain("has Windows line endings (CRLF)");
      await script("crlf.py", "#!/usr/bin/env python3\r\nprint(1)\r\n", 0o755);
      expect(await explained("./crlf.py")).toContain("has Windows line endings (CRLF)");
    });

    it("but an exit code of 127 that a script chose itself stays unexplained", async () => {
      await script("chosen.sh", "#!/bin/sh\nexit 127\n", 0o755);
      expect((await run("./chosen.sh")).explanation).toBeUndefined();
    });
  });
});
