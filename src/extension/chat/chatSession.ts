import { setTimeout as delay } from "node:timers/promises";
import type { AgentCallbacks, CanUseTool } from "../../agent/agentOptions.ts";
import type { PermissionMode } from "../../hooks/hookEvent.ts";
import type { AgentProvider, ChatAgent } from "./chatAgent.ts";
import type { KeyValueStore } from "./drafts.ts";

const sessionKey = "chat.session";
const runningKey = "chat.turnRunning";
/** A window that reloads may still be ending its session for a moment. */
const inUseRetries = 20;
const inUseRetryMs = 300;

interface RememberedSession {
  id: string;
  directory: string;
}

export interface ChatSessionOptions {
  provider: AgentProvider;
  /** Remembers the session over a reload of the window. */
  store: KeyValueStore;
  /** Where a new session starts. */
  directory: () => string;
  /** What the user has chosen before there was a session. */
  permissionMode: () => PermissionMode | undefined;
  callbacks: AgentCallbacks;
  canUseTool: CanUseTool;
  /** The session that was to be resumed cannot be; a new one takes its place. */
  onNotResumed: (error: unknown) => void;
  /** The turn of the resumed session was running when its window went. */
  onWasInterrupted: () => void;
}

/** The chat's agent: made when it is needed, one at a time, and resumed after a reload of the window. */
export class ChatSession {
  private current: ChatAgent | undefined;
  private starting: Promise<ChatAgent> | undefined;
  private isEnding = false;

  constructor(private readonly options: ChatSessionOptions) {}

  get agent(): ChatAgent | undefined {
    return this.current;
  }

  /** Of the running agent, or of the session that will be resumed; "" for one that has not begun. */
  get sessionId(): string {
    return this.current?.sessionId ?? this.remembered()?.id ?? "";
  }

  /** Whether there is a session to resume. */
  get isResumable(): boolean {
    return this.current === undefined && this.remembered() !== undefined;
  }

  /** The agent, made or resumed where there is none yet. */
  async start(): Promise<ChatAgent> {
    if (this.current) return this.current;
    this.starting ??= this.create(this.remembered()?.id).finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /** Ends the session and forgets it; the next `start` begins a new one. */
  async startNew(): Promise<void> {
    await this.end();
    await this.options.store.update(sessionKey, undefined);
  }

  /** False where there was no agent and one was made for that session. */
  async switchTo(sessionId: string): Promise<boolean> {
    if (this.starting !== undefined) await this.starting;
    if (this.current) {
      await this.current.restoreSession(sessionId);
      return true;
    }
    await this.options.store.update(sessionKey, { id: sessionId, directory: this.options.directory() });
    await this.start();
    return false;
  }

  /** Ends the agent and all that it started; the session stays to be resumed. */
  async end(): Promise<void> {
    if (this.starting !== undefined) await this.starting.catch(() => undefined);
    const agent = this.current;
    this.isEnding = true;
    try {
      await agent?.destroy();
    } finally {
      this.current = undefined;
      this.isEnding = false;
    }
  }

  /** Kept, so that a window that comes back can say that a turn was cut off; ending the session cuts it off too. */
  async turnRuns(isRunning: boolean): Promise<void> {
    if (this.isEnding) return;
    await this.options.store.update(runningKey, isRunning ? this.sessionId : undefined);
  }

  private async create(resumeId: string | undefined): Promise<ChatAgent> {
    const { store, onWasInterrupted } = this.options;
    const agent = resumeId === undefined ? await this.make() : await this.resume(resumeId);
    this.current = agent;
    if (agent.sessionId === resumeId && store.get(runningKey) === resumeId) onWasInterrupted();
    await store.update(runningKey, undefined);
    await this.remember();
    return agent;
  }

  private async resume(sessionId: string): Promise<ChatAgent> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.make(sessionId);
      } catch (error) {
        // The agent's code is a bundle of its own: its classes are not ours.
        const name = error instanceof Error ? error.name : "";
        if (name === "SessionInUseError" && attempt < inUseRetries) {
          await delay(inUseRetryMs);
          continue;
        }
        this.options.onNotResumed(error);
        return this.make();
      }
    }
  }

  private make(restoreSessionId?: string): Promise<ChatAgent> {
    const { provider, directory, permissionMode, callbacks, canUseTool } = this.options;
    const mode = permissionMode();
    return provider.create({
      workdir: directory(),
      ...(mode === undefined ? {} : { permissionMode: mode }),
      canUseTool,
      callbacks: {
        ...callbacks,
        onSessionChanged: (id) => {
          void this.remember();
          callbacks.onSessionChanged?.(id);
        },
      },
      ...(restoreSessionId === undefined ? {} : { restoreSessionId }),
    });
  }

  private async remember(): Promise<void> {
    if (!this.current) return;
    const remembered: RememberedSession = { id: this.current.sessionId, directory: this.current.workdir };
    await this.options.store.update(sessionKey, remembered);
  }

  private remembered(): RememberedSession | undefined {
    const remembered = this.options.store.get<RememberedSession>(sessionKey);
    return remembered?.directory === this.options.directory() ? remembered : undefined;
  }
}
