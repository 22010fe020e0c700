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

const groups = new Set<number>();
let reaper: ChildProcess | undefined;

/**
 * Sees to it that a process group dies with this process, even when this process is killed and runs no code of its own
 * any more (a group of its own is not reached by the end of its parent). One small shell waits for that moment while any
 * group is listed. Windows has no such groups: there only an orderly end reaches the children.
 */
export function killGroupWithUs(pid: number): void {
  if (process.platform === "win32") return;
  groups.add(pid);
  if (!reaper) startReaper();
  else tell(`+ ${pid}\n`);
}

/** To be called as soon as the group is gone, before its number can belong to someone else. */
export function forgetGroup(pid: number): void {
  if (!groups.delete(pid)) return;
  if (groups.size > 0) {
    tell(`- ${pid}\n`);
    return;
  }
  // Nothing to watch over: the reaper is told before its input ends, and leaves without killing.
  reaper?.stdin?.end(`- ${pid}\n`);
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
