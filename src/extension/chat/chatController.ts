import type { TurnStatus } from "../../agent/agentOptions.ts";
import type { SessionListEntry } from "../../agent/session/session.ts";
import { type PermissionMode, permissionModes } from "../../hooks/hookEvent.ts";
import type {
  ChatMessage,
  ChatMessageView,
  ChatStateView,
  ModelChoiceView,
} from "../../protocol/chatView.ts";
import { errorText } from "../errorText.ts";
import type { Localizer } from "../localizer.ts";
import type { AgentProvider, ChatAgent } from "./chatAgent.ts";
import { ChatSession } from "./chatSession.ts";
import { chatState } from "./chatState.ts";
import type { ChatHost, UnnumberedChatEvent } from "./chatView.ts";
import type { Drafts, KeyValueStore } from "./drafts.ts";
import { LocalMessages } from "./localMessages.ts";
import { MessageStream } from "./messageStream.ts";
import { MessageViews } from "./messageViews.ts";
import { PermissionQuestions } from "./permissionQuestions.ts";
import { Throttle } from "./throttle.ts";

/** What the controller needs from the editor around it. No method may throw. */
export interface ChatSurroundings {
  l10n: Localizer;
  provider: AgentProvider;
  store: KeyValueStore;
  drafts: Drafts;
  project(): { name: string; directory: string };
  isTrusted(): boolean;
  models(): { chosenId: string | undefined; views: readonly ModelChoiceView[] };
  /** Resolves when a running session answers with the model that was chosen last. */
  modelApplied(): Promise<void>;
  post(event: UnnumberedChatEvent): void;
  /** The turn's state as one line, for places outside of the chat. */
  turnChanged(status: TurnStatus, activity: string | undefined): void;
  /** Something happened that the user may not see: a turn ended, a question came. */
  tellUnseen(text: string): void;
  /** Writes the rule of "allow always" into the project's local settings. */
  addAllowRule(directory: string, rule: string): Promise<void>;
  findFiles(directory: string, query: string): Promise<readonly string[] | undefined>;
  openFile(file: string): void;
  openDiff(file: string, diff: string, state: "pending" | "done"): void;
  chooseModel(): void;
  setModel(id: string): void;
  setUpModel(kind: ModelChoiceView["kind"]): void;
  openSettings(): void;
  manageTrust(): void;
  /** The command "New Session": asks for the root where there are several. */
  newSession(): void;
  log(message: string, error?: unknown): void;
}

/** Answers the chat page: holds the session, says what changed, does what the user asks for. */
export class ChatController implements ChatHost {
  private readonly session: ChatSession;
  private readonly local = new LocalMessages();
  private readonly questions: PermissionQuestions;
  private readonly stream: MessageStream;
  private readonly stateUpdates: Throttle;
  private views = new MessageViews("");
  private viewsFor: string | undefined;
  private sessions: readonly SessionListEntry[] | undefined;
  private sessionsOpen = false;
  private wasRunning = false;
  /** Chosen before there was an agent to choose it for. */
  private modeForNew: PermissionMode | undefined;

  constructor(private readonly around: ChatSurroundings) {
    const { l10n } = around;
    this.stateUpdates = new Throttle(() => around.post({ type: "state", state: this.state() }), 50);
    this.stream = new MessageStream(
      () => this.messages(),
      (from, messages) => around.post({ type: "messages", from, messages }),
    );
    this.questions = new PermissionQuestions({
      l10n,
      fileLabel: ".wave/settings.local.json",
      addRule: (rule) => around.addAllowRule(this.session.agent?.workdir ?? around.project().directory, rule),
      onRuleFailed: (rule, error) =>
        this.notice(
          "error",
          l10n.t(
            "The rule {0} could not be written, so it is allowed this once: {1}",
            rule,
            errorText(error, l10n),
          ),
        ),
      onChange: () => this.stateChanged(),
    });
    this.session = new ChatSession({
      provider: around.provider,
      store: around.store,
      directory: () => around.project().directory,
      permissionMode: () => this.modeForNew,
      canUseTool: (question) => {
        around.tellUnseen(l10n.t("{0} needs your permission.", question.toolName));
        return this.questions.ask(question);
      },
      callbacks: {
        onMessagesChanged: () => this.stream.changed(),
        onTurnStatusChanged: (status) => this.turnChanged(status),
        onQueueChanged: () => this.stateChanged(),
        onSessionChanged: () => this.sessionChanged(),
        onPermissionModeChanged: () => this.stateChanged(),
        onBackgroundChanged: () => this.stateChanged(),
      },
      onNotResumed: (error) => around.log("The last session could not be resumed.", error),
      onWasInterrupted: () =>
        this.notice(
          "warning",
          l10n.t("The window was closed or reloaded in the middle of a turn; the turn was interrupted."),
        ),
    });
  }

  everything(): ReturnType<ChatHost["everything"]> {
    if (this.session.isResumable) void this.resume();
    return {
      type: "all",
      state: this.state(),
      messages: this.stream.all(),
      draft: this.around.drafts.get(this.session.sessionId),
    };
  }

  /** Sends the state again, e.g. after trust was granted or the model changed. */
  refresh(): void {
    if (this.session.isResumable) void this.resume();
    this.stateChanged();
  }

  /** The session's directory changed: another session takes this one's place. */
  async projectChanged(): Promise<void> {
    await this.session.end();
    this.sessionChanged();
  }

  /** Ends the session and shows an empty one; its SessionStart hooks run when it begins. */
  async startNew(): Promise<void> {
    await this.session.startNew();
    this.sessionChanged();
  }

  get agent(): ChatAgent | undefined {
    return this.session.agent;
  }

  /** Ends everything that the session started. */
  async end(): Promise<void> {
    this.stateUpdates.dispose();
    this.stream.dispose();
    await this.session.end();
  }

  handle(message: Exclude<ChatMessage, { type: "ready" }>): void {
    this.answer(message).catch((error: unknown) => {
      this.around.log(`"${message.type}" failed.`, error);
      this.notice("error", errorText(error, this.around.l10n));
    });
  }

  private async answer(message: Exclude<ChatMessage, { type: "ready" }>): Promise<void> {
    const { around, session } = this;
    switch (message.type) {
      case "draft":
        return around.drafts.set(message.sessionId, message.text);
      case "send":
        return this.send(message.text);
      case "stop":
        return session.agent?.abortMessage();
      case "unqueue":
        session.agent?.removeQueuedMessage(message.id);
        return;
      case "answer":
        return this.questions.answer(message.id, message.answer, message.message);
      case "openDiff":
        return this.openDiff(message.toolId);
      case "openFile":
        return this.openFile(message.file);
      case "setMode":
        return this.setMode(message.mode);
      case "setModel":
        return around.setModel(message.id);
      case "chooseModel":
        return around.chooseModel();
      case "setUpModel":
        return around.setUpModel(message.kind);
      case "newSession":
        return around.newSession();
      case "clearSession":
        return session.agent?.clearMessages();
      case "listSessions":
        return this.showSessions(message.open);
      case "switchSession":
        return this.switchSession(message.id);
      case "stopBackground":
        await session.agent?.stopBackground(message.id);
        return;
      case "findFiles":
        return this.findFiles(message.query);
      case "openSettings":
        return around.openSettings();
      case "manageTrust":
        return around.manageTrust();
    }
  }

  private async send(text: string): Promise<void> {
    if (text.trim() === "") return;
    const { around } = this;
    const { l10n, drafts } = around;
    await drafts.set(this.session.sessionId, "");
    if (!around.isTrusted())
      return this.cannotAnswer(
        text,
        l10n.t("This workspace is not trusted: no turn, no hook and no tool runs. Trust it to go on."),
      );
    if (around.models().chosenId === undefined)
      return this.cannotAnswer(
        text,
        l10n.t("No model is set up yet, so nobody can answer. Choose one first."),
      );
    const agent = await this.startFor(text);
    await drafts.set("", "");
    await around.modelApplied();
    this.stateChanged();
    await agent?.sendMessage(text);
  }

  private async startFor(text: string): Promise<ChatAgent | undefined> {
    try {
      return await this.session.start();
    } catch (error) {
      this.around.log("The session could not be started.", error);
      this.cannotAnswer(text, errorText(error, this.around.l10n), "error");
      return undefined;
    }
  }

  /** What the user wrote stays to be seen, and to be sent again. */
  private cannotAnswer(text: string, why: string, level: "warning" | "error" = "warning"): void {
    this.local.add("user", { type: "text", content: text }, this.sessionMessages().length);
    this.notice(level, why);
  }

  private async resume(): Promise<void> {
    if (!this.around.isTrusted() || this.around.models().chosenId === undefined) return;
    try {
      await this.session.start();
    } catch (error) {
      this.around.log("The session could not be started.", error);
      this.notice("error", errorText(error, this.around.l10n));
    }
    this.stream.changed();
    this.stateChanged();
  }

  private async openDiff(id: string): Promise<void> {
    const question = this.questions.find(id);
    if (question?.diff !== undefined && question.file !== undefined) {
      this.around.openDiff(question.file, question.diff, "pending");
      return;
    }
    const card = this.messages()
      .flatMap(({ blocks }) => blocks)
      .find((block) => block.type === "tool" && block.tool.id === id);
    if (card?.type !== "tool" || card.tool.file === undefined || card.tool.diff === undefined) return;
    const block = this.agent?.messages
      .flatMap(({ blocks }) => blocks)
      .find((candidate) => candidate.type === "tool" && candidate.id === id);
    const diff = block?.type === "tool" ? block.diff : undefined;
    this.around.openDiff(card.tool.file, diff ?? card.tool.diff, "done");
  }

  /** Only what the chat shows: a webview is never trusted. */
  private openFile(file: string): void {
    const isShown =
      this.questions.views.some((question) => question.file === file) ||
      this.messages().some(({ blocks }) =>
        blocks.some((block) => block.type === "tool" && block.tool.file === file),
      );
    if (isShown) this.around.openFile(file);
    else this.around.log("The chat asked for a file that it does not show; it was not opened.");
  }

  private setMode(mode: string): void {
    const known = permissionModes.find((candidate) => candidate === mode);
    if (known === undefined) return;
    this.modeForNew = known;
    this.agent?.setPermissionMode(known);
    this.stateChanged();
  }

  private async showSessions(open: boolean): Promise<void> {
    this.sessionsOpen = open;
    if (!open) this.sessions = undefined;
    else this.sessions = await this.around.provider.listSessions(this.around.project().directory);
    this.stateChanged();
  }

  private async switchSession(id: string): Promise<void> {
    if (id === this.session.sessionId || !this.around.isTrusted()) return;
    // Where an agent is there, it tells of its new session itself.
    if (!(await this.session.switchTo(id))) this.sessionChanged();
  }

  private async findFiles(query: string): Promise<void> {
    const { directory } = this.around.project();
    const paths = await this.around.findFiles(this.agent?.workdir ?? directory, query);
    if (paths) this.around.post({ type: "files", query, paths });
  }

  private turnChanged(status: TurnStatus): void {
    const isRunning = status.state === "running";
    const ended = this.wasRunning && !isRunning;
    if (isRunning !== this.wasRunning) void this.session.turnRuns(isRunning);
    this.wasRunning = isRunning;
    this.around.turnChanged(status, this.state().status.activity);
    if (ended) {
      this.stream.flush();
      this.around.tellUnseen(this.around.l10n.t("The answer is finished."));
      if (this.sessionsOpen) void this.showSessions(true);
    }
    this.stateChanged();
  }

  /** Another session is shown: everything begins anew. */
  private sessionChanged(): void {
    this.local.clear();
    this.around.post(this.everything());
    if (this.sessionsOpen) void this.showSessions(true);
  }

  private notice(level: "info" | "warning" | "error", content: string): void {
    this.local.add("assistant", { type: "notice", level, content }, this.sessionMessages().length);
    this.stream.changed();
  }

  private messages(): readonly ChatMessageView[] {
    return this.local.among(this.sessionMessages());
  }

  private sessionMessages(): readonly ChatMessageView[] {
    const { agent } = this.session;
    if (!agent) return [];
    if (this.viewsFor !== agent.workdir) {
      this.views = new MessageViews(agent.workdir);
      this.viewsFor = agent.workdir;
    }
    return this.views.of(agent.messages);
  }

  private stateChanged(): void {
    this.stateUpdates.request();
  }

  private state(): ChatStateView {
    const { around, session } = this;
    const { chosenId, views } = around.models();
    const project = around.project();
    return chatState(
      {
        agent: session.agent,
        sessionId: session.sessionId,
        permissionMode: session.agent?.permissionMode ?? this.modeForNew ?? "default",
        directory: project.directory,
        projectName: project.name,
        trusted: around.isTrusted(),
        modelId: chosenId,
        models: views,
        questions: this.questions.views,
        sessions: this.sessionsOpen ? this.sessions : undefined,
      },
      around.l10n,
    );
  }
}
