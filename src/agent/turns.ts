import { randomUUID } from "node:crypto";
import type { Logger } from "../base/logger.ts";
import type { ModelNotification } from "./agentModule.ts";
import type { TurnActivity, TurnStatus } from "./agentOptions.ts";
import type { Conversation } from "./conversation.ts";
import type { TurnEnd } from "./loop/turnEnd.ts";
import { runTurn, type TurnHost } from "./loop/turnLoop.ts";
import { MessageQueue } from "./messageQueue.ts";
import { type Message, userMessage } from "./messages/message.ts";
import { submitPrompt } from "./promptSubmit.ts";
import type { SessionHooks } from "./sessionHooks.ts";
import type { StopHooks } from "./stopHooks.ts";

export interface TurnsOptions {
  conversation: Conversation;
  hooks: SessionHooks;
  /** All of a turn's host but what this class itself knows. */
  host: Omit<TurnHost, "atStop" | "beforeRequest">;
  beforeRequest(signal: AbortSignal): Promise<void>;
  stopHooks(turn: { isUserWaiting(): boolean; onContinue(count: number): void }): StopHooks;
  onStatus(status: TurnStatus): void;
  onQueueChange(): void;
  /** A turn was interrupted: its asyncRewake hooks end (H10.5). */
  onInterrupted(turnId: string): Promise<void>;
  /** Nothing is queued and nothing runs. */
  onIdle(): void;
  logger: Logger;
  now(): number;
}

interface RunningTurn {
  id: string;
  abort: AbortController;
  over: Promise<void>;
}

/** Runs what is queued, one turn at a time, in order. */
export class Turns {
  readonly queue: MessageQueue;
  private running: RunningTurn | undefined;
  private pumping = false;
  /** Number of callers of `exclusively` that hold turns back. */
  private holds = 0;
  private exclusive: Promise<unknown> = Promise.resolve();
  private closed = false;
  /** How the last turn that asked the model ended. */
  lastEnd: TurnEnd["kind"] | undefined;
  private currentStatus: TurnStatus = { state: "idle", stopContinuations: 0 };

  constructor(private readonly options: TurnsOptions) {
    this.queue = new MessageQueue(options.onQueueChange);
  }

  get status(): TurnStatus {
    return this.currentStatus;
  }

  get turnId(): string | undefined {
    return this.running?.id;
  }

  get isIdle(): boolean {
    return !this.pumping && this.holds === 0 && this.queue.length === 0;
  }

  /** Resolves at the end of the prompt's own turn. */
  send(text: string): Promise<void> {
    if (this.closed) return Promise.reject(new Error("The agent has been destroyed."));
    const over = this.queue.addPrompt(text);
    this.pump();
    return over;
  }

  notify(notification: ModelNotification): void {
    if (this.closed) return;
    this.queue.addNotification(notification);
    this.pump();
  }

  /** Ends the turn that runs, wherever it stands; resolves when it is over. */
  async abort(): Promise<void> {
    const turn = this.running;
    if (!turn) return;
    turn.abort.abort(new DOMException("The user interrupted the turn.", "AbortError"));
    await turn.over;
  }

  /** Runs `work` while no turn does and none starts. Calls are taken one after another. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    this.holds++;
    const result = this.exclusive.then(async () => {
      await this.running?.over;
      return work();
    });
    this.exclusive = result.then(
      () => {},
      () => {},
    );
    return result.finally(() => {
      this.holds--;
      this.pump();
    });
  }

  /** Runs `work` as a turn of its own: shown as one, and interrupted like one. What is queued waits for it. */
  run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    return this.exclusively(() =>
      this.runOne(async (_, signal) => {
        await work(signal);
        return false;
      }),
    );
  }

  /** No turn starts any more; what waited is settled. */
  async close(): Promise<void> {
    this.closed = true;
    this.queue.clear();
    await this.abort();
  }

  setActivity(activity: TurnActivity): void {
    if (this.currentStatus.state !== "running") return;
    this.setStatus({ ...this.currentStatus, activity });
  }

  private pump(): void {
    if (this.pumping || this.closed || this.holds > 0) return;
    this.pumping = true;
    void this.runQueued().finally(() => {
      this.pumping = false;
      if (this.closed || this.holds > 0) return;
      if (this.queue.length > 0) this.pump();
      else this.options.onIdle();
    });
  }

  private async runQueued(): Promise<void> {
    while (!this.closed && this.holds === 0) {
      const notifications = this.queue.takeNotifications();
      if (notifications.length > 0) {
        await this.runOne((conversation) => {
          for (const each of notifications) conversation.append(notificationMessage(each));
          return Promise.resolve(true);
        });
        continue;
      }
      const prompt = this.queue.takePrompt();
      if (!prompt) return;
      await this.runOne((conversation, signal) =>
        submitPrompt(prompt.text, conversation, this.options.hooks, signal),
      );
      prompt.settle();
    }
  }

  /** `begin` puts into the conversation what the turn is about; false: there is nothing to do. */
  private async runOne(
    begin: (conversation: Conversation, signal: AbortSignal) => Promise<boolean>,
  ): Promise<void> {
    const { conversation, logger } = this.options;
    const abort = new AbortController();
    let over = (): void => {};
    const turn: RunningTurn = {
      id: randomUUID(),
      abort,
      over: new Promise((resolve) => {
        over = resolve;
      }),
    };
    this.running = turn;
    this.setStatus({ state: "running", since: this.options.now(), stopContinuations: 0 });
    try {
      conversation.beginTurn();
      if (await begin(conversation, abort.signal)) await this.runLoop(abort.signal);
      await conversation.save();
      if (abort.signal.aborted) await this.options.onInterrupted(turn.id);
    } catch (error) {
      logger.error("A turn could not be run.", error);
      conversation.addNotice(
        "error",
        `The turn failed: ${error instanceof Error ? error.message : String(error)}`,
      );
    } finally {
      this.running = undefined;
      this.setStatus({ state: "idle", stopContinuations: this.currentStatus.stopContinuations });
      over();
    }
  }

  private async runLoop(signal: AbortSignal): Promise<void> {
    const stopHooks = this.options.stopHooks({
      isUserWaiting: () => this.queue.hasUserMessage,
      onContinue: (stopContinuations) => this.setStatus({ ...this.currentStatus, stopContinuations }),
    });
    const end = await runTurn(
      {
        ...this.options.host,
        beforeRequest: async (signal) => {
          for (const each of this.queue.takeNotifications()) {
            this.options.conversation.append(notificationMessage(each));
          }
          await this.options.beforeRequest(signal);
        },
        atStop: (signal) => stopHooks.ask(signal),
      },
      signal,
    );
    this.lastEnd = end.kind;
  }

  private setStatus(status: TurnStatus): void {
    this.currentStatus = status;
    this.options.onStatus(status);
  }
}

function notificationMessage(notification: ModelNotification): Message {
  switch (notification.kind) {
    case "meta":
      return userMessage(notification.text, { isMeta: true });
    case "prompt":
      return userMessage(notification.text);
    case "task":
      return { ...userMessage(""), blocks: [notification.block] };
  }
}
