import { randomUUID } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import type { BackgroundTaskSummary } from "../../hooks/stopInput.ts";
import { BoundedOutput } from "./boundedOutput.ts";

export type TaskKind = BackgroundTaskSummary["type"];
export type TaskStatus = "pending" | "running" | "completed" | "failed" | "killed";

/** What is said of a task where it starts. `command` belongs to shells, `agentType` to subagents, `name` to workflows (H21.2 to H21.4). */
export interface TaskSpec {
  kind: TaskKind;
  description?: string;
  command?: string;
  agentType?: string;
  name?: string;
  /** The tool call that started it. */
  toolUseId?: string;
}

/** One piece of work that goes on beside the turn. A snapshot: it does not change under its reader. */
export interface BackgroundTask extends TaskSpec {
  id: string;
  status: TaskStatus;
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt?: number;
  /** Shells: absent where a signal ended it. */
  exitCode?: number;
  error?: string;
  /** Subagents: the answer. */
  result?: string;
}

export interface TaskEnd {
  status: "completed" | "failed" | "killed";
  exitCode?: number;
  error?: string;
  result?: string;
}

/** How a runner reports about its own task. After the task has ended, both calls do nothing. */
export interface TaskHandle {
  id: string;
  append(text: string): void;
  end(end: TaskEnd): void;
}

/** Ends the work. Resolves once nothing of it is left running. Contract: must not reject, may be called again. */
export type StopTask = () => Promise<void>;

export const maxRunningTasks = 100;
const maxEndedTasks = 100;
const outputLimit = 256 * 1024;
const endedOutputLimit = 64 * 1024;

interface Entry {
  task: BackgroundTask;
  output: BoundedOutput;
  stop: StopTask;
  /** Set while it is being stopped: however its runner sees the end, it was killed. */
  stopping?: { tell: boolean };
  ended: Promise<void>;
  settle: () => void;
}

/** All background work of one session. It ends with the session: `dispose` resolves when nothing is left running. */
export class BackgroundTasks {
  private readonly entries = new Map<string, Entry>();
  private readonly clock: Clock;
  private readonly onEnd: (task: BackgroundTask) => void;
  private readonly onChange: () => void;
  private disposed = false;

  /** `onEnd` is told of every end but those that `dispose` brings about. Contract: neither callback may throw. */
  constructor(options: { clock: Clock; onEnd: (task: BackgroundTask) => void; onChange?: () => void }) {
    this.clock = options.clock;
    this.onEnd = options.onEnd;
    this.onChange = options.onChange ?? (() => {});
  }

  /** Throws an error for people where the session has ended or too much is running; the caller then ends its work itself. */
  start(spec: TaskSpec, stop: StopTask): TaskHandle {
    if (this.disposed) throw new Error("The session has ended; nothing can be started in the background.");
    if (this.running().length >= maxRunningTasks) {
      throw new Error(
        `${maxRunningTasks} background tasks are running already. Wait for one with TaskOutput or end one with TaskStop.`,
      );
    }
    const id = newTaskId(spec.kind);
    let settle = (): void => {};
    const ended = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const task: BackgroundTask = { ...spec, id, status: "running", startedAt: this.clock.now() };
    this.entries.set(id, { task, output: new BoundedOutput(outputLimit), stop, ended, settle });
    this.onChange();
    return {
      id,
      append: (text) => {
        const entry = this.entries.get(id);
        if (entry && isUnderWay(entry.task)) entry.output.append(text);
      },
      end: (end) => this.end(id, end),
    };
  }

  get(id: string): BackgroundTask | undefined {
    const entry = this.entries.get(id);
    return entry && { ...entry.task };
  }

  list(): BackgroundTask[] {
    return [...this.entries.values()].map((entry) => ({ ...entry.task }));
  }

  /** For a Stop hook's input: what is under way at this moment and nothing that has ended (H21.7). */
  snapshot(): BackgroundTaskSummary[] {
    return this.running().map(({ task }) => ({
      id: task.id,
      type: task.kind,
      status: task.status === "pending" ? "pending" : "running",
      ...(task.description === undefined ? {} : { description: task.description }),
      ...(task.command === undefined ? {} : { command: task.command }),
      ...(task.agentType === undefined ? {} : { agentType: task.agentType }),
      ...(task.name === undefined ? {} : { name: task.name }),
    }));
  }

  /** Undefined where there is no such task. */
  readOutput(id: string, offset: number, maxLength: number): ReturnType<BoundedOutput["read"]> | undefined {
    return this.entries.get(id)?.output.read(offset, maxLength);
  }

  /** Resolves with the task once it has ended, `timeoutMs` have passed, or `signal` fires; undefined where there is no such task. */
  async waitFor(id: string, timeoutMs: number, signal?: AbortSignal): Promise<BackgroundTask | undefined> {
    const entry = this.entries.get(id);
    if (!entry) return undefined;
    if (isUnderWay(entry.task) && !signal?.aborted) {
      await new Promise<void>((resolve) => {
        const timer = this.clock.after(timeoutMs, done);
        signal?.addEventListener("abort", done);
        void entry.ended.then(done);
        function done(): void {
          timer.dispose();
          signal?.removeEventListener("abort", done);
          resolve();
        }
      });
    }
    return { ...entry.task };
  }

  /**
   * Ends a task and everything that it started. Resolves when it is over; undefined where there is no such task.
   * `tell`: whether `onEnd` hears of it, which the one who stops a task does not need.
   */
  async stop(id: string, options: { tell: boolean }): Promise<BackgroundTask | undefined> {
    const entry = this.entries.get(id);
    if (!entry) return undefined;
    if (isUnderWay(entry.task)) {
      entry.stopping ??= options;
      await entry.stop();
      this.end(id, { status: "killed" });
    }
    return { ...entry.task };
  }

  /** Ends everything without a word and forgets it; new work may be started afterwards (a session that is cleared). */
  async stopAll(): Promise<void> {
    const entries = [...this.entries.values()];
    this.entries.clear();
    await Promise.all(
      entries
        .filter(({ task }) => isUnderWay(task))
        .map(async (entry) => {
          entry.task.status = "killed";
          await entry.stop();
          entry.settle();
        }),
    );
    this.onChange();
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    await this.stopAll();
  }

  private running(): Entry[] {
    return [...this.entries.values()].filter(({ task }) => isUnderWay(task));
  }

  private end(id: string, end: TaskEnd): void {
    const entry = this.entries.get(id);
    if (!entry || !isUnderWay(entry.task)) return;
    Object.assign(entry.task, end, { endedAt: this.clock.now() });
    if (entry.stopping) entry.task.status = "killed";
    entry.output.trim(endedOutputLimit);
    entry.settle();
    this.forgetOldest();
    this.onChange();
    if (entry.stopping?.tell ?? true) this.onEnd({ ...entry.task });
  }

  private forgetOldest(): void {
    const ended = [...this.entries.values()].filter(({ task }) => !isUnderWay(task));
    for (const { task } of ended.slice(0, Math.max(0, ended.length - maxEndedTasks)))
      this.entries.delete(task.id);
  }
}

export function isUnderWay(task: { status: TaskStatus }): boolean {
  return task.status === "running" || task.status === "pending";
}

function newTaskId(kind: TaskKind): string {
  return `${kind}_${randomUUID().slice(0, 8)}`;
}
