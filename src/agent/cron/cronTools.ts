import * as z from "zod";
import { failedOutcome, type Tool } from "../tools/tool.ts";
import { zodInput } from "../tools/toolInputSchema.ts";
import type { CronJob, CronScheduler } from "./cronScheduler.ts";

const createInput = z.object({
  cron: z
    .string()
    .describe(
      'Five fields in local time: minute hour day-of-month month day-of-week, e.g. "*/5 * * * *" or "30 9 * * 1-5".',
    ),
  prompt: z.string().describe("What to do at that time, as if the user had written it then."),
  recurring: z
    .boolean()
    .optional()
    .describe("True: at each matching time. False: once, at the next matching time. Default: true."),
});

/** CronCreate, CronList and CronDelete: prompts at set times, for as long as the session is open. */
export function cronTools(scheduler: CronScheduler): Tool[] {
  const create: Tool<z.infer<typeof createInput>> = {
    name: "CronCreate",
    description:
      "Schedules a prompt for this session, once or again and again. It is sent when the session is idle, never in the middle " +
      "of a turn; times that were missed meanwhile count once. Schedules end with the session.",
    inputSchema: zodInput(createInput),
    readOnly: false,
    permissionNeed: () => ({ kind: "none" }),
    async run({ cron, prompt, recurring = true }) {
      let job: CronJob;
      try {
        job = scheduler.create({ schedule: cron, prompt, recurring });
      } catch (error) {
        return failedOutcome(error instanceof Error ? error.message : String(error));
      }
      const next = localTime(job.nextRunAt);
      return {
        response: { success: true, id: job.id, cron: job.schedule, recurring: job.recurring, nextRun: next },
        text: `Scheduled as ${job.id}: ${job.schedule}, ${recurring ? "recurring" : "once"}. Next time: ${next}.`,
      };
    },
  };
  const list: Tool = {
    name: "CronList",
    description: "Lists the scheduled prompts of this session.",
    inputSchema: zodInput(z.object({})),
    readOnly: true,
    permissionNeed: () => ({ kind: "none" }),
    async run() {
      const jobs = scheduler.list();
      const lines = jobs.map(
        (job) =>
          `${job.id}: ${job.schedule}, ${job.recurring ? "recurring" : "once"}, next ${localTime(job.nextRunAt)}: ${job.prompt}`,
      );
      return {
        response: {
          success: true,
          jobs: jobs.map(({ id, schedule, recurring, prompt, nextRunAt }) => ({
            id,
            cron: schedule,
            recurring,
            prompt,
            nextRun: localTime(nextRunAt),
          })),
        },
        text: lines.length === 0 ? "Nothing is scheduled." : lines.join("\n"),
      };
    },
  };
  const deleteInput = z.object({ id: z.string().describe("The id that CronCreate returned.") });
  const remove: Tool<z.infer<typeof deleteInput>> = {
    name: "CronDelete",
    description: "Deletes a scheduled prompt of this session.",
    inputSchema: zodInput(deleteInput),
    readOnly: false,
    permissionNeed: () => ({ kind: "none" }),
    async run({ id }) {
      if (!scheduler.delete(id)) {
        return failedOutcome(
          `There is no scheduled prompt ${JSON.stringify(id)}. CronList shows what there is.`,
        );
      }
      return { response: { success: true, id }, text: `Deleted ${id}.` };
    },
  };
  return [create, list, remove];
}

/** "2026-01-05 09:30", in local time like the schedule. */
function localTime(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
