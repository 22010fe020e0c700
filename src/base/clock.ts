import type { Disposable } from "./disposable.ts";

/** Where the time comes from; a test hands in its own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `delayMs`, at most 2^31-1. Must not keep the process alive. Disposing before then cancels. */
  after(delayMs: number, callback: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
};
