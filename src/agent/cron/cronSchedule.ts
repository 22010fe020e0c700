import { Cron } from "croner";

/** A five-field cron expression that fires at least once. */
export interface CronSchedule {
  expression: string;
  /** The first moment after `afterMs` (milliseconds since 1970, local time zone), or undefined where none is left. */
  nextAfter(afterMs: number): number | undefined;
}

/** Reads minute, hour, day of month, month and day of week. Throws an error for people where that is not what `expression` is. */
export function parseCronSchedule(expression: string, nowMs: number): CronSchedule {
  const trimmed = expression.trim().replace(/\s+/g, " ");
  let cron: Cron;
  try {
    // Croner also reads @daily and the like; a hook that gets `schedule` is promised five fields.
    if (trimmed.split(" ").length !== 5) throw new Error(`it has ${countFields(trimmed)}`);
    cron = new Cron(trimmed, { mode: "5-part", paused: true });
  } catch (error) {
    throw new Error(
      `"${expression}" is not a cron expression of five fields (minute hour day-of-month month day-of-week): ${
        error instanceof Error ? error.message.replace(/^CronPattern: /, "") : String(error)
      }`,
    );
  }
  const nextAfter = (afterMs: number): number | undefined => cron.nextRun(new Date(afterMs))?.getTime();
  if (nextAfter(nowMs) === undefined) {
    throw new Error(`"${expression}" never fires: no such date exists. Use a day that the month has.`);
  }
  return { expression: trimmed, nextAfter };
}

function countFields(expression: string): string {
  const count = expression === "" ? 0 : expression.split(" ").length;
  return count === 1 ? "1 field" : `${count} fields`;
}
