import { type ChildProcess, spawn } from "node:child_process";

/**
 * Reads "+ <group>" and "- <group>" lines; when its input ends, which happens however its parent ends, it kills the groups
 * that are still listed.
 */
const script = `
groups=
while read -r what group; do
  case $what in
    +) groups="$groups $group" ;;
    -) rest=
       for g in $groups; do [ "$g" = "$group" ] || rest="$rest $g"; done
       groups=$rest ;;
  esac
done
for g in $groups; do kill -s KILL -- "-$g" 2>/dev/null; done
`;

/** Kept waiting this long without a group, so that one command after another does not pay for a new one each. */
const idleMs = 10_000;

const groups = new Set<number>();
let reaper: ChildProcess | undefined;
let idleTimer: NodeJS.Timeout | undefined;

/**
 * Sees to it that a process group dies with this process, even when this process is killed and runs no code of its own
 * any more (a group of its own is not reached by the end of its parent). One small shell waits for that moment while any
 * group is listed. Windows has no such groups: there only an orderly end reaches the children.
 */
export function killGroupWithUs(pid: number): void {
  if (process.platform === "win32") return;
  clearTimeout(idleTimer);
  groups.add(pid);
  if (!reaper) startReaper();
  else tell(`+ ${pid}\n`);
}

/** To be called as soon as the group is gone, before its number can belong to someone else. */
export function forgetGroup(pid: number): void {
  if (!groups.delete(pid)) return;
  tell(`- ${pid}\n`);
  if (groups.size === 0) idleTimer = setTimeout(endIdleReaper, idleMs).unref();
}

/** Ends the waiting shell where no group is listed: whoever is done with processes leaves none behind. */
export function endIdleReaper(): void {
  if (groups.size > 0) return;
  clearTimeout(idleTimer);
  reaper?.stdin?.end();
  reaper = undefined;
}

function startReaper(): void {
  const child = spawn("/bin/sh", ["-c", script], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    env: {},
  });
  reaper = child;
  child.unref();
  // A failing reaper must never hurt the host; the next group starts a new one.
  const gone = (): void => {
    if (reaper === child) reaper = undefined;
  };
  child.on("error", gone);
  child.on("exit", gone);
  child.stdin?.on("error", () => {});
  (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  for (const group of groups) tell(`+ ${group}\n`);
}

function tell(line: string): void {
  reaper?.stdin?.write(line);
}
