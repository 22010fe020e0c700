import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Logger } from "../base/logger.ts";
import { silentLogger } from "../base/logger.ts";
import { withoutCredentials } from "../hooks/hookEnvironment.ts";
import type { HookSession, PermissionMode } from "../hooks/hookEvent.ts";
import { HookManager } from "../hooks/hookManager.ts";
import type { BackgroundTaskSummary, CronSummary } from "../hooks/stopInput.ts";
import { ProcessCommandRunner } from "../process/processCommandRunner.ts";
import { HookConfigurationStore } from "../settings/hookConfigurationStore.ts";
import { hookFileLocations } from "../settings/hookFileLocations.ts";
import type { AgentHost, AgentModule } from "./agentModule.ts";
import { agentModules } from "./agentModules.ts";
import type { AgentOptions, QueuedMessage, TurnStatus } from "./agentOptions.ts";
import { AgentPlace } from "./agentPlace.ts";
import { type AgentSetup, loggerWithoutSecrets, setUp } from "./agentSetup.ts";
import { AgentTools } from "./agentTools.ts";
import { Compactor, requestOverhead } from "./compaction/compactor.ts";
import { Conversation } from "./conversation.ts";
import { createHttpHookClient, environmentAllowsLoopback } from "./httpHookClient.ts";
import { lastAssistantText } from "./messages/lastAssistantText.ts";
import type { Message } from "./messages/message.ts";
import type { Model } from "./models/model.ts";
import { withoutSecrets } from "./models/redactSecrets.ts";
import { type ModelOptions, type ResolvedModel, resolveModel } from "./models/resolveModel.ts";
import { notifyHooks } from "./notificationHooks.ts";
import { PermissionGate } from "./permissions/permissionGate.ts";
import type { SessionListEntry, StoredSession } from "./session/session.ts";
import { SessionStore } from "./session/sessionStore.ts";
import { SessionHooks } from "./sessionHooks.ts";
import { type SessionAtStart, SessionLifecycle, sessionAtStart } from "./sessionLifecycle.ts";
import { SettingsReports } from "./settingsReports.ts";
import { StopHooks } from "./stopHooks.ts";
import { runSubagent } from "./subagentRun.ts";
import { systemPrompt } from "./systemPrompt.ts";
import { ToolPipeline } from "./toolCall.ts";
import { ReadFiles } from "./tools/readFiles.ts";
import { Turns } from "./turns.ts";

/** A session with a coding agent: what the user sends, the model's answers, the tools that they call, and the hooks around all of it. */
export class Agent {
  readonly hookManager: HookManager;
  private readonly logger: Logger;
  private readonly conversation: Conversation;
  private readonly place: AgentPlace;
  private readonly hooks: SessionHooks;
  private readonly pipeline: ToolPipeline;
  private readonly compactor: Compactor;
  private readonly turns: Turns;
  private readonly configuration: HookConfigurationStore;
  private readonly runner: ProcessCommandRunner;
  private readonly gate: PermissionGate;
  private readonly tools: AgentTools;
  private readonly modules: AgentModule[] = [];
  private readonly reports: SettingsReports;
  private readonly readFiles = new ReadFiles();
  private readonly sessions: SessionLifecycle;
  private mode: PermissionMode;
  private destroying: Promise<void> | undefined;

  /**
   * Opens or starts a session and runs its SessionStart hooks. Rejects with an error for people where the project folder is
   * missing, a custom tool is not valid, or the session to restore is missing ("Session not found: <id>") or open elsewhere.
   */
  static async create(options: AgentOptions = {}): Promise<Agent> {
    const setup = setUp(options);
    const resolved = resolveModel(options, setup.env);
    const logger = loggerWithoutSecrets(options.logger ?? silentLogger, () => resolved.credentials);
    const store = new SessionStore({
      home: setup.home,
      logger,
      redact: (line) => withoutSecrets(line, resolved.credentials),
    });
    const session = await sessionAtStart(options.restoreSessionId, store, setup.workdir);
    let agent: Agent | undefined;
    try {
      agent = new Agent(setup, logger, store, session, resolved);
      await agent.start(session.stored);
      return agent;
    } catch (error) {
      if (agent) await agent.tearDown();
      else await session.file.close();
      throw error;
    }
  }

  private constructor(
    private readonly setup: AgentSetup,
    logger: Logger,
    private readonly store: SessionStore,
    session: SessionAtStart,
    private resolved: ResolvedModel,
  ) {
    const { options, home, env, workdir, callbacks, trusted } = setup;
    this.logger = logger;
    this.mode = options.permissionMode ?? "default";
    this.reports = new SettingsReports(logger);
    const plugins = options.plugins ?? [];
    const places = { home, workdir, plugins, env };
    this.configuration = new HookConfigurationStore({
      places,
      codeHooks: options.hooks,
      trusted: () => trusted,
      onReport: this.reports.add,
    });
    this.runner = new ProcessCommandRunner({ env, home });
    this.hookManager = new HookManager({
      workdir,
      configuration: this.configuration,
      runner: this.runner,
      http: createHttpHookClient({
        allowLoopback: () => options.allowLocalhostHttpHooks ?? environmentAllowsLoopback(env),
      }),
      env,
      credentials: () => this.resolved.credentials,
      logger,
      session: () => this.sessionFields(),
      observer: (record) => callbacks("onHookRun", record),
      onRewake: ({ sessionId, text }) => this.notify(sessionId, { kind: "meta", text }),
    });
    this.place = new AgentPlace({
      sessionId: session.id,
      projectDir: workdir,
      cwd: workdir,
      transcriptPath: () => this.conversation.transcriptPath,
      permissionMode: () => this.mode,
      turnId: () => this.turns.turnId,
    });
    this.conversation = new Conversation({
      messages: session.stored?.messages ?? [],
      isSaved: session.stored !== undefined,
      file: session.file,
      state: () => ({ permissionMode: this.mode, cwd: this.place.cwd }),
      logger,
      onChange: (from) => callbacks("onMessagesChanged", from),
    });
    this.hooks = new SessionHooks(this.hookManager, this.conversation, this.place, (activity) =>
      this.turns.setActivity(activity),
    );
    this.gate = new PermissionGate({
      mode: () => this.mode,
      fileRules: () => this.configuration.permissionRules(),
      sessionRules: [],
      configFiles: async () => (await hookFileLocations(places)).files.map(({ file }) => file),
      home,
      canUseTool: options.canUseTool,
      onQuestion: ({ toolName, summary }) =>
        notifyHooks(
          {
            place: this.place,
            runHooks: (event) => this.hooks.fire(event),
            notify: (sessionId, notification) => void this.notify(sessionId, notification),
          },
          { message: `${toolName} needs permission: ${summary}`, notificationType: "permission_prompt" },
        ),
      logger,
    });
    this.tools = new AgentTools(options, this.modules);
    this.pipeline = new ToolPipeline({
      tools: () => this.toolList(),
      place: this.place,
      hooks: this.hooks,
      gate: this.gate,
      readFiles: this.readFiles,
      shellTasks: () => this.shellTasks(),
      home,
      env: () => this.childEnvironment(),
      logger,
      onActivity: (activity) => this.turns.setActivity(activity),
    });
    this.compactor = new Compactor({
      conversation: this.conversation,
      hooks: this.hooks,
      model: () => this.resolved.model,
      fixedTokens: () => requestOverhead(this.systemPrompt(), this.toolList()),
      onActivity: (activity) => this.turns.setActivity(activity),
      logger,
    });
    this.turns = this.makeTurns();
    this.sessions = new SessionLifecycle(session.file, {
      store,
      conversation: this.conversation,
      place: this.place,
      manager: this.hookManager,
      hooks: this.hooks,
      modules: this.modules,
      lastTurnEnd: () => this.turns.lastEnd,
      onOpened: (id) => {
        this.readFiles.clear();
        this.compactor.reset();
        callbacks("onSessionChanged", id);
      },
      logger,
    });
  }

  get sessionId(): string {
    return this.place.sessionId;
  }

  /** The project: where the agent was created. Never moves. */
  get workdir(): string {
    return this.place.projectDir;
  }

  /** The current directory of the session: follows `cd` and worktrees. */
  get cwd(): string {
    return this.place.cwd;
  }

  /** The conversation. Read it only: a change replaces messages, none is changed in place. */
  get messages(): readonly Message[] {
    return this.conversation.messages;
  }

  /** Absolute path of the session's file. */
  get transcriptPath(): string {
    return this.conversation.transcriptPath;
  }

  /** What waits for its turn, in order. */
  get queuedMessages(): readonly QueuedMessage[] {
    return this.turns.queue.list();
  }

  get permissionMode(): PermissionMode {
    return this.mode;
  }

  get turnStatus(): TurnStatus {
    return this.turns.status;
  }

  /** What runs beside the turn at this moment. */
  get backgroundTasks(): readonly BackgroundTaskSummary[] {
    return this.modules.flatMap((module) => module.backgroundTasks?.() ?? []);
  }

  get sessionCrons(): readonly CronSummary[] {
    return this.modules.flatMap((module) => module.sessionCrons?.() ?? []);
  }

  /**
   * Sends a prompt. Resolves when its own turn is over, however it ended: also after an interruption, a refusal by a hook, or a
   * failed model request, which is then told in the conversation. While a turn runs, the prompt is queued. Rejects after `destroy`.
   */
  sendMessage(text: string): Promise<void> {
    return this.turns.send(text);
  }

  /** Takes a message out of the queue; false where it is not in there (any more). Its `sendMessage` resolves. */
  removeQueuedMessage(id: string): boolean {
    return this.turns.queue.remove(id);
  }

  /** Ends the turn that runs: model call, tools and hooks at once. Resolves when it is over; what is queued goes on. */
  abortMessage(): Promise<void> {
    return this.turns.abort();
  }

  setPermissionMode(mode: PermissionMode): void {
    if (this.mode === mode) return;
    this.mode = mode;
    this.setup.callbacks("onPermissionModeChanged", mode);
  }

  /** Another model from the next request on. */
  setModel(options: ModelOptions): void {
    const { credentials } = this.resolved;
    const resolved = resolveModel(options, this.setup.env);
    // A key that was in use stays a secret.
    this.resolved = { ...resolved, credentials: [...new Set([...credentials, ...resolved.credentials])] };
  }

  /** Ends a background task or a timed prompt; false where there is none of that id. */
  async stopBackground(id: string): Promise<boolean> {
    for (const module of this.modules) if (await module.stopTask?.(id)) return true;
    return false;
  }

  /** Sessions of this project, the last used first. */
  listSessions(limit?: number): Promise<SessionListEntry[]> {
    return this.store.list({ workdir: this.workdir, ...(limit === undefined ? {} : { limit }) });
  }

  /**
   * Switches to a stored session: SessionEnd("resume") for the one that runs, SessionStart("resume") for the other. A turn under
   * way is interrupted. Rejects with "Session not found: <id>", or because it is open elsewhere; nothing has changed then. Does
   * nothing for the current session's id and for none.
   */
  async restoreSession(id: string): Promise<void> {
    if (!id || id === this.sessionId || this.isDestroyed) return;
    await this.sessions.ended(id);
    const { session, file } = await this.store.open(id);
    this.turns.queue.clear();
    await this.turns.abort();
    await this.turns.exclusively(async () => {
      if (this.isDestroyed || id === this.sessionId) return file.close();
      await this.sessions.switchTo(id, file, session);
    });
  }

  /**
   * Replaces what the model sees of the conversation so far by a summary, with PreCompact, SessionStart("compact") and
   * PostCompact hooks around it. After the turn that runs, before what is queued; `abortMessage` interrupts it. Resolves with
   * whether it was done; why not, the user is told in the conversation.
   */
  async compact(instructions = ""): Promise<boolean> {
    let isDone = false;
    await this.turns.run(async (signal) => {
      if (this.isDestroyed) return;
      const end = await this.compactor.compact("manual", instructions, signal);
      isDone = end.kind === "compacted";
      if (end.kind === "nothing") this.conversation.addNotice("info", "There is nothing to compact yet.");
      if (end.kind === "aborted") {
        this.conversation.addNotice("info", "The compaction was interrupted. The conversation is as it was.");
      }
    });
    return isDone;
  }

  /**
   * Ends the session (SessionEnd "clear", in the background) and starts an empty one with a new id (SessionStart "clear").
   * A turn under way is interrupted. The old session stays on disk.
   */
  async clearMessages(): Promise<void> {
    if (this.isDestroyed) return;
    this.turns.queue.clear();
    await this.turns.abort();
    await this.turns.exclusively(async () => {
      if (this.isDestroyed) return;
      await this.sessions.startAnew();
    });
  }

  /** Runs SessionEnd hooks and ends everything: afterwards no process, timer or file of the agent is left. */
  destroy(): Promise<void> {
    this.destroying ??= (async () => {
      await this.turns.close();
      await this.turns.exclusively(async () => {
        await this.conversation.save();
        await this.sessions.fireEnd("other");
      });
      await this.tearDown();
    })();
    return this.destroying;
  }

  private get isDestroyed(): boolean {
    return this.destroying !== undefined;
  }

  private async start(stored: StoredSession | undefined): Promise<void> {
    await this.configuration.current();
    await this.applyDefaultMode();
    if (stored) await this.sessions.resumePlace(stored);
    if (this.setup.trusted) {
      const host = this.makeHost();
      for (const make of agentModules) this.modules.push(await make(host));
    }
    await this.sessions.fireStart("startup", stored !== undefined);
  }

  /** The mode that settings ask for, where the caller names none. A project cannot switch the questions off for whoever opens it. */
  private async applyDefaultMode(): Promise<void> {
    if (this.setup.options.permissionMode !== undefined) return;
    const { defaultMode } = await this.configuration.permissionRules();
    if (!defaultMode) return;
    const isUsers = defaultMode.file === path.join(this.setup.home, ".wave", "settings.json");
    if (defaultMode.mode === "bypassPermissions" && !isUsers) {
      this.logger.warn(
        `${defaultMode.file} asks for the mode bypassPermissions, which only the user's own settings may do.`,
      );
    } else this.mode = defaultMode.mode;
  }

  private makeTurns(): Turns {
    const { options, callbacks } = this.setup;
    return new Turns({
      conversation: this.conversation,
      hooks: this.hooks,
      host: {
        conversation: this.conversation,
        model: () => this.resolved.model,
        systemPrompt: () => this.systemPrompt(),
        tools: () => this.toolList(),
        pipeline: this.pipeline,
        makeRoom: (signal) => this.compactor.makeRoom(signal),
        onUsage: (usage) => this.compactor.noteUsage(usage),
        onModelFailure: async (failure) => {
          await this.hooks.fire({
            name: "ErrorOccurred",
            error: failure.cause,
            errorContext: "model_call",
            recoverable: true,
          });
        },
        onActivity: (activity) => this.turns.setActivity(activity),
        logger: this.logger,
      },
      beforeRequest: async (signal) => {
        for (const text of this.reports.take()) this.conversation.addNotice("error", text);
        await Promise.all(this.modules.map((module) => module.beforeRequest?.(signal)));
        await this.compactor.compactIfNeeded(signal);
      },
      stopHooks: ({ isUserWaiting, onContinue }) =>
        new StopHooks({
          hooks: this.hooks,
          event: (stopHookActive) => {
            const last = lastAssistantText(this.messages);
            return {
              name: "Stop",
              stopHookActive,
              ...(last === undefined ? {} : { lastAssistantMessage: last }),
              backgroundTasks: this.backgroundTasks,
              sessionCrons: this.sessionCrons,
            };
          },
          isUserWaiting,
          limit: options.maxStopContinuations,
          onContinue,
        }),
      onStatus: (status) => callbacks("onTurnStatusChanged", status),
      onQueueChange: () => callbacks("onQueueChanged"),
      onInterrupted: (turnId) =>
        this.hookManager.endAsyncHooks({ sessionId: this.sessionId, turnId, onlyAsyncRewake: true }),
      onIdle: () => {
        for (const module of this.modules) module.onIdle?.();
      },
      logger: this.logger,
      now: Date.now,
    });
  }

  private makeHost(): AgentHost {
    return {
      options: this.setup.options,
      home: this.setup.home,
      env: this.childEnvironment(),
      logger: this.logger,
      place: this.place,
      conversation: this.conversation,
      model: (name) => this.modelNamed(name),
      tools: () => this.toolList(),
      isIdle: () => this.turns.isIdle,
      runHooks: (event, signal) => this.hooks.fire(event, signal),
      notify: (sessionId, notification) => {
        if (this.notify(sessionId, notification)) return;
        this.logger.info(`A notification for the session ${sessionId}, which is gone, is dropped.`);
      },
      runSubagent: (run) =>
        runSubagent(run, {
          manager: this.hookManager,
          store: this.store,
          conversation: this.conversation,
          place: this.place,
          gate: this.gate,
          model: () => this.resolved.model,
          home: this.setup.home,
          env: () => this.childEnvironment(),
          permissionMode: () => this.mode,
          turnId: () => this.turns.turnId,
          shellTasks: () => this.shellTasks(),
          maxStopContinuations: this.setup.options.maxStopContinuations,
          logger: this.logger,
          now: Date.now,
        }),
      callTool: async (name, input, signal) => {
        const finished = await this.pipeline.call({ id: `call_${randomUUID()}`, name, input }, signal);
        this.hooks.tellModel(finished.modelMessages);
        return finished.outcome;
      },
      backgroundChanged: () => this.setup.callbacks("onBackgroundChanged"),
    };
  }

  private modelNamed(name: string | undefined): Model {
    const { options, env } = this.setup;
    if (name === undefined || options.languageModel) return this.resolved.model;
    return resolveModel({ ...options, model: name }, env).model;
  }

  private toolList() {
    return this.setup.trusted ? this.tools.list() : [];
  }

  private shellTasks() {
    return this.modules.find((module) => module.shellTasks)?.shellTasks;
  }

  private childEnvironment(): Record<string, string> {
    return withoutCredentials(this.setup.env, this.resolved.credentials);
  }

  private systemPrompt(): string {
    return systemPrompt({
      cwd: this.place.cwd,
      projectDir: this.workdir,
      platform: process.platform,
      date: new Date().toISOString().slice(0, 10),
      mode: this.mode,
    });
  }

  /** False where that session is gone (E19). */
  private notify(sessionId: string, notification: Parameters<AgentHost["notify"]>[1]): boolean {
    if (this.isDestroyed || sessionId !== this.sessionId) return false;
    this.turns.notify(notification);
    return true;
  }

  private sessionFields(): Partial<HookSession> {
    const { cwd, projectDir, permissionMode } = this.place.hookSession();
    return { cwd, permissionMode, ...(projectDir === undefined ? {} : { projectDir }) };
  }

  private async tearDown(): Promise<void> {
    await Promise.all(
      this.modules.map(async (module) => {
        try {
          await module.dispose?.();
        } catch (error) {
          this.logger.error("A part of the agent could not be ended.", error);
        }
      }),
    );
    await this.hookManager.dispose();
    await this.sessions.close();
    await this.runner.dispose();
  }
}
