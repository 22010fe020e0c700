import { setTimeout as delay } from "node:timers/promises";

/**
 * Ends a child that was started with `detached: true`, and everything it started in its group.
 * @param {import("node:child_process").ChildProcess} child
 * @param {number} grace ms between the polite signal and the last one
 */
export async function endProcessGroup(child, grace = 3000) {
  if (child.pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    const exited = new Promise((resolve) => child.once("exit", resolve));
    signalGroup(child.pid, "SIGTERM");
    const timer = new AbortController();
    await Promise.race([exited, delay(grace, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
  }
  signalGroup(child.pid, "SIGKILL");
}

/** The same at once, for the end of our own process. @param {import("node:child_process").ChildProcess} child */
export function killProcessGroup(child) {
  if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
}

/** @param {number} groupId @param {NodeJS.Signals} signal */
function signalGroup(groupId, signal) {
  try {
    process.kill(-groupId, signal);
  } catch {
    // The whole group is gone already.
  }
}
