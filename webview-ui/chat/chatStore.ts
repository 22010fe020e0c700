import type { ChatEvent, ChatMessageView, ChatStateView } from "../../src/protocol/chatView.ts";

export interface ChatData {
  /** Absent until the host has answered. */
  state?: ChatStateView;
  messages: readonly ChatMessageView[];
  /** The last answer to a search for files. */
  files?: { query: string; paths: readonly string[] };
}

interface StoreListener {
  /** A prompt for the composer. */
  prefill(text: string): void;
  /** The host has sent everything again, with the draft that it keeps for the session. */
  draft(sessionId: string, draft: string): void;
  /** The session goes on under that id. */
  session(sessionId: string): void;
  /** An event was missed: everything is needed again. */
  resync(): void;
}

/**
 * What the host says, as it stands. An event is applied at once; who shows it hears of it once per frame, so a fast stream costs one
 * rendering per frame. Messages before the first changed one keep their identity: what shows them need not render again.
 */
export class ChatStore {
  private data: ChatData = { messages: [] };
  private seq: number | undefined;
  private scheduled = false;
  private readonly subscribers = new Set<() => void>();

  constructor(private readonly listener: StoreListener) {}

  readonly subscribe = (subscriber: () => void): (() => void) => {
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  };

  readonly get = (): ChatData => this.data;

  receive(event: ChatEvent): void {
    if (event.type === "all") {
      this.seq = event.seq;
      this.change({ state: event.state, messages: event.messages });
      this.listener.draft(event.state.sessionId, event.draft);
      return;
    }
    // A prompt depends on nothing that was missed, and must not get lost.
    if (event.type === "prefill") this.listener.prefill(event.text);
    if (this.seq === undefined) return;
    if (event.seq !== this.seq + 1) {
      this.seq = undefined;
      this.listener.resync();
      return;
    }
    this.seq = event.seq;
    switch (event.type) {
      case "state":
        this.listener.session(event.state.sessionId);
        this.change({ ...this.data, state: event.state });
        return;
      case "messages":
        this.change({
          ...this.data,
          messages: [...this.data.messages.slice(0, event.from), ...event.messages],
        });
        return;
      case "files":
        this.change({ ...this.data, files: { query: event.query, paths: event.paths } });
        return;
      case "prefill":
        return;
    }
  }

  private change(data: ChatData): void {
    this.data = data;
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      for (const subscriber of this.subscribers) subscriber();
    });
  }
}
