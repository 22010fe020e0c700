import type { CommandResult } from "./commandRunner.ts";
import type { HookDefinition } from "./hookDefinition.ts";

const longestCommand = 200;

/** The hook's command as written (the URL of an HTTP hook). */
export function commandText(hook: HookDefinition): string {
  return hook.action.type === "command" ? hook.action.command : hook.action.url;
}

/** One line that names a hook for people, e.g. `Stop hook "npm test" (/p/.wave/settings.json:7)`. */
export function nameHook(hook: HookDefinition): string {
  const oneLine = commandText(hook).replace(/\s+/g, " ").trim();
  const characters = [...oneLine];
  const command =
    characters.length > longestCommand ? `${characters.slice(0, longestCommand).join("")}…` : oneLine;
  const { file, line } = hook.provenance;
  const place = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`;
  return `${hook.writtenEvent} hook "${command}"${place}`;
}

/** How the run ended, in words, e.g. "failed with exit code 1". */
export function describeEnd(result: CommandResult, timeoutMs: number): string {
  switch (result.end.kind) {
    case "exit":
      return result.end.code === 0 ? "succeeded" : `failed with exit code ${result.end.code}`;
    case "signal":
      return `was killed by ${result.end.signal}`;
    case "timeout":
      return `was ended after its timeout of ${timeoutMs / 1000} s`;
    case "aborted":
      return "was interrupted";
    case "failedToStart":
      return "could not be started";
  }
}

/** A report of a failed run for people: which hook, how it ended, and what it or the shell said about it. */
export function describeFailure(hook: HookDefinition, result: CommandResult, timeoutMs: number): string {
  const said = [
    result.end.kind === "failedToStart" ? result.end.reason : result.explanation,
    result.stderr.trim(),
  ].filter((text) => text !== undefined && text !== "");
  return `${[`${nameHook(hook)} ${describeEnd(result, timeoutMs)}`, ...said].join(": ")}`;
}
