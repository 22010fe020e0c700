import type { ChatMessage } from "../../../src/protocol/chatView.ts";

const debounce = 300;

/**
 * The text in the composer, and what the host knows of it. What the user has typed is never replaced: a prompt goes under
 * it, and a host that sends everything again does not undo it.
 */
export class DraftModel {
  text = "";
  /** Grows when the composer should take the focus: after a prompt was put in. */
  focusRequests = 0;
  private sessionId = "";
  /** What the host has, so far as we know. */
  private synced = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly subscribers = new Set<() => void>();
  private version = 0;

  constructor(private readonly post: (message: ChatMessage) => void) {}

  readonly subscribe = (subscriber: () => void): (() => void) => {
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  };

  readonly getVersion = (): number => this.version;

  readonly getFocusRequests = (): number => this.focusRequests;

  edit(text: string): void {
    this.set(text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), debounce);
  }

  /** Puts a prompt into the empty composer, or under what stands there. */
  prefill(prompt: string): void {
    const begun = this.text.trimEnd();
    this.focusRequests++;
    this.set(begun === "" ? prompt : `${begun}\n\n${prompt}`);
    this.flush();
  }

  /** The host has sent everything, with the draft that it keeps for the session. */
  receive(sessionId: string, draft: string): void {
    const isOther = sessionId !== this.sessionId;
    const isUntouched = this.text === this.synced;
    this.sessionId = sessionId;
    if (isOther ? draft !== "" || this.text === "" : isUntouched) {
      this.synced = draft;
      this.set(draft);
    } else if (isOther) {
      // A session that began while the user was typing (new, cleared): the text comes along.
      this.synced = draft;
      this.flush();
    }
  }

  /** The session goes on under that id. */
  setSession(sessionId: string): void {
    this.sessionId = sessionId;
  }

  /** The user leaves for another session: its draft will come, this one stays behind. */
  leaveSession(): void {
    this.flush();
    this.synced = "";
    this.set("");
  }

  /** The text is on its way as a message; the host forgets its draft by itself. */
  sent(): void {
    clearTimeout(this.timer);
    this.synced = "";
    this.set("");
  }

  /** Tells the host what stands here, if it does not know. */
  flush(): void {
    clearTimeout(this.timer);
    if (this.text === this.synced) return;
    this.synced = this.text;
    this.post({ type: "draft", sessionId: this.sessionId, text: this.text });
  }

  private set(text: string): void {
    this.text = text;
    this.version++;
    for (const subscriber of this.subscribers) subscriber();
  }
}
