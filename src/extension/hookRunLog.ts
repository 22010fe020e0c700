import type { Logger } from "../base/logger.ts";
import type { CommandEnd } from "../hooks/commandRunner.ts";
import type { HookRunRecord } from "../hooks/hookResult.ts";
import { oneLine } from "./oneLine.ts";

/** Writes one run of one hook to the log: what ran and how it ended; what went in and came out at trace level alone. */
export function logHookRun(record: HookRunRecord, log: Logger): void {
  const on = record.matchedOn === undefined ? "" : ` (${record.matchedOn})`;
  const line = `${record.event}${on}: ${oneLine(record.command, 300)} — ${endText(record.end)} after ${Math.round(record.durationMs)} ms; ${record.outcome} [${placeOf(record)}]`;
  if (record.end.kind === "exit" && record.end.code === 0) log.info(line);
  else log.warn(line);
  log.trace(`stdin: ${record.stdin}\nstdout: ${record.stdout}\nstderr: ${record.stderr}`);
}

function endText(end: CommandEnd): string {
  switch (end.kind) {
    case "exit":
      return `exit code ${end.code}`;
    case "signal":
      return `ended by ${end.signal}`;
    case "timeout":
      return "timed out";
    case "aborted":
      return "interrupted";
    case "failedToStart":
      return `did not start: ${end.reason}`;
  }
}

function placeOf({ hook }: HookRunRecord): string {
  if (hook.file === undefined) return hook.source;
  return hook.line === undefined ? hook.file : `${hook.file}:${hook.line}`;
}
