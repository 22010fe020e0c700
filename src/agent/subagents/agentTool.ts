import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../../base/clock.ts";
import type { AgentHost, SubagentEnd } from "../agentModule.ts";
import type { BackgroundTasks } from "../background/backgroundTasks.ts";
import { cutText } from "../tools/cutText.ts";
import { failedOutcome, type Tool, type ToolContext, type ToolOutcome } from "../tools/tool.ts";
import { zodInput } from "../tools/toolInputSchema.ts";
import type { AgentCatalog } from "./agentCatalog.ts";
import { type AgentDefinition, mayUseTool } from "./agentDefinition.ts";

/** A subagent may start subagents, and those none. */
const maxDepth = 2;
const longestAnswer = 100_000;
const defaultType = "general-purpose";

const inputSchema = z.object({
  description: z.string().min(1).describe("The task in three to five words."),
  prompt: z
    .string()
    .min(1)
    .describe("The task. The agent sees nothing of this conversation: say all that it needs."),
  subagent_type: z.string().optional().describe(`Which kind of agent. Default: ${defaultType}.`),
  run_in_background: z
    .boolean()
    .optional()
    .describe("Go on at once; you are notified with the answer when the agent has ended. Default: false."),
});

type AgentInput = z.infer<typeof inputSchema>;

export interface AgentToolParts {
  host: AgentHost;
  catalog: AgentCatalog;
  tasks: BackgroundTasks;
  clock: Clock;
}

/** Runs a task in a conversation of its own. `parent`: the subagent whose tool this is; absent in the main conversation. */
export function agentTool(
  parts: AgentToolParts,
  parent?: { agentId: string; depth: number },
): Tool<AgentInput> {
  return {
    name: "Agent",
    get description() {
      const kinds = parts.catalog.definitions.map(({ name, description }) => `- ${name}: ${description}`);
      return `Gives a task to an agent with a conversation and context of its own, and returns its answer. Several calls in one answer work side by side. The kinds of agents:\n${kinds.join("\n")}`;
    },
    inputSchema: zodInput(inputSchema),
    // It changes nothing itself, and each tool that it calls is judged by itself: several may work side by side.
    readOnly: true,
    permissionNeed: () => ({ kind: "none" }),
    ruleSubject: ({ subagent_type = defaultType }) => subagent_type,
    async run(input, context) {
      const type = input.subagent_type ?? defaultType;
      const definition = parts.catalog.find(type);
      if (!definition) {
        const names = parts.catalog.definitions.map(({ name }) => name).join(", ");
        return failedOutcome(`There is no agent ${JSON.stringify(type)}. The kinds are: ${names}.`);
      }
      const run = new SubagentCall(parts, definition, input, parent);
      return input.run_in_background ? run.inBackground(context) : run.toItsEnd(context);
    },
  };
}

class SubagentCall {
  private readonly agentId = randomUUID();
  private readonly startedAt: number;

  constructor(
    private readonly parts: AgentToolParts,
    private readonly definition: AgentDefinition,
    private readonly input: AgentInput,
    private readonly parent: { agentId: string; depth: number } | undefined,
  ) {
    this.startedAt = parts.clock.now();
  }

  async toItsEnd(context: ToolContext): Promise<ToolOutcome> {
    const ended = await this.run(context.signal, (activity) => context.progress(activity));
    const problem = problemOf(ended);
    if (problem)
      return failedOutcome(withAnswerSoFar(problem, ended.text), { agentId: this.agentId, status: "failed" });
    const text = cutText(ended.text, longestAnswer);
    return {
      response: {
        success: true,
        status: "completed",
        prompt: this.input.prompt,
        agentId: this.agentId,
        content: text === "" ? [] : [{ type: "text", text }],
        totalToolUseCount: ended.toolCallCount,
        totalDurationMs: this.parts.clock.now() - this.startedAt,
        totalTokens: ended.totalTokens,
      },
      text: text === "" ? "The agent has ended without an answer." : text,
    };
  }

  async inBackground(context: ToolContext): Promise<ToolOutcome> {
    const { tasks } = this.parts;
    const stop = new AbortController();
    let running: Promise<void> = Promise.resolve();
    const handle = tasks.start(
      {
        kind: "subagent",
        agentType: this.definition.name,
        description: this.input.description,
        toolUseId: context.toolUseId,
      },
      async () => {
        stop.abort();
        await running;
      },
    );
    running = this.run(stop.signal, (activity) => handle.append(`${activity}\n`)).then(
      (ended) => {
        const problem = problemOf(ended);
        if (problem) handle.end({ status: "failed", error: problem, result: ended.text });
        else handle.end({ status: "completed", result: ended.text });
      },
      (error: unknown) => handle.end({ status: "failed", error: messageOf(error) }),
    );
    return {
      response: {
        success: true,
        status: "async_launched",
        agentId: this.agentId,
        taskId: handle.id,
        description: this.input.description,
        prompt: this.input.prompt,
      },
      text: `The agent works in the background as ${handle.id}. You will be notified with its answer; go on with other work, or end your turn.`,
    };
  }

  private run(signal: AbortSignal, progress: (activity: string) => void): Promise<SubagentEnd> {
    const { host } = this.parts;
    const depth = (this.parent?.depth ?? 0) + 1;
    const own = host.tools().filter(({ name }) => name !== "Agent" && mayUseTool(this.definition, name));
    if (depth < maxDepth && mayUseTool(this.definition, "Agent")) {
      own.push(agentTool(this.parts, { agentId: this.agentId, depth }));
    }
    return host.runSubagent({
      agentId: this.agentId,
      agentType: this.definition.name,
      prompt: this.input.prompt,
      systemPrompt: this.definition.systemPrompt,
      tools: own,
      signal,
      progress,
      ...(this.definition.model === undefined ? {} : { model: host.model(this.definition.model) }),
      ...(this.parent ? { parentAgentId: this.parent.agentId } : {}),
    });
  }
}

/** Why there is no whole answer; undefined where there is one. */
function problemOf({ end }: SubagentEnd): string | undefined {
  switch (end.kind) {
    case "done":
      return undefined;
    case "interrupted":
      return "The agent was interrupted.";
    case "modelFailed":
      return `The agent could not go on: ${end.message}`;
    case "limitReached":
      return "The agent was ended: it asked the model too often without coming to an end.";
    case "promptBlocked":
      return "A hook refused the agent's prompt.";
  }
}

function withAnswerSoFar(problem: string, text: string): string {
  return text === "" ? problem : `${problem}\n\nWhat it had said last:\n${cutText(text, longestAnswer)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
