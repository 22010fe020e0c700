import { setTimeout as delay } from "node:timers/promises";
import { forgetGroup, killGroupWithUs } from "./orphanReaper.ts";
import { processGroupExists, signalProcessGroup } from "./processGroup.ts";

const sweepMs = 1000;

/**
 * Process groups whose leader has exited and left others behind, such as a hook that ends with `&`. They live on until the
 * session ends. A group's number belongs to the group while anything of it lives; one that has become empty is forgotten soon,
 * before the number can come back to someone else.
 */
export class LeftoverGroups {
  private readonly groups = new Set<number>();
  private sweep: NodeJS.Timeout | undefined;

  add(group: number): void {
    // Without groups (Windows) what was left behind cannot be found any more.
    if (process.platform === "win32") return;
    this.groups.add(group);
    killGroupWithUs(group);
    this.sweep ??= setInterval(() => this.forgetEmpty(), sweepMs).unref();
  }

  /** TERM, the grace, KILL. */
  async endAll(graceMs: number): Promise<void> {
    for (const group of this.groups) signalProcessGroup(group, "SIGTERM");
    const deadline = performance.now() + graceMs;
    this.forgetEmpty();
    while (this.groups.size > 0 && performance.now() < deadline) {
      await delay(10);
      this.forgetEmpty();
    }
    for (const group of this.groups) {
      signalProcessGroup(group, "SIGKILL");
      this.forget(group);
    }
  }

  private forgetEmpty(): void {
    for (const group of this.groups) {
      if (!processGroupExists(group)) this.forget(group);
    }
  }

  private forget(group: number): void {
    this.groups.delete(group);
    forgetGroup(group);
    if (this.groups.size > 0) return;
    clearInterval(this.sweep);
    this.sweep = undefined;
  }
}
