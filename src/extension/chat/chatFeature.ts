import * as vscode from "vscode";
import type { TurnStatus } from "../../agent/agentOptions.ts";
import type { ActiveProject } from "../activeProject.ts";
import { EditorAgents } from "../agentProvider.ts";
import { errorText } from "../errorText.ts";
import { ModelChoices } from "../models/modelChoices.ts";
import { modelOptions } from "../models/modelOptions.ts";
import { ModelSetup } from "../models/modelSetup.ts";
import { ServiceSettings } from "../models/serviceSettings.ts";
import { chatTexts } from "../pageTexts.ts";
import { openFileAt } from "../settingsPage/openHookFile.ts";
import { ChatController } from "./chatController.ts";
import { ChatView, chatViewId } from "./chatView.ts";
import { DiffDocuments } from "./diffDocuments.ts";
import { Drafts } from "./drafts.ts";
import { FileSearch } from "./fileSearch.ts";
import { TurnIndicator } from "./turnIndicator.ts";

export interface ChatFeatureOptions {
  context: vscode.ExtensionContext;
  project: ActiveProject;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  log: vscode.LogOutputChannel;
  openSettings: () => void;
}

/** The chat with all that belongs to it in the editor. */
export class ChatFeature implements vscode.Disposable {
  private readonly view: ChatView;
  private readonly controller: ChatController;
  private readonly choices: ModelChoices;
  private readonly service: ServiceSettings;
  private readonly setup: ModelSetup;
  private readonly indicator = new TurnIndicator(() => void this.show());
  private readonly diffs = new DiffDocuments();
  private readonly files = new FileSearch();
  private readonly disposables: vscode.Disposable;
  /** Settled when the running session answers with the model that was chosen last. */
  private modelApplied: Promise<void> = Promise.resolve();

  constructor(private readonly options: ChatFeatureOptions) {
    const { context, project, log } = options;
    this.service = new ServiceSettings(context.secrets);
    this.choices = new ModelChoices(context.globalState, this.service, log);
    this.setup = new ModelSetup(this.choices, this.service);
    this.controller = this.makeController();
    const page = { name: "chat", title: vscode.l10n.t("Chat"), strings: chatTexts(vscode.l10n) } as const;
    this.view = new ChatView(context.extensionUri, page, this.controller, log);
    this.disposables = vscode.Disposable.from(
      this.view,
      this.indicator,
      this.diffs,
      this.files,
      this.choices,
      vscode.window.registerWebviewViewProvider(chatViewId, this.view),
      project.onDidChange(() => void this.controller.projectChanged()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.controller.refresh()),
      this.choices.onDidChange(() => this.modelChanged()),
    );
  }

  show(): Promise<void> {
    return this.view.show();
  }

  prefill(prompt: string): Promise<void> {
    return this.view.prefill(prompt);
  }

  /** With several roots the new session may start in any of them (E14). */
  async newSession(): Promise<void> {
    const { project } = this.options;
    const directory = project.choices.length > 1 ? await this.askForRoot() : project.directory;
    if (directory === undefined) return;
    await this.controller.startNew();
    project.use(directory);
    await this.view.show();
  }

  selectModel(): Promise<void> {
    return this.setup.selectModel();
  }

  async setApiKey(): Promise<void> {
    await this.setup.setApiKey();
    this.modelChanged();
  }

  end(): Promise<void> {
    return this.controller.end();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private makeController(): ChatController {
    const { context, project, home, env, log } = this.options;
    return new ChatController({
      l10n: vscode.l10n,
      provider: new EditorAgents({ home, env, log, modelOptions: () => this.modelOptions() }),
      store: context.workspaceState,
      drafts: new Drafts(context.workspaceState),
      project: () => project,
      isTrusted: () => vscode.workspace.isTrusted,
      models: () => {
        void this.choices.discover();
        return this.choices;
      },
      modelApplied: () => this.modelApplied,
      post: (event) => this.view.post(event),
      turnChanged: (status, activity) => this.showTurn(status, activity),
      tellUnseen: (text) => this.tellUnseen(text),
      addAllowRule: async (directory, rule) => {
        const { addAllowRule } = await import("./firstUse.ts");
        await addAllowRule(directory, rule);
      },
      findFiles: (directory, query) => this.files.find(directory, query),
      openFile: (file) => this.report(openFileAt(file, 1, 1)),
      openDiff: (file, diff, state) => this.report(this.diffs.open(file, diff, state)),
      chooseModel: () => this.report(this.selectModel()),
      setModel: (id) => this.report(this.choices.choose(id)),
      setUpModel: (kind) => this.report(this.setup.setUp(kind)),
      openSettings: this.options.openSettings,
      manageTrust: () => this.report(vscode.commands.executeCommand("workbench.trust.manage")),
      newSession: () => this.report(this.newSession()),
      log: (message, error) => log.warn(message, error),
    });
  }

  private modelChanged(): void {
    this.controller.refresh();
    this.modelApplied = this.applyModel();
  }

  private async applyModel(): Promise<void> {
    const { agent } = this.controller;
    if (!agent || this.choices.chosenId === undefined) return;
    try {
      agent.setModel(await this.modelOptions());
    } catch (error) {
      this.showError(error);
    }
  }

  private modelOptions(): ReturnType<typeof modelOptions> {
    const { home, project } = this.options;
    return modelOptions(this.choices, this.service, { home, workdir: () => project.directory });
  }

  private showTurn(status: TurnStatus, activity: string | undefined): void {
    if (status.state === "running") this.indicator.running(activity ?? vscode.l10n.t("Working"));
    else this.indicator.idle();
  }

  private tellUnseen(text: string): void {
    if (!this.view.isVisible || !vscode.window.state.focused) this.report(this.indicator.tellUnseen(text));
  }

  private async askForRoot(): Promise<string | undefined> {
    const { choices } = this.options.project;
    const picked = await vscode.window.showQuickPick(
      choices.map(({ name, directory }) => ({ label: name, description: directory, directory })),
      { title: vscode.l10n.t("Where should the new session start?") },
    );
    return picked?.directory;
  }

  private report(work: PromiseLike<unknown>): void {
    Promise.resolve(work).catch((error: unknown) => this.showError(error));
  }

  private showError(error: unknown): void {
    this.options.log.error("The chat failed at a request of the user.", error);
    void vscode.window.showErrorMessage(errorText(error, vscode.l10n));
  }
}
