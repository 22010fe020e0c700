import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as z from "zod";
import type { CommandEnd } from "../../hooks/commandRunner.ts";
import { cutText } from "./cutText.ts";
import { OutputTail } from "./outputTail.ts";
import { startShell, takeLastDirectory } from "./runningShell.ts";
import type { RunningShell } from "./shellTasks.ts";
import { failedOutcome, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";
import { zodInput } from "./toolInputSchema.ts";

const defaultTimeoutMs = 120_000;
const longestTimeoutMs = 600_000;
/** Of each stream in the tool's response, and of the text for the model. In UTF-16 units. */
const longestOutput = 30_000;

const input = z.object({
  command: z.string().min(1).describe("The command line."),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(longestTimeoutMs)
    .optional()
    .describe(`Time limit in milliseconds, at most ${longestTimeoutMs}. Default: ${defaultTimeoutMs}.`),
  description: z.string().optional().describe("What the command does, in a few words."),
  run_in_background: z
    .boolean()
    .optional()
    .describe("Start it and go on; its output is read with TaskOutput."),
});

type BashInput = z.infer<typeof input>;

export const bashTool: Tool<BashInput> = {
  name: "Bash",
  description:
    "Runs a command in Bash. The current directory is kept from call to call and follows `cd`; nothing else of the shell's state is. " +
    "Processes that the command leaves behind are ended with it: use run_in_background for servers and the like. " +
    "Prefer Read, Edit, Glob and Grep over cat, sed, find and grep.",
  inputSchema: zodInput(input),
  readOnly: false,
  permissionNeed: ({ command }) => ({ kind: "command", command }),
  async run(call, context) {
    const { cwd, remark } = await startDirectory(context);
    const cwdFile = path.join(tmpdir(), `wave-cwd-${randomUUID()}`);
    let shell: RunningShell;
    try {
      shell = await startShell({ command: call.command, cwd, env: context.env, cwdFile });
    } catch (error) {
      return failedOutcome(`${remark}${error instanceof Error ? error.message : String(error)}`);
    }
    if (call.run_in_background) return inBackground(shell, call, cwd, cwdFile, context);
    const output = new OutputTail(longestOutput * 4);
    const listening = shell.onOutput((text, stream) => output.add(text, stream));
    const end = await endOrLimit(shell, call.timeout ?? defaultTimeoutMs, context);
    listening.dispose();
    if (end === "limit") return handOver(shell, call, cwd, cwdFile, output, context);
    const moved = end.kind === "aborted" ? "" : await followCd(cwd, cwdFile, context);
    return outcomeOf(end, output, `${remark}${moved}`);
  },
};

/** A directory that was deleted since is no place to start in. */
async function startDirectory(context: ToolContext): Promise<{ cwd: string; remark: string }> {
  const { cwd, projectDir } = context.session;
  if (await isDirectory(cwd)) return { cwd, remark: "" };
  context.session.setCwd(projectDir);
  return {
    cwd: projectDir,
    remark: `[${cwd} does not exist any more; the current directory is now ${projectDir}.]\n`,
  };
}

async function followCd(from: string, cwdFile: string, context: ToolContext): Promise<string> {
  const last = await takeLastDirectory(cwdFile);
  if (last === undefined || last === from) return "";
  if (!(await isDirectory(last))) return "";
  context.session.setCwd(last);
  return `[The current directory is now ${last}.]\n`;
}

async function isDirectory(directory: string): Promise<boolean> {
  return stat(directory).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

function endOrLimit(
  shell: RunningShell,
  timeoutMs: number,
  context: ToolContext,
): Promise<CommandEnd | "limit"> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle("limit"), timeoutMs);
    const onAbort = () => void shell.stop().then(() => settle({ kind: "aborted" }));
    const settle = (end: CommandEnd | "limit") => {
      clearTimeout(timer);
      context.signal.removeEventListener("abort", onAbort);
      resolve(end);
    };
    if (context.signal.aborted) onAbort();
    else context.signal.addEventListener("abort", onAbort, { once: true });
    void shell.ended.then((end) => settle(context.signal.aborted ? { kind: "aborted" } : end));
  });
}

async function inBackground(
  shell: RunningShell,
  call: BashInput,
  cwd: string,
  cwdFile: string,
  context: ToolContext,
): Promise<ToolOutcome> {
  const adopted = await adopt(shell, call, cwd, cwdFile, context);
  if ("why" in adopted) return failedOutcome(`The command was not run in the background: ${adopted.why}`);
  return {
    response: { ...emptyResponse, success: true, backgroundTaskId: adopted.taskId },
    text: `The command runs in the background as ${adopted.taskId}. Read its output with TaskOutput; you are told when it ends.`,
  };
}

/** Past its time limit a command goes on in the background, where something can take it over; else it is ended. */
async function handOver(
  shell: RunningShell,
  call: BashInput,
  cwd: string,
  cwdFile: string,
  output: OutputTail,
  context: ToolContext,
): Promise<ToolOutcome> {
  const seconds = (call.timeout ?? defaultTimeoutMs) / 1000;
  const adopted = await adopt(shell, call, cwd, cwdFile, context);
  const soFar = cutText(output.text().trimEnd(), longestOutput);
  if ("why" in adopted) {
    const error = `The command was ended after its time limit of ${seconds} s.${soFar === "" ? "" : `\n${soFar}`}`;
    return { response: { ...responseOf(output), interrupted: true, success: false, error }, text: error };
  }
  return {
    response: { ...responseOf(output), success: true, backgroundTaskId: adopted.taskId },
    text: `The command did not end within ${seconds} s and goes on in the background as ${adopted.taskId}. Read its output with TaskOutput.${soFar === "" ? "" : `\nSo far:\n${soFar}`}`,
  };
}

async function adopt(
  shell: RunningShell,
  call: BashInput,
  cwd: string,
  cwdFile: string,
  context: ToolContext,
): Promise<{ taskId: string } | { why: string }> {
  void shell.ended.then(() => takeLastDirectory(cwdFile));
  try {
    if (!context.shellTasks) throw new Error("nothing can run in the background here.");
    return context.shellTasks.adopt(shell, {
      command: call.command,
      ...(call.description === undefined ? {} : { description: call.description }),
      toolUseId: context.toolUseId,
      cwd,
    });
  } catch (error) {
    await shell.stop();
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

const emptyResponse = { stdout: "", stderr: "", interrupted: false, isImage: false, noOutputExpected: false };

function responseOf(output: OutputTail) {
  return {
    ...emptyResponse,
    stdout: cutText(output.text("stdout"), longestOutput),
    stderr: cutText(output.text("stderr"), longestOutput),
  };
}

function outcomeOf(end: CommandEnd, output: OutputTail, remark: string): ToolOutcome {
  const dropped = output.dropped > 0 ? `[… ${output.dropped} characters left out …]\n` : "";
  const said = cutText(dropped + output.text().trimEnd(), longestOutput);
  const response = responseOf(output);
  if (end.kind === "exit" && end.code === 0) {
    return { response: { ...response, success: true }, text: `${remark}${said || "(no output)"}` };
  }
  const how = describeEnd(end);
  const text = `${remark}${how}${said === "" ? "" : `\n${said}`}`;
  return {
    response: {
      ...response,
      interrupted: end.kind === "aborted",
      ...(end.kind === "exit" ? { exitCode: end.code } : {}),
      success: false,
      error: text,
    },
    text,
  };
}

function describeEnd(end: CommandEnd): string {
  switch (end.kind) {
    case "exit":
      return `Exit code ${end.code}`;
    case "signal":
      return `Ended by the signal ${end.signal}`;
    case "aborted":
      return "Interrupted by the user";
    case "timeout":
      return "Ended after its time limit";
    case "failedToStart":
      return `Not started: ${end.reason}`;
  }
}
