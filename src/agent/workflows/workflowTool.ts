import * as z from "zod";
import type { AgentHost } from "../agentModule.ts";
import type { BackgroundTasks } from "../background/backgroundTasks.ts";
import {
  type DefinitionFiles,
  describeFileProblem,
  type FileDefinition,
} from "../subagents/definitionFiles.ts";
import { failedOutcome, type Tool } from "../tools/tool.ts";
import { zodInput } from "../tools/toolInputSchema.ts";
import type { Workflow } from "./workflowFile.ts";
import { runWorkflow } from "./workflowRun.ts";

const inputSchema = z.object({
  name: z.string().describe("The workflow: the name of its file without .json."),
});

/** The project's workflows, as far as they were read before the last request. */
export class WorkflowCatalog {
  private current: readonly FileDefinition<Workflow>[] = [];

  constructor(private readonly files: DefinitionFiles<Workflow>) {}

  /** Never rejects. */
  async refresh(): Promise<readonly FileDefinition<Workflow>[]> {
    this.current = await this.files.read();
    return this.current;
  }

  get workflows(): Workflow[] {
    return this.current.flatMap((read) => ("definition" in read ? [read.definition] : []));
  }
}

/** Starts a workflow of the project in the background, under its name. */
export function workflowTool(
  host: AgentHost,
  catalog: WorkflowCatalog,
  tasks: BackgroundTasks,
): Tool<z.infer<typeof inputSchema>> {
  return {
    name: "Workflow",
    get description() {
      const lines = catalog.workflows.map(
        ({ name, description }) => `- ${name}${description ? `: ${description}` : ""}`,
      );
      return `Runs a workflow of this project (.wave/workflows/*.json) in the background; you are notified when it has ended.${
        lines.length === 0 ? " There is none at the moment." : ` There are:\n${lines.join("\n")}`
      }`;
    },
    inputSchema: zodInput(inputSchema),
    readOnly: false,
    // Each of its steps is judged by itself.
    permissionNeed: () => ({ kind: "none" }),
    async run({ name }, context) {
      const all = await catalog.refresh();
      const found = all.find(({ file }) => file.replace(/^.*[\\/]/, "") === `${name}.json`);
      if (!found) {
        const names = catalog.workflows.map((workflow) => workflow.name).join(", ");
        return failedOutcome(
          `There is no workflow ${JSON.stringify(name)} in .wave/workflows. ${names === "" ? "There is none at all." : `There are: ${names}.`}`,
        );
      }
      if ("problem" in found) {
        return failedOutcome(`The workflow "${name}" cannot be run. ${describeFileProblem(found.problem)}`);
      }
      const taskId = start(host, tasks, found.definition, context.toolUseId);
      return {
        response: { success: true, status: "async_launched", taskId, name },
        text: `The workflow "${name}" runs in the background as ${taskId}. You will be notified when it has ended.`,
      };
    },
  };
}

function start(host: AgentHost, tasks: BackgroundTasks, workflow: Workflow, toolUseId: string): string {
  const interrupt = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const handle = tasks.start(
    {
      kind: "workflow",
      name: workflow.name,
      ...(workflow.description === undefined ? {} : { description: workflow.description }),
      toolUseId,
    },
    async () => {
      interrupt.abort();
      await running;
    },
  );
  const runHost = {
    callTool: host.callTool.bind(host),
    tasks,
    log: (text: string) => handle.append(`${text}\n`),
  };
  running = runWorkflow(workflow, runHost, interrupt.signal).then((end) =>
    handle.end(end.ok ? { status: "completed" } : { status: "failed", error: end.error }),
  );
  return handle.id;
}
