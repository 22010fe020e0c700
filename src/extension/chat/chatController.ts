import { randomUUID } from "node:crypto";
import type { ChatMessage, ChatMessageView, ChatStateView } from "../../protocol/chatView.ts";
import type { Localizer } from "../localizer.ts";
import type { ChatHost, UnnumberedChatEvent } from "./chatView.ts";
import type { Drafts } from "./drafts.ts";
import { permissionModeViews } from "./permissionModeViews.ts";

/** What the controller needs from the editor around it. */
export interface ChatSurroundings {
  l10n: Localizer;
  drafts: Drafts;
  projectName(): string;
  isTrusted(): boolean;
  post(event: UnnumberedChatEvent): void;
  openSettings(): void;
  manageTrust(): void;
}

/** Answers the chat page: holds the session's state and says what changed. */
export class ChatController implements ChatHost {
  private readonly sessionId = "";
  private readonly messages: ChatMessageView[] = [];

  constructor(private readonly around: ChatSurroundings) {}

  everything(): ReturnType<ChatHost["everything"]> {
    return {
      type: "all",
      state: this.state(),
      messages: this.messages,
      draft: this.around.drafts.get(this.sessionId),
    };
  }

  visibilityChanged(): void {}

  /** Sends the state again, e.g. after trust was granted or the project changed. */
  refresh(): void {
    this.around.post({ type: "state", state: this.state() });
  }

  handle(message: Exclude<ChatMessage, { type: "ready" }>): void {
    switch (message.type) {
      case "draft":
        void this.around.drafts.set(message.sessionId, message.text);
        return;
      case "send":
        this.send(message.text);
        return;
      case "openSettings":
        this.around.openSettings();
        return;
      case "manageTrust":
        this.around.manageTrust();
        return;
      default:
        return;
    }
  }

  private send(text: string): void {
    if (text.trim() === "") return;
    const from = this.messages.length;
    const timestamp = Date.now();
    const notice = this.around.isTrusted()
      ? this.around.l10n.t("No model is set up yet, so nobody can answer.")
      : this.around.l10n.t(
          "This workspace is not trusted: no turn, no hook and no tool runs. Trust it to go on.",
        );
    this.messages.push(
      { id: randomUUID(), role: "user", blocks: [{ type: "text", content: text }], timestamp },
      {
        id: randomUUID(),
        role: "assistant",
        blocks: [{ type: "notice", level: "warning", content: notice }],
        timestamp,
      },
    );
    void this.around.drafts.set(this.sessionId, "");
    this.around.post({ type: "messages", from, messages: this.messages.slice(from) });
  }

  private state(): ChatStateView {
    return {
      sessionId: this.sessionId,
      projectName: this.around.projectName(),
      trusted: this.around.isTrusted(),
      permissionMode: "default",
      permissionModes: permissionModeViews(this.around.l10n),
      models: [],
      status: { state: "idle", stopContinuations: 0 },
      queue: [],
      questions: [],
      background: [],
    };
  }
}
