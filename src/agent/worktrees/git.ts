import { runProgram } from "../../process/runProgram.ts";

const timeoutMs = 60_000;

/** These say which repository is meant; set around us, they would make git work on another one than the directory's. */
const redirecting = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_COMMON_DIR",
  "GIT_PREFIX",
  "GIT_NAMESPACE",
];

export interface GitPlace {
  cwd: string;
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** stdout of a git command. Rejects with git's own words. */
export async function git(place: GitPlace, ...args: string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(place.env).filter(([name]) => !redirecting.includes(name)));
  const { end, stdout, stderr } = await runProgram({
    file: "git",
    args,
    cwd: place.cwd,
    // Nobody is there to type a password, and a look must not wait for another git's lock.
    env: { ...env, GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" },
    timeoutMs,
    signal: place.signal,
  });
  if (end.kind === "exit" && end.code === 0) return stdout;
  if (place.signal.aborted) throw new Error(`git ${args[0]} was interrupted.`);
  if (end.kind === "timeout") throw new Error(`git ${args[0]} did not end within ${timeoutMs / 1000} s.`);
  throw new Error(
    `git ${args.slice(0, 2).join(" ")}: ${stderr.trim() || `it ended by ${JSON.stringify(end)}`}`,
  );
}
