import type { TaskNotificationBlock } from "../messages/message.ts";
import { cutText } from "../tools/cutText.ts";
import type { BackgroundTask } from "./backgroundTasks.ts";

/** Of a shell's output and of a subagent's answer, in UTF-16 units. The rest is there with TaskOutput. */
const shellTail = 2000;
const longestAnswer = 20_000;

/** What is told when a task has ended. `readTail`: the end of its output. */
export function taskNotification(
  task: BackgroundTask,
  readTail: (maxLength: number) => string,
): TaskNotificationBlock {
  const content =
    task.kind === "subagent" ? cutText(task.result ?? "", longestAnswer) : readTail(shellTail).trim();
  return {
    type: "task_notification",
    taskId: task.id,
    taskType: task.kind,
    status: endStatus(task),
    summary: taskSummary(task),
    ...(content === "" ? {} : { content }),
  };
}

function endStatus({ status }: BackgroundTask): TaskNotificationBlock["status"] {
  return status === "completed" || status === "failed" ? status : "killed";
}

/** One line: what it was and how it stands. */
export function taskSummary(task: BackgroundTask): string {
  const label = task.description ?? task.name ?? task.command ?? task.id;
  const what = {
    shell: `Background command "${cutLine(label)}"`,
    subagent: `Background agent "${cutLine(label)}"`,
    workflow: `Workflow "${cutLine(task.name ?? label)}"`,
  }[task.kind];
  switch (task.status) {
    case "completed":
      return task.exitCode === undefined
        ? `${what} completed`
        : `${what} completed (exit code ${task.exitCode})`;
    case "failed":
      return `${what} failed${task.exitCode === undefined ? "" : ` (exit code ${task.exitCode})`}${
        task.error === undefined ? "" : `: ${task.error}`
      }`;
    case "killed":
      return `${what} was stopped`;
    default:
      return `${what} is running`;
  }
}

function cutLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 100 ? line : `${line.slice(0, 99).replace(/[\ud800-\udbff]$/, "")}…`;
}
