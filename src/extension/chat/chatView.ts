import * as vscode from "vscode";
import { type ChatEvent, type ChatMessage, parseChatMessage } from "../../protocol/chatView.ts";
import { loadPage, type PageOptions } from "../webviewPage.ts";

export const chatViewId = "waveHooks.chat";

/** An event that has no number yet: the view counts. */
export type UnnumberedChatEvent = ChatEvent extends infer E
  ? E extends ChatEvent
    ? Omit<E, "seq">
    : never
  : never;

/** What answers the chat. Contract: no method rejects or throws for what the webview sent. */
export interface ChatHost {
  /** Everything that the view shows, whole. */
  everything(): Omit<Extract<ChatEvent, { type: "all" }>, "seq">;
  handle(message: Exclude<ChatMessage, { type: "ready" }>): void;
}

/**
 * The chat's webview. VS Code drops what is posted to a webview that is hidden or not loaded yet; so nothing but
 * prefills is kept for later, and each "ready" is answered with everything.
 */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  /** True between the page's "ready" and its going out of sight. */
  private isLive = false;
  private seq = 0;
  private waitingPrefills: string[] = [];

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly page: PageOptions,
    private readonly host: ChatHost,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  get isVisible(): boolean {
    return this.view?.visible === true;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    this.isLive = false;
    view.webview.onDidReceiveMessage((value: unknown) => this.receive(value));
    view.onDidChangeVisibility(() => {
      // The page of a hidden view is thrown away and built anew when the view comes back: it will say "ready" again.
      if (!view.visible) this.isLive = false;
    });
    view.onDidDispose(() => {
      if (this.view !== view) return;
      this.view = undefined;
      this.isLive = false;
    });
    loadPage(view.webview, this.extensionUri, this.page);
  }

  /** Shows the view and moves the focus into it. */
  async show(): Promise<void> {
    await vscode.commands.executeCommand(`${chatViewId}.focus`);
  }

  /** Shows the chat with this prompt in its composer, unsent; it waits until the page can take it. */
  async prefill(text: string): Promise<void> {
    this.waitingPrefills.push(text);
    await this.show();
    this.postWaitingPrefills();
  }

  /** Posts to a page that is there; for one that is not, its "ready" will bring everything. */
  post(event: UnnumberedChatEvent): void {
    if (this.isLive) this.postNumbered(event);
  }

  dispose(): void {
    this.view = undefined;
    this.isLive = false;
  }

  private receive(value: unknown): void {
    const message = parseChatMessage(value);
    if (!message) {
      this.log.warn("The chat page sent a message that is none of ours; it was ignored.");
      return;
    }
    if (message.type !== "ready") {
      this.host.handle(message);
      return;
    }
    this.isLive = true;
    this.postNumbered(this.host.everything());
    this.postWaitingPrefills();
  }

  private postWaitingPrefills(): void {
    if (!this.isLive) return;
    for (const text of this.waitingPrefills.splice(0)) this.postNumbered({ type: "prefill", text });
  }

  private postNumbered(event: UnnumberedChatEvent): void {
    this.seq += 1;
    void this.view?.webview.postMessage({ ...event, seq: this.seq });
  }
}
