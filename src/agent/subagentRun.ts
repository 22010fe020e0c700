import type { Logger } from "../base/logger.ts";
import type { PermissionMode } from "../hooks/hookEvent.ts";
import type { HookManager } from "../hooks/hookManager.ts";
import type { SubagentEnd, SubagentRun } from "./agentModule.ts";
import { AgentPlace } from "./agentPlace.ts";
import { Compactor, requestOverhead } from "./compaction/compactor.ts";
import { Conversation } from "./conversation.ts";
import { runTurn } from "./loop/turnLoop.ts";
import { lastAssistantText } from "./messages/lastAssistantText.ts";
import { textOf, userMessage } from "./messages/message.ts";
import type { Model } from "./models/model.ts";
import type { PermissionGate } from "./permissions/permissionGate.ts";
import type { SessionStore } from "./session/sessionStore.ts";
import { SessionHooks } from "./sessionHooks.ts";
import { StopHooks } from "./stopHooks.ts";
import { ToolPipeline } from "./toolCall.ts";
import { ReadFiles } from "./tools/readFiles.ts";
import type { ShellTasks } from "./tools/shellTasks.ts";

export interface SubagentHost {
  manager: HookManager;
  store: SessionStore;
  /** The main conversation and its place. */
  conversation: Conversation;
  place: AgentPlace;
  gate: PermissionGate;
  model(): Model;
  home: string;
  env(): Readonly<Record<string, string>>;
  permissionMode(): PermissionMode;
  turnId(): string | undefined;
  shellTasks(): ShellTasks | undefined;
  maxStopContinuations: number | undefined;
  logger: Logger;
  now(): number;
}

const mostRequests = 200;

/** Runs a subagent: a conversation of its own, with its own file, and the same hooks, permissions and pipeline (E21). */
export async function runSubagent(run: SubagentRun, host: SubagentHost): Promise<SubagentEnd> {
  const { agentId, agentType, signal } = run;
  const { sessionId, projectDir, cwd, roots } = host.place;
  const place = new AgentPlace({
    sessionId,
    projectDir,
    cwd,
    transcriptPath: () => host.conversation.transcriptPath,
    permissionMode: host.permissionMode,
    turnId: host.turnId,
    agent: { id: agentId, type: agentType },
  });
  for (const root of roots) place.addRoot(root);
  const file = host.store.create(sessionId, {
    workdir: projectDir,
    createdAt: host.now(),
    agentId,
    agentType,
  });
  const conversation = new Conversation({
    file,
    state: () => ({ cwd: place.cwd, permissionMode: host.permissionMode() }),
    logger: host.logger,
  });
  const onActivity = () => {};
  const hooks = new SessionHooks(host.manager, conversation, place, onActivity, host.conversation);
  const pipeline = new ToolPipeline({
    tools: () => run.tools,
    place,
    hooks,
    gate: host.gate,
    readFiles: new ReadFiles(),
    shellTasks: host.shellTasks,
    home: host.home,
    env: host.env,
    logger: host.logger,
    agentType,
    onActivity: (activity) => {
      if (activity.kind === "tool")
        run.progress?.(activity.detail ? `${activity.toolName}: ${activity.detail}` : activity.toolName);
    },
  });
  const parent = run.parentAgentId === undefined ? {} : { parentAgentId: run.parentAgentId };
  const identity = { agentId, agentType, agentTranscriptPath: file.path, ...parent };
  const stopHooks = new StopHooks({
    hooks,
    event: (stopHookActive) => {
      const last = lastAssistantText(conversation.messages);
      return {
        name: "SubagentStop",
        ...identity,
        stopHookActive,
        ...(last === undefined ? {} : { lastAssistantMessage: last }),
      };
    },
    isUserWaiting: () => false,
    limit: host.maxStopContinuations,
  });
  const model = () => run.model ?? host.model();
  const compactor = new Compactor({
    conversation,
    hooks,
    model,
    fixedTokens: () => requestOverhead(run.systemPrompt, run.tools),
    logger: host.logger,
  });
  let totalTokens = 0;
  try {
    conversation.append(userMessage(run.prompt));
    const started = await hooks.fire({ name: "SubagentStart", ...identity }, signal);
    hooks.tellModel(started.modelMessages);
    const end = await runTurn(
      {
        conversation,
        model,
        systemPrompt: () => run.systemPrompt,
        tools: () => run.tools,
        pipeline,
        beforeRequest: (requestSignal) => compactor.compactIfNeeded(requestSignal),
        makeRoom: (requestSignal) => compactor.makeRoom(requestSignal),
        atStop: (stopSignal) => stopHooks.ask(stopSignal),
        onModelFailure: async (failure) => {
          await hooks.fire(
            { name: "ErrorOccurred", error: failure.cause, errorContext: "model_call", recoverable: true },
            signal,
          );
        },
        onUsage: (usage) => {
          compactor.noteUsage(usage);
          totalTokens += (usage.input ?? 0) + (usage.output ?? 0);
        },
        onActivity,
        logger: host.logger,
        maxRequests: run.maxRequests ?? mostRequests,
      },
      signal,
    );
    const { text, toolCallCount } = summary(conversation);
    return {
      end,
      text: stopHooks.modifiedResponse ?? text,
      toolCallCount,
      transcriptPath: file.path,
      totalTokens,
    };
  } finally {
    await conversation.save();
    await file.close();
  }
}

function summary(conversation: Conversation): { text: string; toolCallCount: number } {
  const last = conversation.messages.findLast(
    (message) => message.role === "assistant" && textOf(message) !== "",
  );
  return { text: last ? textOf(last) : "", toolCallCount: conversation.toolCallIds.size };
}
