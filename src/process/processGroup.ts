import { spawn } from "node:child_process";

/**
 * Signals a process and everything that it started. The process must lead its own group (spawned `detached`); on Windows
 * the tree is walked by the system's taskkill, which knows no gentle signal. Never throws: a group that is gone is fine.
 */
export function signalProcessGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (process.platform === "win32") {
    const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], {
      stdio: "ignore",
      windowsHide: true,
    });
    killer.on("error", () => {});
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: nothing of the group is left. EPERM: what is left changed its user, and is not ours to end.
  }
}

/** Whether anything of the group is left. */
export function processGroupExists(pid: number): boolean {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, 0);
    return true;
  } catch {
    return false;
  }
}
