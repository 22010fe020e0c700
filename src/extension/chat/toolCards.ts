import path from "node:path";
import type { ToolBlock } from "../../agent/messages/message.ts";
import type { ToolCardView } from "../../protocol/chatView.ts";
import { isRecord } from "../../protocol/validate.ts";
import { oneLine } from "../oneLine.ts";

/** Characters of a result that the chat is sent; the transcript has all of it. */
const shownResultLength = 20_000;
const shownDiffLength = 60_000;
const summaryLength = 200;

/** The parameters that say what a call is about, the first that is set; other tools show all of theirs. */
const tellingParameters: Readonly<Record<string, readonly string[]>> = {
  Bash: ["command"],
  Glob: ["pattern"],
  Grep: ["pattern"],
  Agent: ["description", "prompt"],
  Workflow: ["name", "description", "script"],
  CronDelete: ["id"],
  EnterWorktree: ["name"],
  TaskOutput: ["task_id"],
  TaskStop: ["task_id"],
};

/** A tool call as a card. `workdir`: paths inside it are shown relative to it. */
export function toolCard(block: ToolBlock, workdir: string): ToolCardView {
  const file = fileOf(block.parameters);
  return {
    id: block.id,
    name: block.name,
    summary: toolSummary(block.name, block.parameters, workdir),
    state: block.stage === "running" ? "running" : block.success ? "done" : "failed",
    ...(block.result === "" ? {} : { result: cutMiddle(block.result, shownResultLength) }),
    ...(block.error === undefined ? {} : { error: cutMiddle(block.error, shownResultLength) }),
    ...(block.diff === undefined ? {} : { diff: cutMiddle(block.diff, shownDiffLength) }),
    ...(file === undefined ? {} : { file }),
  };
}

/** One line on what a call does: the command, the path, the pattern. */
export function toolSummary(name: string, parameters: unknown, workdir: string): string {
  const file = fileOf(parameters);
  if (file !== undefined) return oneLine(shortPath(file, workdir), summaryLength);
  if (!isRecord(parameters)) return oneLine(String(parameters ?? ""), summaryLength);
  if (name === "CronCreate") return oneLine(`${parameters.cron} ${parameters.prompt}`, summaryLength);
  const telling = tellingParameters[name]?.map((key) => parameters[key]).find((value) => value !== undefined);
  if (telling !== undefined) return oneLine(String(telling), summaryLength);
  return Object.keys(parameters).length === 0 ? "" : oneLine(JSON.stringify(parameters), summaryLength);
}

function fileOf(parameters: unknown): string | undefined {
  const file = isRecord(parameters) ? parameters.file_path : undefined;
  return typeof file === "string" && path.isAbsolute(file) ? file : undefined;
}

/** Relative to `workdir` where that is shorter to read and not misleading. */
function shortPath(file: string, workdir: string): string {
  const relative = path.relative(workdir, file);
  return relative === "" || relative.startsWith("..") || path.isAbsolute(relative) ? file : relative;
}

/** Start and end tell most: what is too long loses its middle. */
function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${withoutHalfPairs(text.slice(0, half))}\n…\n${withoutHalfPairs(text.slice(-half))}`;
}

/** A cut may tear a surrogate pair apart; with the `u` flag only such halves match. */
function withoutHalfPairs(text: string): string {
  return text.replace(/\p{Cs}/gu, "");
}
