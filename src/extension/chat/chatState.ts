import path from "node:path";
import type { SessionListEntry } from "../../agent/session/session.ts";
import type { BackgroundTaskSummary, CronSummary } from "../../hooks/stopInput.ts";
import type { BackgroundItemView, ChatStateView, SessionEntryView } from "../../protocol/chatView.ts";
import type { Localizer } from "../localizer.ts";
import { oneLine } from "../oneLine.ts";
import { activityText } from "./activityText.ts";
import type { ChatAgent } from "./chatAgent.ts";
import { permissionModeViews } from "./permissionModeViews.ts";

export interface ChatStateSources {
  agent: ChatAgent | undefined;
  sessionId: string;
  permissionMode: string;
  directory: string;
  projectName: string;
  trusted: boolean;
  modelId: string | undefined;
  models: ChatStateView["models"];
  questions: ChatStateView["questions"];
  /** Present while the list of sessions is open and known. */
  sessions: readonly SessionListEntry[] | undefined;
}

/** All of the chat's state but its messages. */
export function chatState(sources: ChatStateSources, l10n: Localizer): ChatStateView {
  const { agent, modelId, sessions } = sources;
  return {
    sessionId: sources.sessionId,
    projectName: projectLabel(sources, l10n),
    trusted: sources.trusted,
    permissionMode: sources.permissionMode,
    permissionModes: permissionModeViews(l10n),
    ...(modelId === undefined ? {} : { modelId }),
    models: sources.models,
    status: statusView(agent, l10n),
    queue: (agent?.queuedMessages ?? [])
      .filter(({ kind }) => kind === "user")
      .map(({ id, text }) => ({ id, text })),
    questions: sources.questions,
    background: [
      ...(agent?.backgroundTasks ?? []).map(taskView),
      ...(agent?.sessionCrons ?? []).map((cron) => cronView(cron, l10n)),
    ],
    ...(sessions ? { sessions: sessions.map(sessionView) } : {}),
  };
}

/** A session may have been started below a root, e.g. in a worktree. */
function projectLabel({ agent, directory, projectName }: ChatStateSources, l10n: Localizer): string {
  if (!agent || agent.workdir === directory) return projectName;
  return l10n.t("{0} (session)", path.basename(agent.workdir));
}

function statusView(agent: ChatAgent | undefined, l10n: Localizer): ChatStateView["status"] {
  const status = agent?.turnStatus;
  if (status?.state !== "running") return { state: "idle", stopContinuations: 0 };
  return {
    state: "running",
    activity: status.activity ? activityText(status.activity, l10n) : l10n.t("Working"),
    ...(status.since === undefined ? {} : { since: status.since }),
    stopContinuations: status.stopContinuations,
  };
}

function taskView(task: BackgroundTaskSummary): BackgroundItemView {
  const label = task.command ?? task.name ?? task.agentType ?? task.id;
  return {
    id: task.id,
    kind: task.type,
    label: oneLine(label, 120),
    ...(task.description === undefined ? {} : { detail: oneLine(task.description, 200) }),
  };
}

function cronView(cron: CronSummary, l10n: Localizer): BackgroundItemView {
  return {
    id: cron.id,
    kind: "cron",
    label: oneLine(cron.prompt, 120),
    detail: cron.recurring ? cron.schedule : l10n.t("{0}, once", cron.schedule),
  };
}

function sessionView({ id, firstPrompt, updatedAt }: SessionListEntry): SessionEntryView {
  return { id, title: oneLine(firstPrompt, 200), updatedAt };
}
