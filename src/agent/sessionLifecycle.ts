import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "../base/logger.ts";
import type { CopilotEndReason, SessionEndSource, SessionStartSource } from "../hooks/hookEvent.ts";
import type { HookManager } from "../hooks/hookManager.ts";
import type { AgentModule } from "./agentModule.ts";
import type { AgentPlace } from "./agentPlace.ts";
import type { Conversation } from "./conversation.ts";
import type { TurnEnd } from "./loop/turnEnd.ts";
import type { SessionFile, StoredSession } from "./session/session.ts";
import type { SessionStore } from "./session/sessionStore.ts";
import type { SessionHooks } from "./sessionHooks.ts";

export interface SessionAtStart {
  id: string;
  file: SessionFile;
  stored?: StoredSession;
}

export interface SessionLifecycleOptions {
  store: SessionStore;
  conversation: Conversation;
  place: AgentPlace;
  manager: HookManager;
  hooks: SessionHooks;
  modules: readonly AgentModule[];
  /** How the last turn that asked the model ended. */
  lastTurnEnd(): TurnEnd["kind"] | undefined;
  /** Another session has taken the old one's place; what belongs to the old one alone is to be forgotten. */
  onOpened(sessionId: string): void;
  logger: Logger;
}

/** Why a session ended, in Copilot's words, by how its last turn did (C2). */
const endReasons: Readonly<Partial<Record<TurnEnd["kind"], CopilotEndReason>>> = {
  interrupted: "abort",
  modelFailed: "error",
};

/** Opens the session with which an agent begins. Rejects with "Session not found: <id>", or because it is open elsewhere. */
export async function sessionAtStart(
  restoreSessionId: string | undefined,
  store: SessionStore,
  workdir: string,
): Promise<SessionAtStart> {
  if (restoreSessionId) {
    const { session, file } = await store.open(restoreSessionId);
    return { id: session.id, file, stored: session };
  }
  const id = randomUUID();
  return { id, file: store.create(id, { workdir, createdAt: Date.now() }) };
}

/**
 * Ends and opens the sessions of one agent, with exactly one SessionEnd and one SessionStart for each change (S4.1, S4.2).
 * Its caller sees to it that no turn runs meanwhile.
 */
export class SessionLifecycle {
  /** What still ends of sessions that are over, by their ids. */
  private readonly endings = new Map<string, Promise<unknown>>();
  /** Aborts at the end: what still ends in the background then ends at once (C21). */
  private readonly quitting = new AbortController();

  constructor(
    private file: SessionFile,
    private readonly options: SessionLifecycleOptions,
  ) {}

  /** Goes where the session stood with which the agent begins. */
  async resumePlace(stored: StoredSession): Promise<void> {
    this.options.place.moveTo(stored.id, await this.restoredCwd(stored));
  }

  /** Resolves when a session that was cleared has ended: before that its file is still open. */
  async ended(sessionId: string): Promise<void> {
    await this.endings.get(sessionId);
  }

  /** To a stored session, already loaded: what is missing or damaged has been refused before anything happened (SE6). */
  async switchTo(id: string, file: SessionFile, stored: StoredSession): Promise<void> {
    const old = this.file;
    await this.options.conversation.save();
    await this.end("resume");
    await old.close();
    await this.open(id, file, stored, "resume");
  }

  /** To an empty one; the old one ends in the background (C21). */
  async startAnew(): Promise<void> {
    const { conversation, store, place } = this.options;
    const old = this.file;
    await conversation.save();
    this.inBackground(
      place.sessionId,
      this.end("clear", this.quitting.signal).then(() => old.close()),
    );
    const id = randomUUID();
    const file = store.create(id, { workdir: place.projectDir, createdAt: Date.now() });
    await this.open(id, file, undefined, "clear");
  }

  async fireStart(source: SessionStartSource, restored: boolean): Promise<void> {
    const { manager, conversation, place, hooks } = this.options;
    if (manager.hasHooks("SessionStart")) await conversation.save();
    const { sessionId } = place;
    const start = [source, sessionId, conversation.transcriptPath] as const;
    // A start-up restore is `startup` for Wave and `resume` for Copilot (design.md section 9).
    const isStartupRestore = source === "startup" && restored;
    const result = await (isStartupRestore
      ? manager.executeSessionStartHooks(...start, { restored })
      : manager.executeSessionStartHooks(...start));
    if (sessionId !== place.sessionId) return;
    hooks.tellModel(result.modelMessages);
    hooks.showNotices(result);
    if (result.modelMessages.length > 0) await conversation.save();
  }

  async fireEnd(source: SessionEndSource, signal?: AbortSignal): Promise<void> {
    const { manager, conversation, place, lastTurnEnd } = this.options;
    const last = source === "other" ? lastTurnEnd() : undefined;
    const reason = last && endReasons[last];
    const end = [source, place.sessionId, conversation.transcriptPath] as const;
    if (reason === undefined && signal === undefined) {
      await manager.executeSessionEndHooks(...end);
      return;
    }
    const more = reason === undefined ? {} : { reason };
    await manager.executeSessionEndHooks(...end, more, signal === undefined ? {} : { signal });
  }

  /** After it nothing of any session runs or is open. */
  async close(): Promise<void> {
    this.quitting.abort();
    await Promise.all(this.endings.values());
    await this.options.conversation.save();
    await this.file.close();
  }

  /**
   * Ends what belongs to the current session, which the caller has saved; its file is left to the caller. Everything is taken
   * from the session before the first wait: afterwards another one may be open.
   */
  private async end(source: SessionEndSource, signal?: AbortSignal): Promise<void> {
    const { manager, place, modules } = this.options;
    const { sessionId } = place;
    await Promise.all([
      manager.endAsyncHooks({ sessionId }),
      this.fireEnd(source, signal),
      ...modules.map((module) => module.endSession?.(sessionId)),
    ]);
  }

  private async open(
    id: string,
    file: SessionFile,
    stored: StoredSession | undefined,
    source: SessionStartSource,
  ): Promise<void> {
    const { place, conversation, onOpened } = this.options;
    this.file = file;
    place.moveTo(id, stored ? await this.restoredCwd(stored) : place.projectDir);
    conversation.open(stored?.messages ?? [], file, stored !== undefined);
    onOpened(id);
    await this.fireStart(source, stored !== undefined);
  }

  private async restoredCwd({ state }: StoredSession): Promise<string> {
    const { cwd } = state;
    const { projectDir } = this.options.place;
    if (cwd === undefined) return projectDir;
    const stats = await stat(cwd).catch(() => undefined);
    return stats?.isDirectory() && !path.relative(projectDir, cwd).startsWith("..") ? cwd : projectDir;
  }

  private inBackground(sessionId: string, work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) => this.options.logger.warn("Ending a session failed.", error))
      .finally(() => this.endings.delete(sessionId));
    this.endings.set(sessionId, tracked);
  }
}
