import { randomUUID } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/disposable.ts";
import type { CronSummary } from "../../hooks/stopInput.ts";
import { type CronSchedule, parseCronSchedule } from "./cronSchedule.ts";

export const maxCronJobs = 50;

/** The longest sleep between two looks at the wall clock: after a suspend of the machine, timers alone are late. */
const longestSleepMs = 60_000;

export interface CronJob {
  id: string;
  schedule: string;
  recurring: boolean;
  prompt: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  nextRunAt: number;
}

interface Entry extends CronJob {
  parsed: CronSchedule;
  /** Its time has come and the session was busy: fires once, however often it came due meanwhile. */
  due: boolean;
}

export interface CronSchedulerOptions {
  clock: Clock;
  /** Whether a prompt may start a turn now. While false, due jobs wait for `deliverDue`. */
  isIdle: () => boolean;
  /** Queues the prompt of a due job. Contract: must not throw. */
  deliver: (job: CronJob) => void;
  /** A job came or went. Contract: must not throw. */
  onChange?: () => void;
}

/** The timed prompts of one session. They live in memory alone and end with it. */
export class CronScheduler implements Disposable {
  private readonly entries = new Map<string, Entry>();
  private timer: Disposable | undefined;
  private disposed = false;
  private readonly options: CronSchedulerOptions;

  constructor(options: CronSchedulerOptions) {
    this.options = options;
  }

  /** Throws an error for people where the expression is wrong, never fires, or there are too many jobs. */
  create(request: { schedule: string; prompt: string; recurring: boolean }): CronJob {
    if (this.disposed) throw new Error("The session has ended; no timed prompt can be added.");
    if (this.entries.size >= maxCronJobs) {
      throw new Error(
        `A session holds at most ${maxCronJobs} timed prompts. Delete one with CronDelete first.`,
      );
    }
    if (request.prompt.trim() === "") throw new Error("The prompt of a timed job is empty.");
    const now = this.options.clock.now();
    const parsed = parseCronSchedule(request.schedule, now);
    const entry: Entry = {
      id: randomUUID().slice(0, 8),
      schedule: parsed.expression,
      recurring: request.recurring,
      prompt: request.prompt,
      createdAt: now,
      nextRunAt: parsed.nextAfter(now) ?? now,
      parsed,
      due: false,
    };
    this.entries.set(entry.id, entry);
    this.arm();
    this.options.onChange?.();
    return publicJob(entry);
  }

  list(): CronJob[] {
    return [...this.entries.values()].map(publicJob);
  }

  /** False where no such job exists. */
  delete(id: string): boolean {
    const existed = this.entries.delete(id);
    this.arm();
    if (existed) this.options.onChange?.();
    return existed;
  }

  /** For a Stop hook's input: one-shot jobs leave once they have fired (H21.5). */
  snapshot(): CronSummary[] {
    return this.list().map(({ id, schedule, recurring, prompt }) => ({ id, schedule, recurring, prompt }));
  }

  /** Hands over what came due during a turn. The session calls it whenever it becomes idle. */
  deliverDue(): void {
    for (const entry of [...this.entries.values()]) {
      if (!entry.due) continue;
      // A delivered prompt makes the session busy: the rest waits for the next idle moment.
      if (this.disposed || !this.options.isIdle()) return;
      entry.due = false;
      if (!entry.recurring) {
        this.entries.delete(entry.id);
        this.options.onChange?.();
      }
      this.options.deliver(publicJob(entry));
    }
  }

  clear(): void {
    this.entries.clear();
    this.arm();
  }

  dispose(): void {
    this.disposed = true;
    this.clear();
  }

  private arm(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const waiting = [...this.entries.values()].filter((entry) => entry.recurring || !entry.due);
    if (waiting.length === 0) return;
    const next = Math.min(...waiting.map((entry) => entry.nextRunAt));
    const delay = Math.max(0, Math.min(next - this.options.clock.now(), longestSleepMs));
    this.timer = this.options.clock.after(delay, () => this.look());
  }

  private look(): void {
    const now = this.options.clock.now();
    for (const entry of [...this.entries.values()]) {
      if (entry.nextRunAt > now || (entry.due && !entry.recurring)) continue;
      entry.due = true;
      const next = entry.parsed.nextAfter(now);
      if (next !== undefined) entry.nextRunAt = next;
      // The last date of a recurring schedule has passed (a fixed year cannot be written in five fields, but be safe).
      else entry.recurring = false;
    }
    this.arm();
    this.deliverDue();
  }
}

function publicJob({ id, schedule, recurring, prompt, createdAt, nextRunAt }: Entry): CronJob {
  return { id, schedule, recurring, prompt, createdAt, nextRunAt };
}
