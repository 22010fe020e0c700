import type { LanguageModelV3Message } from "@ai-sdk/provider";
import type { Logger } from "../../base/logger.ts";
import type { TurnActivity } from "../agentOptions.ts";
import type { Conversation } from "../conversation.ts";
import { convertMessagesForAPI } from "../messages/convertMessagesForAPI.ts";
import type { Model, ModelFailure, ModelUsage } from "../models/model.ts";
import type { ToolPipeline } from "../toolCall.ts";
import type { Tool } from "../tools/tool.ts";
import { receiveAnswer } from "./modelAnswer.ts";
import { runToolCalls } from "./runToolCalls.ts";
import type { TurnEnd } from "./turnEnd.ts";

/** What a turn needs of the agent or subagent that it belongs to. */
export interface TurnHost {
  conversation: Conversation;
  model(): Model;
  systemPrompt(): string;
  tools(): readonly Tool[];
  pipeline: ToolPipeline;
  /** Before each request: what has been queued for the model, compaction near the limit. */
  beforeRequest(signal: AbortSignal): Promise<void>;
  /** The request did not fit. True: it does now, ask again. */
  makeRoom(signal: AbortSignal): Promise<boolean>;
  /** The model is done: whether a hook wants it to go on. Not asked after an interruption or a failed request. */
  atStop(signal: AbortSignal): Promise<"stop" | "continue">;
  onModelFailure(failure: ModelFailure): Promise<void>;
  onUsage?(usage: ModelUsage): void;
  onActivity(activity: TurnActivity): void;
  logger: Logger;
  /** Most model requests of this turn. */
  maxRequests?: number;
}

/** The text for the model where the user broke in; it stands in the conversation as an isMeta message. */
const interruptionText = "[The user interrupted the turn here.]";

/** Asks the model, runs its tools, and again, until it is done. Never rejects. */
export async function runTurn(host: TurnHost, signal: AbortSignal): Promise<TurnEnd> {
  let end: TurnEnd;
  try {
    end = await untilDone(host, signal);
  } catch (error) {
    if (signal.aborted) end = { kind: "interrupted" };
    else {
      host.logger.error("The turn failed.", error);
      const message = `The turn ended by an error of the agent itself: ${error instanceof Error ? error.message : String(error)}`;
      host.conversation.addNotice("error", message);
      end = { kind: "modelFailed", message };
    }
  }
  if (end.kind === "interrupted") {
    host.conversation.addNotice("info", "Interrupted.");
    host.conversation.appendMeta([interruptionText]);
  }
  await host.conversation.save();
  return end;
}

async function untilDone(host: TurnHost, signal: AbortSignal): Promise<TurnEnd> {
  const { conversation } = host;
  let madeRoom = false;
  for (let requests = 0; ; requests++) {
    if (requests === host.maxRequests) return { kind: "limitReached" };
    await host.beforeRequest(signal);
    if (signal.aborted) return { kind: "interrupted" };
    const answer = await request(host, signal);
    if (answer.kind === "aborted") return { kind: "interrupted" };
    if (answer.kind === "failed") {
      if (answer.failure.kind === "contextOverflow" && !madeRoom && (await host.makeRoom(signal))) {
        madeRoom = true;
        continue;
      }
      if (signal.aborted) return { kind: "interrupted" };
      conversation.addNotice("error", answer.failure.message);
      await host.onModelFailure(answer.failure);
      return { kind: "modelFailed", message: answer.failure.message };
    }
    host.onUsage?.(answer.usage);
    if (answer.reason === "length") {
      conversation.addNotice("warning", "The answer was cut off at the model's limit for one answer.");
    } else if (answer.reason === "filtered") {
      conversation.addNotice("warning", "The model service withheld the answer or a part of it.");
    }
    await conversation.save();
    if (answer.messageId !== undefined && answer.calls.length > 0) {
      const { endTurn } = await runToolCalls(
        answer.messageId,
        answer.calls,
        host.pipeline,
        conversation,
        signal,
      );
      await conversation.save();
      if (endTurn || signal.aborted) return { kind: "interrupted" };
      continue;
    }
    const next = await host.atStop(signal);
    if (signal.aborted) return { kind: "interrupted" };
    if (next === "stop") return { kind: "done" };
  }
}

function request(host: TurnHost, signal: AbortSignal): ReturnType<typeof receiveAnswer> {
  host.onActivity({ kind: "model" });
  const prompt: LanguageModelV3Message[] = convertMessagesForAPI(host.conversation.messages);
  const events = host.model().stream({
    system: host.systemPrompt(),
    prompt,
    tools: host.tools().map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema.json,
    })),
    signal,
  });
  return receiveAnswer(events, host.conversation, ({ attempt, delayMs, reason }) =>
    host.onActivity({ kind: "retry", attempt, waitMs: delayMs, at: Date.now(), reason }),
  );
}
