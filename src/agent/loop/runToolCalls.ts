import type { Conversation } from "../conversation.ts";
import {
  type FinishedToolCall,
  interrupted,
  type StartedToolCall,
  type ToolCall,
  type ToolPipeline,
} from "../toolCall.ts";
import { failedOutcome } from "../tools/tool.ts";

/**
 * Runs the calls of one answer and writes their results into its message: calls that change nothing side by side, all others
 * one after another; hooks and results in the order of the calls. Afterwards every call has its answer.
 */
export async function runToolCalls(
  messageId: string,
  calls: readonly ToolCall[],
  pipeline: ToolPipeline,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<{ endTurn: boolean }> {
  const report = new CallReport(messageId, conversation);
  let endTurn = false;
  let index = 0;
  while (index < calls.length) {
    const batch = nextBatch(calls, index, pipeline);
    index += batch.length;
    const started: { call: ToolCall; running: StartedToolCall }[] = [];
    for (const call of batch) {
      if (endTurn) report.finished(call, notRun());
      else if (signal.aborted) report.finished(call, { ...notRun(), outcome: interrupted() });
      else started.push({ call, running: await pipeline.start(call, signal) });
    }
    for (const { call, running } of started) {
      const finished = await running.finish();
      report.finished(call, finished);
      endTurn ||= finished.endTurn;
    }
  }
  return { endTurn };
}

/** One call that changes something, or as many as follow each other of those that do not. */
function nextBatch(calls: readonly ToolCall[], from: number, pipeline: ToolPipeline): readonly ToolCall[] {
  let to = from;
  while (to < calls.length && to - from < mostAtOnce && pipeline.isReadOnly(calls[to]?.name ?? "")) to++;
  return calls.slice(from, Math.max(to, from + 1));
}

/** Calls that run at the same moment. */
const mostAtOnce = 10;

class CallReport {
  constructor(
    private readonly messageId: string,
    private readonly conversation: Conversation,
  ) {}

  finished(call: ToolCall, { outcome, changedInput, modelMessages }: FinishedToolCall): void {
    const { success } = outcome.response;
    this.conversation.changeToolBlock(this.messageId, call.id, {
      result: outcome.text,
      success,
      ...(success ? {} : { error: outcome.text }),
      stage: "end",
      ...(changedInput === undefined ? {} : { parameters: changedInput }),
      ...(outcome.diff === undefined ? {} : { diff: outcome.diff }),
    });
    this.conversation.appendMeta(modelMessages);
  }
}

function notRun(): FinishedToolCall {
  return {
    outcome: failedOutcome("Not run: the user refused an earlier call of the same answer."),
    modelMessages: [],
    endTurn: false,
  };
}
