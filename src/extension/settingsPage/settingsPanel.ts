import * as vscode from "vscode";
import type { HookSnapshot, HookTab } from "../../protocol/hookView.ts";
import { hookTabs } from "../../protocol/hookView.ts";
import {
  parseSettingsPageMessage,
  type SettingsPageEvent,
  type SettingsPageMessage,
} from "../../protocol/settingsPage.ts";
import type { ActiveProject } from "../activeProject.ts";
import { editHookPrompt, newHookPrompt } from "../hookPrompts.ts";
import { loadPage, type PageOptions } from "../webviewPage.ts";
import { deleteHook, offerUndo } from "./hookDeletion.ts";
import { LiveHookList } from "./liveHookList.ts";
import { openFileAt, openHookInEditor } from "./openHookFile.ts";

export const settingsViewType = "waveHooks.settings";
const tabKey = "settings.tab";

export interface SettingsPanelContext {
  extensionUri: vscode.Uri;
  page: PageOptions;
  project: ActiveProject;
  /** Keeps the tab. */
  memento: vscode.Memento;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Shows the chat with that prompt in its composer. */
  prefillChat: (prompt: string) => Promise<void>;
  log: vscode.LogOutputChannel;
}

/** The hooks settings page: one panel at most, open or revived after a reload of the window. */
export class SettingsPanel implements vscode.Disposable, vscode.WebviewPanelSerializer {
  private panel: vscode.WebviewPanel | undefined;
  private list: LiveHookList | undefined;
  private listening: vscode.Disposable | undefined;
  private revision = 0;
  /** Deletions are done one after another, each on the list as the one before left it. */
  private deletions: Promise<void> = Promise.resolve();

  constructor(private readonly context: SettingsPanelContext) {}

  open(): void {
    if (this.panel) {
      this.panel.reveal();
      return;
    }
    const { page } = this.context;
    this.attach(vscode.window.createWebviewPanel(settingsViewType, page.title, vscode.ViewColumn.Active));
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.panel) panel.dispose();
    else this.attach(panel);
  }

  /** Reads the files again, e.g. when the workspace became trusted. */
  async refresh(): Promise<void> {
    await this.list?.refresh();
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private attach(panel: vscode.WebviewPanel): void {
    this.panel = panel;
    this.openList();
    this.listening = vscode.Disposable.from(
      panel.webview.onDidReceiveMessage((value: unknown) => this.receive(value)),
      panel.onDidChangeViewState(() => void this.list?.check()),
      vscode.window.onDidChangeWindowState((state) => {
        if (state.focused) void this.list?.check();
      }),
      this.context.project.onDidChange(() => this.openList()),
    );
    panel.onDidDispose(() => this.detach(panel));
    loadPage(panel.webview, this.context.extensionUri, this.context.page);
  }

  private detach(panel: vscode.WebviewPanel): void {
    if (this.panel !== panel) return;
    this.panel = undefined;
    this.listening?.dispose();
    this.list?.dispose();
    this.list = undefined;
  }

  private openList(): void {
    const { project, home, env, log } = this.context;
    this.list?.dispose();
    this.list = new LiveHookList({
      places: { home, workdir: project.directory, env },
      projectName: project.name,
      trusted: () => vscode.workspace.isTrusted,
      l10n: vscode.l10n,
      nextRevision: () => ++this.revision,
      onChange: (snapshot) => this.postSnapshot(snapshot),
      onError: (error) => log.error("The hooks could not be listed.", error),
    });
  }

  private receive(value: unknown): void {
    const message = parseSettingsPageMessage(value);
    if (message) this.handle(message).catch((error: unknown) => this.context.log.error(String(error)));
    else this.context.log.warn("The settings page sent a message that is none of ours; it was ignored.");
  }

  private async handle(message: SettingsPageMessage): Promise<void> {
    switch (message.type) {
      case "ready":
        if (this.list?.snapshot) this.postSnapshot(this.list.snapshot);
        return;
      case "tab":
        await this.context.memento.update(tabKey, message.tab);
        return;
      case "newHook":
        return this.newHook(message.tab);
      case "editHook":
        return this.editHook(message.id);
      case "deleteHook":
        this.deletions = this.deletions.then(() => this.deleteHook(message.id, message.requestId));
        return this.deletions;
      case "openFile":
        return this.openFile(message.file, message.line, message.column);
      case "manageTrust":
        await vscode.commands.executeCommand("workbench.trust.manage");
        return;
    }
  }

  private async newHook(tab: "user" | "project"): Promise<void> {
    const prompt = newHookPrompt(vscode.l10n, tab, this.context.project.name);
    this.panel?.dispose();
    await this.context.prefillChat(prompt);
  }

  /** The file is opened before the page closes: closing it would take the rest of the work along (E16). */
  private async editHook(id: string): Promise<void> {
    const listed = this.list?.find(id);
    if (!listed?.canChange) {
      await this.list?.refresh();
      return;
    }
    try {
      await openHookInEditor(listed);
    } catch (error) {
      this.context.log.warn(`${listed.location.file} could not be opened.`, error);
    }
    this.panel?.dispose();
    await this.context.prefillChat(
      editHookPrompt(vscode.l10n, { ...listed.hook, file: listed.location.file }),
    );
  }

  private async deleteHook(id: string, requestId: number): Promise<void> {
    const list = this.list;
    const listed = list?.find(id);
    const result = await deleteHook(listed, vscode.l10n);
    await list?.refresh();
    if (!result.ok) {
      this.post({ type: "deleteResult", requestId, ok: false, error: result.error });
      return;
    }
    this.post({ type: "deleteResult", requestId, ok: true });
    if (listed) void offerUndo(listed, result.change, vscode.l10n).then(() => list?.check());
  }

  private async openFile(file: string, line: number, column: number): Promise<void> {
    if (!this.list?.hasFile(file)) {
      this.context.log.warn("The settings page asked for a file that it does not show; it was not opened.");
      return;
    }
    try {
      await openFileAt(file, line, column);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      void vscode.window.showErrorMessage(vscode.l10n.t("{0} could not be opened: {1}", file, reason));
    }
  }

  private postSnapshot(snapshot: HookSnapshot): void {
    this.post({ type: "snapshot", snapshot, tab: this.tab() });
  }

  /** A page that is hidden or not loaded yet misses this; its "ready" brings the whole list. */
  private post(event: SettingsPageEvent): void {
    void this.panel?.webview.postMessage(event);
  }

  private tab(): HookTab {
    const stored = this.context.memento.get<HookTab>(tabKey);
    return stored !== undefined && hookTabs.includes(stored) ? stored : "user";
  }
}
