import type { Disposable } from "../../base/disposable.ts";

/** Runs `action` soon after `request`, once for all requests of `intervalMs`; the first of a quiet time without delay. */
export class Throttle implements Disposable {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wanted = false;

  constructor(
    private readonly action: () => void,
    private readonly intervalMs: number,
  ) {}

  request(): void {
    if (this.timer !== undefined) {
      this.wanted = true;
      return;
    }
    this.run();
  }

  /** Runs what is due at once. */
  flush(): void {
    if (this.wanted) this.run();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.wanted = false;
  }

  private run(): void {
    clearTimeout(this.timer);
    this.wanted = false;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.wanted) this.run();
    }, this.intervalMs);
    this.action();
  }
}
