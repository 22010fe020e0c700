import type { Logger } from "../base/logger.ts";
import type { HookEventResult } from "../hooks/hookResult.ts";
import type { TurnActivity } from "./agentOptions.ts";
import type { PermissionGate } from "./permissions/permissionGate.ts";
import { rejectOnAbort } from "./rejectOnAbort.ts";
import type { SessionHooks } from "./sessionHooks.ts";
import { cutText } from "./tools/cutText.ts";
import type { ReadFiles } from "./tools/readFiles.ts";
import type { ShellTasks } from "./tools/shellTasks.ts";
import {
  failedOutcome,
  type SessionPlace,
  type Tool,
  type ToolContext,
  type ToolOutcome,
} from "./tools/tool.ts";

/** One call as it was asked for. */
export interface ToolCall {
  id: string;
  name: string;
  input: unknown;
  /** Why the arguments could not be read; `input` is then their text. */
  unreadable?: string;
}

/** What a call led to. */
export interface FinishedToolCall {
  outcome: ToolOutcome;
  /** Where a hook changed them. */
  changedInput?: unknown;
  /** For the model, each as an isMeta message after the results. */
  modelMessages: readonly string[];
  /** A refusal that ends the turn. */
  endTurn: boolean;
}

export interface ToolPipelineOptions {
  tools(): readonly Tool[];
  place: SessionPlace;
  hooks: SessionHooks;
  gate: PermissionGate;
  readFiles: ReadFiles;
  shellTasks?(): ShellTasks | undefined;
  home: string;
  env(): Readonly<Record<string, string>>;
  logger: Logger;
  agentType?: string;
  onActivity(activity: TurnActivity): void;
}

/** Between its start and its report. */
export interface StartedToolCall {
  readonly readOnly: boolean;
  finish(): Promise<FinishedToolCall>;
}

/** A last bound on what a call may put into the conversation, whatever the tool does. In UTF-16 units. */
const longestResult = 200_000;
/** How long a tool is waited for after an interruption before its call is answered without it. */
const interruptionGraceMs = 250;

/**
 * The one way of every tool call, wherever it comes from: validate, PreToolUse, rules and mode, PermissionRequest, the user,
 * run, PostToolUse, report (E21). Nothing here rejects: every call gets an answer, also one that was interrupted.
 */
export class ToolPipeline {
  private nestedCalls = 0;

  constructor(private readonly options: ToolPipelineOptions) {}

  isReadOnly(name: string): boolean {
    return this.find(name)?.readOnly ?? false;
  }

  async call(call: ToolCall, signal: AbortSignal): Promise<FinishedToolCall> {
    const started = await this.start(call, signal);
    return started.finish();
  }

  /**
   * Up to the moment at which the tool runs, and starts it. PostToolUse waits for `finish`, so that the hooks of calls that
   * run side by side keep the order of the calls.
   */
  async start(call: ToolCall, signal: AbortSignal): Promise<StartedToolCall> {
    const tool = this.find(call.name);
    try {
      signal.throwIfAborted();
      return await this.startChecked(call, tool, signal);
    } catch (error) {
      if (!signal.aborted) {
        this.options.logger.error(`The call of ${call.name} failed before it ran.`, error);
        return answered(failedOutcome(`${call.name} could not be run: ${messageOf(error)}`));
      }
      return answered(interrupted());
    }
  }

  private async startChecked(
    call: ToolCall,
    tool: Tool | undefined,
    signal: AbortSignal,
  ): Promise<StartedToolCall> {
    if (!tool) return answered(failedOutcome(this.unknownTool(call.name)));
    if (call.unreadable !== undefined) {
      return answered(
        failedOutcome(
          `The arguments of ${call.name} are not valid JSON (${call.unreadable}). Send the call again.`,
        ),
      );
    }
    let parsed = tool.inputSchema.parse(call.input);
    if (!parsed.ok) return answered(failedOutcome(badInput(call.name, parsed.message)));

    const before = await this.options.hooks.fire(
      { name: "PreToolUse", toolName: call.name, toolInput: call.input, toolUseId: call.id },
      signal,
    );
    const modelMessages = [...before.modelMessages];
    if (before.block) return answered(failedOutcome(before.block.text), { modelMessages });
    signal.throwIfAborted();
    let input = call.input;
    if (before.modifiedToolInput !== undefined) {
      input = before.modifiedToolInput;
      parsed = tool.inputSchema.parse(input);
      if (!parsed.ok) {
        const text = `A hook changed the arguments of ${call.name} to something that the tool does not take. ${badInput(call.name, parsed.message)}`;
        return answered(failedOutcome(text), { modelMessages });
      }
    }
    const changed = input === call.input ? {} : { changedInput: input };
    const context = this.contextOf(call, signal);
    const refusal = await this.permit(call, tool, input, parsed.value, context, before.permission, signal);
    if (refusal) return answered(refusal.outcome, { modelMessages, ...changed, endTurn: refusal.endTurn });

    signal.throwIfAborted();
    this.options.onActivity({ kind: "tool", toolName: call.name });
    const running = runTool(tool, parsed.value, context, signal);
    return {
      readOnly: tool.readOnly,
      finish: async () => {
        const outcome = await running;
        const after = await this.afterwards({ ...call, input }, outcome, signal);
        return {
          outcome: after.outcome,
          modelMessages: [...modelMessages, ...after.modelMessages],
          ...changed,
          endTurn: false,
        };
      },
    };
  }

  private async permit(
    call: ToolCall,
    tool: Tool,
    input: unknown,
    value: unknown,
    context: ToolContext,
    fromPreToolUse: HookEventResult["permission"],
    signal: AbortSignal,
  ): Promise<{ outcome: ToolOutcome; endTurn: boolean } | undefined> {
    const need = await tool.permissionNeed(value, context);
    const subject = tool.ruleSubject?.(value);
    const permission = await this.options.gate.check(
      { id: call.id, toolName: call.name, input, need, ...(subject === undefined ? {} : { subject }) },
      this.options,
      fromPreToolUse,
      signal,
    );
    if (permission.allowed) return undefined;
    return { outcome: failedOutcome(permission.message), endTurn: permission.endTurn ?? false };
  }

  private async afterwards(
    call: ToolCall,
    outcome: ToolOutcome,
    signal: AbortSignal,
  ): Promise<{ outcome: ToolOutcome; modelMessages: readonly string[] }> {
    if (signal.aborted) return { outcome, modelMessages: [] };
    const after = await this.options.hooks.fire(
      {
        name: "PostToolUse",
        toolName: call.name,
        toolInput: call.input,
        toolUseId: call.id,
        toolResponse: outcome.response,
        resultText: outcome.text,
      },
      signal,
    );
    let text = after.modifiedToolResult ?? outcome.text;
    if (after.toolResultAddendum !== undefined) text = `${text}\n\n${after.toolResultAddendum}`;
    return {
      outcome: { ...outcome, text: cutText(text, longestResult) },
      modelMessages: after.modelMessages,
    };
  }

  private contextOf(call: ToolCall, signal: AbortSignal): ToolContext {
    const { place, home, logger, readFiles, onActivity } = this.options;
    const shellTasks = this.options.shellTasks?.();
    return {
      toolUseId: call.id,
      signal,
      session: place,
      home,
      env: this.options.env(),
      logger,
      readFiles,
      readRefusals: () => this.options.gate.readRefusals(place),
      ...(shellTasks ? { shellTasks } : {}),
      callTool: async (name, input) => {
        const id = `${call.id}_${++this.nestedCalls}`;
        const finished = await this.call({ id, name, input }, signal);
        this.options.hooks.tellModel(finished.modelMessages);
        return finished.outcome;
      },
      progress: (detail) => onActivity({ kind: "tool", toolName: call.name, detail }),
    };
  }

  private find(name: string): Tool | undefined {
    return this.options.tools().find((tool) => tool.name === name);
  }

  private unknownTool(name: string): string {
    const names = this.options.tools().map((tool) => tool.name);
    return `There is no tool named ${JSON.stringify(name)}. The tools are: ${names.join(", ")}.`;
  }
}

async function runTool(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const grace = new AbortController();
  const onAbort = () => {
    setTimeout(() => grace.abort(), interruptionGraceMs).unref();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const outcome = await rejectOnAbort(tool.run(input, context), grace.signal);
    return { ...outcome, text: cutText(outcome.text, longestResult) };
  } catch (error) {
    if (signal.aborted) return interrupted();
    context.logger.debug(`${tool.name} failed.`, error);
    return failedOutcome(cutText(messageOf(error), longestResult));
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function answered(
  outcome: ToolOutcome,
  more: Partial<Omit<FinishedToolCall, "outcome">> = {},
): StartedToolCall {
  const finished: FinishedToolCall = { outcome, modelMessages: [], endTurn: false, ...more };
  return { readOnly: true, finish: () => Promise.resolve(finished) };
}

/** The answer of a call that the user interrupted, wherever it stood. */
export function interrupted(): ToolOutcome {
  return failedOutcome("The user interrupted this tool call. It may have run in part.", {
    interrupted: true,
  });
}

function badInput(name: string, message: string): string {
  return `The arguments of ${name} are not valid:\n${message}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
