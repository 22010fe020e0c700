import type { BackgroundTasks } from "../background/backgroundTasks.ts";
import { cutText } from "../tools/cutText.ts";
import type { ToolOutcome } from "../tools/tool.ts";
import { outputReference, type SingleStep, type Workflow } from "./workflowFile.ts";

/** Of a step's output, in the log and in a later step's prompt. */
const longestOutput = 20_000;
/** The longest time limit that Bash takes. A command that needs longer goes on in the background and is waited for there. */
const longestBashTimeoutMs = 600_000;

export interface WorkflowRunHost {
  /** A tool call through the one pipeline, with hooks and permissions (E21). Never rejects. */
  callTool(name: string, input: unknown, signal: AbortSignal): Promise<ToolOutcome>;
  /** Where a step's command is when it went into the background. */
  tasks: BackgroundTasks;
  /** One line or more, without the line end. */
  log(text: string): void;
}

export type WorkflowEnd = { ok: true } | { ok: false; error: string };

interface StepResult {
  ok: boolean;
  output: string;
}

/** Runs the steps to the end, to the first failure that counts, or to the interruption. Never rejects. */
export async function runWorkflow(
  workflow: Workflow,
  host: WorkflowRunHost,
  signal: AbortSignal,
): Promise<WorkflowEnd> {
  const outputs = new Map<string, string>();
  for (const step of workflow.steps) {
    const group = step.kind === "parallel" ? step.steps : [step];
    const results = await Promise.all(
      group.map((single) => runStep(workflow, single, host, outputs, signal)),
    );
    if (signal.aborted) return { ok: false, error: "it was interrupted" };
    for (const [index, { output }] of results.entries()) outputs.set(group[index]?.name ?? "", output);
    const failed = group.filter((single, index) => !results[index]?.ok && !single.goOn && !step.goOn);
    if (failed.length > 0) {
      return { ok: false, error: `the step ${failed.map(({ name }) => `"${name}"`).join(" and ")} failed` };
    }
  }
  return { ok: true };
}

async function runStep(
  workflow: Workflow,
  step: SingleStep,
  host: WorkflowRunHost,
  outputs: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<StepResult> {
  host.log(`[${step.name}] started`);
  const description = `${workflow.name}: ${step.name}`;
  const result =
    step.kind === "command"
      ? await runCommand(step.command, description, step.timeoutMs, host, signal)
      : await runPrompt(fillIn(step.prompt, outputs), description, step.agent, host, signal);
  const output = cutText(result.output, longestOutput).trim();
  host.log(`[${step.name}] ${result.ok ? "done" : "failed"}${output === "" ? "" : `\n${output}`}`);
  return { ok: result.ok, output };
}

async function runCommand(
  command: string,
  description: string,
  timeoutMs: number | undefined,
  host: WorkflowRunHost,
  signal: AbortSignal,
): Promise<StepResult> {
  const timeout = timeoutMs === undefined ? {} : { timeout: Math.min(timeoutMs, longestBashTimeoutMs) };
  const { response, text } = await host.callTool("Bash", { command, description, ...timeout }, signal);
  const taskId = response.backgroundTaskId;
  if (typeof taskId !== "string") return { ok: response.success, output: text };
  // Past its limit the command went into the background: its end is the step's end.
  const left = timeoutMs === undefined ? 2 ** 31 - 1 : Math.max(0, timeoutMs - longestBashTimeoutMs);
  const task = await host.tasks.waitFor(taskId, left, signal);
  if (task?.status === "running") await host.tasks.stop(taskId, { tell: false });
  const output = host.tasks.readOutput(taskId, 0, longestOutput)?.text ?? "";
  return { ok: task?.status === "completed", output };
}

async function runPrompt(
  prompt: string,
  description: string,
  agent: string | undefined,
  host: WorkflowRunHost,
  signal: AbortSignal,
): Promise<StepResult> {
  const input = { description, prompt, ...(agent === undefined ? {} : { subagent_type: agent }) };
  const { response, text } = await host.callTool("Agent", input, signal);
  return { ok: response.success, output: text };
}

function fillIn(prompt: string, outputs: ReadonlyMap<string, string>): string {
  return prompt.replace(outputReference, (_, name: string) => outputs.get(name) ?? "");
}
