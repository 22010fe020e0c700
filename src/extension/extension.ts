import { homedir } from "node:os";
import * as vscode from "vscode";
import { ActiveProject } from "./activeProject.ts";
import { ChatController } from "./chat/chatController.ts";
import { ChatView, chatViewId } from "./chat/chatView.ts";
import { Drafts } from "./chat/drafts.ts";
import { chatTexts, settingsTexts } from "./pageTexts.ts";
import { SettingsPanel, settingsViewType } from "./settingsPage/settingsPanel.ts";

/** Composition alone: nothing is read, watched or started before the user opens a page. */
export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, workspaceState, subscriptions } = context;
  const log = vscode.window.createOutputChannel("Wave Hooks", { log: true });
  const project = new ActiveProject(workspaceState);

  const controller: ChatController = new ChatController({
    l10n: vscode.l10n,
    drafts: new Drafts(workspaceState),
    projectName: () => project.name,
    isTrusted: () => vscode.workspace.isTrusted,
    post: (event) => chat.post(event),
    openSettings: () => settings.open(),
    manageTrust: () => void vscode.commands.executeCommand("workbench.trust.manage"),
  });
  const chatPage = { name: "chat", title: vscode.l10n.t("Chat"), strings: chatTexts(vscode.l10n) } as const;
  const chat = new ChatView(extensionUri, chatPage, controller, log);
  const settings = new SettingsPanel({
    extensionUri,
    page: { name: "settings", title: vscode.l10n.t("Hooks"), strings: settingsTexts(vscode.l10n) },
    project,
    memento: workspaceState,
    home: homedir(),
    env: process.env,
    prefillChat: (prompt) => chat.prefill(prompt),
    log,
  });

  subscriptions.push(
    log,
    project,
    chat,
    settings,
    vscode.window.registerWebviewViewProvider(chatViewId, chat),
    vscode.window.registerWebviewPanelSerializer(settingsViewType, settings),
    project.onDidChange(() => controller.refresh()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      controller.refresh();
      void settings.refresh();
    }),
    vscode.commands.registerCommand("waveHooks.openSettings", () => settings.open()),
    vscode.commands.registerCommand("waveHooks.openChat", () => chat.show()),
    vscode.commands.registerCommand("waveHooks.showLog", () => log.show()),
  );
}
