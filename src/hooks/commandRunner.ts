/** Runs one shell command to its end. Implemented by src/process; the engine starts nothing itself. Contract: `run` must not reject. */
export interface CommandRunner {
  run(request: CommandRequest): Promise<CommandResult>;
}

export interface CommandRequest {
  command: string;
  /** Falls back to `fallbackCwd` when it does not exist (H17.3). */
  cwd: string;
  fallbackCwd?: string;
  /** Names of environment variables to set to the directory in which the process really starts (H17.4). */
  startDirectoryVariables?: readonly string[];
  /** The whole environment of the process, already without the agent's credentials. */
  env: Readonly<Record<string, string>>;
  /** UTF-8 text for stdin. */
  stdin: string;
  timeoutMs: number;
  /** Ends the whole process tree. */
  signal?: AbortSignal;
  /** Told once the process exists: async hooks are tracked by it. */
  onStart?: (pid: number) => void;
}

/** How a command ended. A run that could not start, was killed or timed out has no exit code. */
export type CommandEnd =
  | { kind: "exit"; code: number }
  | { kind: "signal"; signal: string }
  | { kind: "timeout" }
  | { kind: "aborted" }
  | { kind: "failedToStart"; reason: string };

export interface CommandResult {
  end: CommandEnd;
  /** At most 1 MiB each, cut at a character border and marked; decoded leniently. */
  stdout: string;
  stderr: string;
  stdoutWasCut: boolean;
  stderrWasCut: boolean;
  /** In words, where the shell said by its exit code that it could not run the command: what is wrong and what to do. */
  explanation?: string;
  durationMs: number;
}
