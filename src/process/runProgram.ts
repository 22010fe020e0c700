import { BoundedText } from "./boundedText.ts";
import { type LongLivedProcessEnd, startLongLivedProcess } from "./longLivedProcess.ts";

export interface ProgramSpec {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Ends the whole process tree. */
  signal?: AbortSignal;
}

export interface ProgramResult {
  end: LongLivedProcessEnd | { kind: "timeout" };
  /** At most 1 MiB each; what was cut says so. */
  stdout: string;
  stderr: string;
}

const keptBytes = 1024 * 1024;

/** Runs a program to its end, without a shell and without input. Rejects with an error for people where it cannot be started. */
export async function runProgram(spec: ProgramSpec): Promise<ProgramResult> {
  const stdout = new BoundedText(keptBytes);
  const stderr = new BoundedText(keptBytes);
  spec.signal?.throwIfAborted();
  const child = await startLongLivedProcess({
    file: spec.file,
    args: spec.args,
    cwd: spec.cwd,
    env: spec.env,
    onStdout: (chunk) => stdout.add(chunk),
    onStderr: (chunk) => stderr.add(chunk),
  });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    void child.end();
  }, spec.timeoutMs);
  const onAbort = (): void => void child.end();
  spec.signal?.addEventListener("abort", onAbort);
  // The interruption may have come while the program was starting.
  if (spec.signal?.aborted) onAbort();
  const end = await child.ended;
  clearTimeout(timer);
  spec.signal?.removeEventListener("abort", onAbort);
  return { end: timedOut ? { kind: "timeout" } : end, stdout: stdout.text(), stderr: stderr.text() };
}
