import type { CommandEnd } from "../../hooks/commandRunner.ts";
import type { RunningShell, ShellTasks } from "../tools/shellTasks.ts";
import type { BackgroundTasks, TaskEnd } from "./backgroundTasks.ts";

/** Shell commands that outlived their tool call, as background tasks. */
export function backgroundShells(tasks: BackgroundTasks): ShellTasks {
  return {
    adopt(shell: RunningShell, about) {
      const handle = tasks.start(
        {
          kind: "shell",
          command: about.command,
          ...(about.description === undefined ? {} : { description: about.description }),
          toolUseId: about.toolUseId,
        },
        () => shell.stop(),
      );
      const listener = shell.onOutput((text) => handle.append(text));
      void shell.ended.then((end) => {
        listener.dispose();
        handle.end(taskEnd(end));
      });
      return { taskId: handle.id };
    },
  };
}

function taskEnd(end: CommandEnd): TaskEnd {
  switch (end.kind) {
    case "exit":
      return { status: end.code === 0 ? "completed" : "failed", exitCode: end.code };
    case "signal":
      return { status: "failed", error: `it was ended by ${end.signal}` };
    case "timeout":
      return { status: "failed", error: "it ran into its time limit" };
    case "aborted":
      return { status: "killed" };
    case "failedToStart":
      return { status: "failed", error: end.reason };
  }
}
