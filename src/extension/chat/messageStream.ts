import type { Disposable } from "../../base/disposable.ts";
import type { ChatMessageView } from "../../protocol/chatView.ts";
import { firstDifference } from "./messageViews.ts";
import { Throttle } from "./throttle.ts";

/** An answer streams far more often than a screen can show it. */
const updatesPerSecond = 30;

/** Tells the page which messages changed, at most so often that it stays fluid. */
export class MessageStream implements Disposable {
  private sent: readonly ChatMessageView[] = [];
  private readonly throttle: Throttle;

  constructor(
    private readonly current: () => readonly ChatMessageView[],
    private readonly post: (from: number, messages: readonly ChatMessageView[]) => void,
  ) {
    this.throttle = new Throttle(() => this.send(), 1000 / updatesPerSecond);
  }

  /** Something changed. */
  changed(): void {
    this.throttle.request();
  }

  /** What changed is told now, before what the caller says next. */
  flush(): void {
    this.throttle.flush();
  }

  /** All messages, for a page that begins anew: what follows are changes of these. */
  all(): readonly ChatMessageView[] {
    this.sent = this.current();
    return this.sent;
  }

  dispose(): void {
    this.throttle.dispose();
  }

  private send(): void {
    const messages = this.current();
    const from = firstDifference(this.sent, messages);
    if (from === undefined) return;
    this.sent = messages;
    this.post(from, messages.slice(from));
  }
}
