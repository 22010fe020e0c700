import type { Disposable } from "../../base/disposable.ts";
import type { CommandEnd } from "../../hooks/commandRunner.ts";

/**
 * Takes over shell commands that outlive their tool call: `run_in_background`, and commands past their time limit.
 * Implemented by src/agent/background. The taker owns the command from then on and ends it at the latest with the session.
 */
export interface ShellTasks {
  /** Throws an error for people where nothing more can be taken over; the caller then ends the command itself. */
  adopt(command: RunningShell, about: ShellTaskInfo): { taskId: string; outputFile?: string };
}

export interface ShellTaskInfo {
  command: string;
  description?: string;
  toolUseId: string;
  cwd: string;
}

/** A shell command under way. */
export interface RunningShell {
  /** Output as it comes, decoded; a listener is first told, at once, what came before (bounded). */
  onOutput(listener: (text: string, stream: "stdout" | "stderr") => void): Disposable;
  /** Never rejects. Resolves once the command is over and its output has been told. */
  readonly ended: Promise<CommandEnd>;
  /** Ends the command and everything that it started. Resolves when that is done; may be called again. */
  stop(): Promise<void>;
}
