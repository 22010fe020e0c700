import { randomUUID } from "node:crypto";
import type { ModelNotification } from "./agentModule.ts";
import type { QueuedMessage } from "./agentOptions.ts";

export interface QueuedPrompt {
  id: string;
  kind: "user";
  text: string;
  /** The turn of this prompt is over, or there will be none. */
  settle(): void;
}

export interface QueuedNotification {
  id: string;
  kind: "notification";
  notification: ModelNotification;
}

/** What waits for the model, in one order: nothing jumps ahead of what a user wrote before it (E20, H26). */
export class MessageQueue {
  private entries: (QueuedPrompt | QueuedNotification)[] = [];

  constructor(private readonly onChange: () => void) {}

  get length(): number {
    return this.entries.length;
  }

  get hasUserMessage(): boolean {
    return this.entries.some((entry) => entry.kind === "user");
  }

  list(): QueuedMessage[] {
    return this.entries.map((entry) => ({
      id: entry.id,
      kind: entry.kind,
      text: entry.kind === "user" ? entry.text : notificationText(entry.notification),
    }));
  }

  /** Resolves at the end of the prompt's own turn. */
  addPrompt(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.entries.push({ id: randomUUID(), kind: "user", text, settle: resolve });
      this.onChange();
    });
  }

  addNotification(notification: ModelNotification): void {
    this.entries.push({ id: randomUUID(), kind: "notification", notification });
    this.onChange();
  }

  /** The notifications before the first user message. */
  takeNotifications(): ModelNotification[] {
    const end = this.entries.findIndex((entry) => entry.kind === "user");
    const taken = this.entries.splice(0, end < 0 ? this.entries.length : end);
    if (taken.length > 0) this.onChange();
    return taken.flatMap((entry) => (entry.kind === "notification" ? [entry.notification] : []));
  }

  /** The user message at the head. */
  takePrompt(): QueuedPrompt | undefined {
    const first = this.entries[0];
    if (first?.kind !== "user") return undefined;
    this.entries.shift();
    this.onChange();
    return first;
  }

  remove(id: string): boolean {
    const found = this.entries.find((entry) => entry.id === id);
    if (!found) return false;
    this.entries = this.entries.filter((entry) => entry !== found);
    this.onChange();
    if (found.kind === "user") found.settle();
    return true;
  }

  clear(): void {
    const dropped = this.entries;
    this.entries = [];
    if (dropped.length > 0) this.onChange();
    for (const entry of dropped) if (entry.kind === "user") entry.settle();
  }
}

function notificationText(notification: ModelNotification): string {
  return notification.kind === "task" ? notification.block.summary : notification.text;
}
