import type { Clock } from "../../src/base/clock.ts";
import type { Disposable } from "../../src/base/disposable.ts";

interface Timer {
  at: number;
  callback: () => void;
}

/** A clock that stands still until told to go on. Timers run in the order of their times. */
export class ManualClock implements Clock {
  private readonly timers = new Set<Timer>();
  private time: number;

  constructor(startMs: number) {
    this.time = startMs;
  }

  get pendingTimers(): number {
    return this.timers.size;
  }

  now(): number {
    return this.time;
  }

  after(delayMs: number, callback: () => void): Disposable {
    if (delayMs > 2 ** 31 - 1) throw new Error(`A timer of ${delayMs} ms overflows and would fire at once`);
    const timer = { at: this.time + delayMs, callback };
    this.timers.add(timer);
    return { dispose: () => void this.timers.delete(timer) };
  }

  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = [...this.timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.callback();
    }
    this.time = end;
  }

  /** As after a suspend of the machine: the wall clock has moved, and timers fire late, all at the new time. */
  jump(ms: number): void {
    this.time += ms;
    this.advance(0);
  }
}
