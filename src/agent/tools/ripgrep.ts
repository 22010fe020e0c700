import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { StringDecoder } from "node:string_decoder";
import { startLongLivedProcess } from "../../process/longLivedProcess.ts";

/** The given binary, else the first `rg` on the PATH; undefined where there is none. */
export function findRipgrep(
  given: string | undefined,
  env: Readonly<Record<string, string>>,
): string | undefined {
  if (given !== undefined && isExecutable(given)) return given;
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  for (const folder of (env.PATH ?? env.Path ?? "").split(path.delimiter)) {
    // An empty entry stands for the current directory, which may be anybody's.
    if (!path.isAbsolute(folder)) continue;
    const candidate = path.join(folder, name);
    if (isExecutable(candidate)) return candidate;
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export interface SearchRun {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
  separator: "\n" | "\0";
  /** False: enough, the search ends. */
  onRecord(record: string): boolean;
}

const timeLimitMs = 30_000;
const longestRecord = 100_000;

/** Runs ripgrep and hands over its output record by record. Rejects where it cannot be started or `signal` aborts. */
export async function runSearch(
  run: SearchRun,
): Promise<{ exitCode: number | undefined; stderr: string; wasStopped: boolean; timedOut: boolean }> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let stderr = "";
  let wasStopped = false;
  let timedOut = false;
  const take = (text: string) => {
    if (wasStopped) return;
    rest += text;
    let end = rest.indexOf(run.separator);
    let from = 0;
    while (end >= 0) {
      if (!run.onRecord(rest.slice(from, end))) return stop();
      from = end + 1;
      end = rest.indexOf(run.separator, from);
    }
    rest = rest.slice(from);
    if (rest.length > longestRecord) rest = rest.slice(0, longestRecord);
  };
  const child = await startLongLivedProcess({
    file: run.file,
    args: run.args,
    cwd: run.cwd,
    env: run.env,
    onStdout: (chunk) => take(decoder.write(chunk)),
    onStderr: (chunk) => {
      if (stderr.length < 4000) stderr += chunk.toString("utf8");
    },
  });
  const stop = () => {
    wasStopped = true;
    rest = "";
    void child.end(0);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, timeLimitMs);
  run.signal.addEventListener("abort", stop, { once: true });
  if (run.signal.aborted) stop();
  const end = await child.ended;
  clearTimeout(timer);
  run.signal.removeEventListener("abort", stop);
  run.signal.throwIfAborted();
  if (rest !== "" && !wasStopped) run.onRecord(rest);
  return { exitCode: end.kind === "exit" ? end.code : undefined, stderr, wasStopped, timedOut };
}
