import { type ChildProcess, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { forgetGroup, killGroupWithUs } from "./orphanReaper.ts";
import { processGroupExists, signalProcessGroup } from "./processGroup.ts";

/** A program that runs until it ends or is ended: a background command, a server. No shell comes in between. */
export interface LongLivedProcessSpec {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  /** Without it, stdin is empty and closed. */
  writable?: boolean;
  /** Contract: neither may throw. Chunks are cut anywhere; decoding is the reader's matter. */
  onStdout: (chunk: Buffer) => void;
  onStderr: (chunk: Buffer) => void;
}

export type LongLivedProcessEnd = { kind: "exit"; code: number } | { kind: "signal"; signal: string };

export interface LongLivedProcess {
  readonly pid: number;
  /** Resolves once the program has ended, its output was read and nothing that it started in its group is left. Never rejects. */
  readonly ended: Promise<LongLivedProcessEnd>;
  /** Resolves when the text was taken; rejects where the program no longer reads. */
  write(text: string): Promise<void>;
  closeStdin(): void;
  /** Ends the whole process tree: gently, and by force after `graceMs`. May be called again; resolves with `ended`. */
  end(graceMs?: number): Promise<void>;
}

/** How long output is still read after the program's end, where something that it left behind holds its pipes. */
const drainMs = 200;
const defaultGraceMs = 500;

/** Rejects with an error for people where the program cannot be started. */
export async function startLongLivedProcess(spec: LongLivedProcessSpec): Promise<LongLivedProcess> {
  // A missing directory and a missing program give the same ENOENT; only one of them should be named.
  const folder = await stat(spec.cwd).catch(() => undefined);
  if (!folder?.isDirectory())
    throw new Error(`Cannot start "${spec.file}": the directory ${spec.cwd} does not exist.`);

  const child = spawn(spec.file, [...spec.args], {
    cwd: spec.cwd,
    env: spec.env,
    stdio: [spec.writable ? "pipe" : "ignore", "pipe", "pipe"],
    // An own group is what can be ended as a whole; on Windows it would open a console window.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const pid = await spawned(child, spec.file);
  killGroupWithUs(pid);
  child.stdout?.on("data", spec.onStdout);
  child.stderr?.on("data", spec.onStderr);
  // EPIPE and the like arrive where a write is under way; without a listener they would end the host.
  child.stdin?.on("error", () => {});

  let exited = false;
  let killTimer: NodeJS.Timeout | undefined;
  const ended = endOf(child).then(async (end) => {
    exited = true;
    clearTimeout(killTimer);
    await drained(child);
    if (processGroupExists(pid)) signalProcessGroup(pid, "SIGKILL");
    forgetGroup(pid);
    return end;
  });

  return {
    pid,
    ended,
    write: (text) =>
      new Promise((resolve, reject) => {
        if (!child.stdin?.writable) reject(new Error(`"${spec.file}" does not read any more.`));
        else child.stdin.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    closeStdin: () => void child.stdin?.end(),
    async end(graceMs = defaultGraceMs) {
      if (!exited) {
        signalProcessGroup(pid, "SIGTERM");
        killTimer ??= setTimeout(() => signalProcessGroup(pid, "SIGKILL"), graceMs);
      }
      await ended;
    },
  };
}

function spawned(child: ChildProcess, file: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child.pid ?? 0));
    child.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "ENOENT"
          ? "the program was not found"
          : error.code === "EACCES"
            ? "it may not be executed"
            : error.message;
      reject(new Error(`Cannot start "${file}": ${why}.`));
    });
  });
}

function endOf(child: ChildProcess): Promise<LongLivedProcessEnd> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) =>
      resolve(code === null ? { kind: "signal", signal: signal ?? "SIGKILL" } : { kind: "exit", code }),
    );
  });
}

/** Until the output is read to its end; "close" never comes where a process that was left behind holds the pipes. */
async function drained(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, drainMs);
    child.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  child.stdout?.destroy();
  child.stderr?.destroy();
}
