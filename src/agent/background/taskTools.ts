import * as z from "zod";
import { failedOutcome, type Tool, type ToolOutcome } from "../tools/tool.ts";
import { zodInput } from "../tools/toolInputSchema.ts";
import { type BackgroundTask, type BackgroundTasks, isUnderWay } from "./backgroundTasks.ts";
import { taskSummary } from "./taskNotification.ts";

const longestOutput = 30_000;
const defaultWaitMs = 30_000;
const longestWaitMs = 600_000;

const outputInput = z.object({
  task_id: z.string().describe("The id that the task was started with."),
  block: z.boolean().optional().describe("Wait until the task has ended. Default: true."),
  timeout: z
    .number()
    .min(0)
    .max(longestWaitMs)
    .optional()
    .describe(`How long to wait at most, in milliseconds. Default: ${defaultWaitMs}.`),
  offset: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("Where in its output to begin: `next_offset` of an earlier call. Default: the beginning."),
});

/** Reads what a background task has written so far, after waiting for its end where that is wanted. */
export function taskOutputTool(tasks: BackgroundTasks): Tool<z.infer<typeof outputInput>> {
  return {
    name: "TaskOutput",
    description:
      "Reads the output of a background task (a command, an agent or a workflow) and tells whether it has ended. " +
      "Waits for its end unless `block` is false. You are notified when a task ends, so do not ask again and again.",
    inputSchema: zodInput(outputInput),
    readOnly: true,
    permissionNeed: () => ({ kind: "none" }),
    async run(input, context) {
      const wait = input.block ?? true;
      const task = wait
        ? await tasks.waitFor(input.task_id, input.timeout ?? defaultWaitMs, context.signal)
        : tasks.get(input.task_id);
      const output = tasks.readOutput(input.task_id, input.offset ?? 0, longestOutput);
      if (!task || !output) return unknownTask(input.task_id, tasks);
      const status = isUnderWay(task) ? (wait ? "timeout" : "not_ready") : "success";
      const skipped =
        output.skipped > 0 ? `[… ${output.skipped} characters before this are not shown …]\n` : "";
      const text = `${skipped}${output.text}`;
      return {
        response: {
          success: true,
          retrieval_status: status,
          task: {
            task_id: task.id,
            task_type: task.kind,
            status: task.status,
            description: task.description ?? task.name ?? task.command ?? "",
            output: text,
            ...(task.exitCode === undefined ? {} : { exitCode: task.exitCode }),
            ...(task.error === undefined ? {} : { error: task.error }),
            ...(task.result === undefined ? {} : { result: task.result }),
          },
          next_offset: output.to,
        },
        text: [
          `${taskSummary(task)}.${status === "timeout" ? " It had not ended when the waiting was over." : ""}`,
          ...(task.result ? [task.result] : []),
          ...(text === "" ? ["It has written nothing."].filter(() => !task.result) : [text]),
          `next_offset: ${output.to}`,
        ].join("\n\n"),
      };
    },
  };
}

const stopInput = z.object({ task_id: z.string().describe("The id that the task was started with.") });

/** Ends a background task and everything that it started. */
export function taskStopTool(tasks: BackgroundTasks): Tool<z.infer<typeof stopInput>> {
  return {
    name: "TaskStop",
    description:
      "Stops a background task (a command, an agent or a workflow) and everything that it started.",
    inputSchema: zodInput(stopInput),
    readOnly: false,
    permissionNeed: () => ({ kind: "none" }),
    async run({ task_id }) {
      const before = tasks.get(task_id);
      if (!before) return unknownTask(task_id, tasks);
      if (!isUnderWay(before)) return failedOutcome(`${taskSummary(before)}; there is nothing to stop.`);
      const task = (await tasks.stop(task_id, { tell: false })) ?? before;
      const message = `${taskSummary(task)}.`;
      return {
        response: {
          success: true,
          message,
          task_id,
          task_type: task.kind,
          ...(task.command === undefined ? {} : { command: task.command }),
        },
        text: message,
      };
    },
  };
}

function unknownTask(id: string, tasks: BackgroundTasks): ToolOutcome {
  const known = tasks.list().map((task: BackgroundTask) => task.id);
  return failedOutcome(
    `There is no background task ${JSON.stringify(id)}. ${
      known.length === 0 ? "None has been started in this session." : `The tasks are: ${known.join(", ")}.`
    }`,
  );
}
