import { execFileSync } from "node:child_process";

/**
 * Command lines of processes whose environment or command line carries `marker`, this one excepted. Give a test's processes a
 * marker of their own (an environment variable with a random value): whatever they start inherits it.
 */
export function processesWith(marker: string): string[] {
  const lines = execFileSync("ps", ["-eww", "e", "-o", "pid=,stat=,args="], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return lines
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .filter(
      ([, pid, state, text]) =>
        !state?.startsWith("Z") && Number(pid) !== process.pid && text?.includes(marker),
    )
    .map(([, pid, , text]) => `${pid} ${text?.slice(0, 200)}`);
}

/** Resolves once nothing carries the marker any more; rejects with what is left when that takes longer than `patienceMs`. */
export async function nothingLeft(marker: string, patienceMs = 15_000): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const left = processesWith(marker);
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Still running:\n${left.join("\n")}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
