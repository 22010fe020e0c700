import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import type { CommandEnd, CommandRequest, CommandResult, CommandRunner } from "../hooks/commandRunner.ts";
import { BoundedText } from "./boundedText.ts";
import { explainShellFailure, explainUnopenedScript } from "./explainShellFailure.ts";
import { freeChunk } from "./freeChunk.ts";
import { LeftoverGroups } from "./leftoverGroups.ts";
import { endIdleReaper, forgetGroup, killGroupWithUs } from "./orphanReaper.ts";
import { processGroupExists, signalProcessGroup } from "./processGroup.ts";
import { findShell, type Shell } from "./shell.ts";

/** Of each stream. */
const keptBytes = 1024 * 1024;
/** Between TERM and KILL. */
const graceMs = 300;
/** After KILL: a process that even this does not end (stuck in the kernel) is given up. */
const giveUpMs = 1000;
/** After the exit, where something holds the pipes: until nothing came for this long, ... */
const drainIdleMs = 60;
/** ... and never longer than this. */
const drainMs = 500;
/** A process younger than this is not reported to the orphan reaper: most hooks are over by then. */
const reaperDelayMs = 25;
const longestTimerMs = 2 ** 31 - 1;

export interface ProcessCommandRunnerOptions {
  platform?: NodeJS.Platform;
  /** Where the shell is looked for. Default: that of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Last resort for a directory that is gone. */
  home?: string;
}

/** Runs hook commands as real processes, each in a group of its own. Nothing that a command does makes it reject. */
export class ProcessCommandRunner implements CommandRunner {
  private readonly shell: Shell;
  private readonly home: string;
  private readonly leftovers = new LeftoverGroups();
  private readonly running = new Set<RunningCommand>();

  constructor(options: ProcessCommandRunnerOptions = {}) {
    this.shell = findShell({
      platform: options.platform ?? process.platform,
      env: options.env ?? process.env,
      fileExists: existsSync,
    });
    this.home = options.home ?? homedir();
  }

  async run(request: CommandRequest): Promise<CommandResult> {
    const startedAt = performance.now();
    if (request.signal?.aborted) return notRun({ kind: "aborted" });
    const started = start(this.shell, request, [request.cwd, request.fallbackCwd, this.home, tmpdir()]);
    if ("failure" in started) return notRun({ kind: "failedToStart", reason: await started.failure });
    const command = new RunningCommand(started.child, started.pid, request, this.leftovers);
    this.running.add(command);
    const outcome = await command.finished;
    this.running.delete(command);
    const result: CommandResult = { ...outcome, durationMs: performance.now() - startedAt };
    return await withExplanation(result, request, started.cwd);
  }

  /** Ends what still runs, and what commands left running behind them; resolves when it is gone. */
  async dispose(): Promise<void> {
    for (const command of this.running) command.end({ kind: "aborted" });
    await Promise.all([...this.running].map((command) => command.finished));
    await this.leftovers.endAll(graceMs);
    endIdleReaper();
  }
}

/** What the shell's own exit codes, and an interpreter's for a missing script, mean in words. */
async function withExplanation(
  result: CommandResult,
  { command, env }: CommandRequest,
  cwd: string,
): Promise<CommandResult> {
  if (result.end.kind !== "exit" || result.end.code === 0) return result;
  const failure = { command, code: result.end.code, stderr: result.stderr, cwd, env };
  const unopened = await explainUnopenedScript(failure);
  if (unopened !== undefined) return { ...result, end: { kind: "failedToStart", reason: unopened } };
  const explanation = await explainShellFailure(failure);
  return explanation === undefined ? result : { ...result, explanation };
}

type Start = { child: ChildProcess; pid: number; cwd: string } | { failure: Promise<string> };

function start(shell: Shell, request: CommandRequest, places: readonly (string | undefined)[]): Start {
  let failure: Promise<string> = Promise.resolve("no directory to start in exists");
  for (const cwd of places) {
    if (cwd === undefined || cwd === "") continue;
    const names = request.startDirectoryVariables ?? [];
    const env =
      names.length === 0
        ? request.env
        : { ...request.env, ...Object.fromEntries(names.map((name) => [name, cwd])) };
    try {
      const child = spawn(shell.file, shell.args(request.command), {
        cwd,
        env,
        stdio: "pipe",
        // An own group is what can be ended as a whole; on Windows it would open a console window.
        detached: shell.kind === "sh",
        windowsHide: true,
      });
      if (child.pid !== undefined) {
        child.on("error", () => {});
        return { child, pid: child.pid, cwd };
      }
      // The same ENOENT stands for a missing shell and a missing directory; only a missing directory is worth another try.
      failure = new Promise((resolve) => {
        child.once("error", (error) => resolve(startFailure(error, shell)));
      });
    } catch (error) {
      failure = Promise.resolve(startFailure(error, shell));
    }
    if (canStartIn(cwd)) break;
  }
  return { failure };
}

function canStartIn(cwd: string): boolean {
  try {
    accessSync(cwd, constants.X_OK);
    return statSync(cwd).isDirectory();
  } catch {
    return false;
  }
}

function startFailure(error: unknown, shell: Shell): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
      return `the shell ${shell.file} was not found`;
    case "E2BIG":
      return "the command or its environment is too long for the system: put the command into a script file";
    case "EAGAIN":
    case "EMFILE":
    case "ENOMEM":
      return `the system has no room for another process (${code})`;
    case "ERR_INVALID_ARG_VALUE":
      return "the command or its environment holds a null character";
    default:
      return message;
  }
}

function notRun(end: CommandEnd): CommandResult {
  return { end, stdout: "", stderr: "", stdoutWasCut: false, stderrWasCut: false, durationMs: 0 };
}

type Outcome = Omit<CommandResult, "durationMs">;

/** One process from its start until it, its output and, where it was ended by us, its whole tree are done. */
class RunningCommand {
  readonly finished: Promise<Outcome>;
  private readonly child: ChildProcess;
  private readonly pid: number;
  private readonly request: CommandRequest;
  private readonly leftovers: LeftoverGroups;
  private readonly stdout = new BoundedText(keptBytes);
  private readonly stderr = new BoundedText(keptBytes);
  private readonly onAbort = (): void => this.end({ kind: "aborted" });
  private readonly timeout: NodeJS.Timeout;
  private readonly reaperTimer: NodeJS.Timeout;
  private step: NodeJS.Timeout | undefined;
  private settle: (outcome: Outcome) => void = () => {};
  /** Why we end it, where we do. */
  private endedBy: CommandEnd | undefined;
  /** How the process itself ended. `child.killed` and `exitCode` do not tell. */
  private exited: CommandEnd | undefined;
  private lastOutputAt = 0;
  private killedAt = Number.POSITIVE_INFINITY;
  private settled = false;

  constructor(child: ChildProcess, pid: number, request: CommandRequest, leftovers: LeftoverGroups) {
    this.child = child;
    this.pid = pid;
    this.request = request;
    this.leftovers = leftovers;
    this.finished = new Promise((resolve) => {
      this.settle = resolve;
    });
    child.stdout?.on("data", (chunk: Buffer) => this.take(this.stdout, chunk));
    child.stderr?.on("data", (chunk: Buffer) => this.take(this.stderr, chunk));
    child.on("exit", (code, signal) => this.onExit(code, signal));
    child.on("close", () => this.onClose());
    // EPIPE: a hook need not read its input. Without a listener it would end the host.
    child.stdin?.on("error", () => {});
    child.stdin?.end(request.stdin);
    this.timeout = setTimeout(
      () => this.end({ kind: "timeout" }),
      Math.min(request.timeoutMs, longestTimerMs),
    );
    this.reaperTimer = setTimeout(() => killGroupWithUs(pid), reaperDelayMs);
    request.signal?.addEventListener("abort", this.onAbort, { once: true });
    request.onStart?.(pid);
  }

  /** Ends the whole tree: TERM, a short grace, KILL. The first reason counts. */
  end(reason: CommandEnd): void {
    if (this.endedBy !== undefined || this.settled) return;
    // The exit came first, and only its output is still read: the command has ended by itself.
    if (this.exited !== undefined) return;
    this.endedBy = reason;
    signalProcessGroup(this.pid, "SIGTERM");
    this.step = setTimeout(() => {
      signalProcessGroup(this.pid, "SIGKILL");
      this.killedAt = performance.now();
      // Nothing of a group outlives KILL; where only the leader was waited for, there is no more to wait for.
      this.step = setTimeout(() => this.finish(), this.exited === undefined ? giveUpMs : 0);
    }, graceMs);
  }

  private take(kept: BoundedText, chunk: Buffer): void {
    kept.add(chunk);
    if (kept.wasCut) freeChunk(chunk);
    if (this.exited !== undefined) this.lastOutputAt = performance.now();
  }

  private onExit(code: number | null, signal: NodeJS.Signals | null): void {
    this.exited = code === null ? { kind: "signal", signal: signal ?? "SIGKILL" } : { kind: "exit", code };
    clearTimeout(this.timeout);
    if (this.endedBy !== undefined) {
      this.finishWithTree();
      return;
    }
    this.lastOutputAt = performance.now();
    const exitedAt = this.lastOutputAt;
    const look = (): void => {
      // Timers come before input in a turn of the event loop: let what is waiting in the pipe be read first.
      setImmediate(() => {
        if (this.settled) return;
        const now = performance.now();
        if (now - this.lastOutputAt >= drainIdleMs || now - exitedAt >= drainMs) this.finish();
        else this.step = setTimeout(look, drainIdleMs);
      });
    };
    this.step = setTimeout(look, drainIdleMs);
  }

  private onClose(): void {
    if (this.endedBy === undefined) this.finish();
  }

  /** The leader is gone; those of its group that ignore TERM have the rest of the grace, until `end` sends KILL. */
  private finishWithTree(): void {
    const wasKilled = performance.now() >= this.killedAt;
    if (wasKilled || !processGroupExists(this.pid)) {
      this.finish();
      return;
    }
    const look = setInterval(() => {
      if (!this.settled && processGroupExists(this.pid)) return;
      clearInterval(look);
      this.finish();
    }, 10);
  }

  private finish(): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.timeout);
    clearTimeout(this.reaperTimer);
    clearTimeout(this.step);
    this.request.signal?.removeEventListener("abort", this.onAbort);
    this.child.stdin?.destroy();
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    // A process that even KILL did not end must not keep the host alive.
    this.child.unref();
    if (this.endedBy === undefined && processGroupExists(this.pid)) this.leftovers.add(this.pid);
    else forgetGroup(this.pid);
    this.settle({
      end: this.endedBy ?? this.exited ?? { kind: "signal", signal: "SIGKILL" },
      stdout: this.stdout.text(),
      stderr: this.stderr.text(),
      stdoutWasCut: this.stdout.wasCut,
      stderrWasCut: this.stderr.wasCut,
    });
  }
}
