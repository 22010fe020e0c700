import { homedir } from "node:os";
import * as vscode from "vscode";
import { ActiveProject } from "./activeProject.ts";
import { ChatFeature } from "./chat/chatFeature.ts";
import { settingsTexts } from "./pageTexts.ts";
import { SettingsPanel, settingsViewType } from "./settingsPage/settingsPanel.ts";

let chat: ChatFeature | undefined;

/** Composition alone: nothing is read, watched or started before the user opens a page. */
export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, workspaceState, subscriptions } = context;
  const log = vscode.window.createOutputChannel("Wave Hooks", { log: true });
  const project = new ActiveProject(workspaceState);
  const home = homedir();
  const { env } = process;

  const feature = new ChatFeature({ context, project, home, env, log, openSettings: () => settings.open() });
  const settings = new SettingsPanel({
    extensionUri,
    page: { name: "settings", title: vscode.l10n.t("Hooks"), strings: settingsTexts(vscode.l10n) },
    project,
    memento: workspaceState,
    home,
    env,
    prefillChat: (prompt) => feature.prefill(prompt),
    log,
  });
  chat = feature;

  subscriptions.push(
    log,
    project,
    settings,
    feature,
    vscode.window.registerWebviewPanelSerializer(settingsViewType, settings),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void settings.refresh()),
    vscode.commands.registerCommand("waveHooks.openSettings", () => settings.open()),
    vscode.commands.registerCommand("waveHooks.openChat", () => feature.show()),
    vscode.commands.registerCommand("waveHooks.newSession", () => feature.newSession()),
    vscode.commands.registerCommand("waveHooks.selectModel", () => feature.selectModel()),
    vscode.commands.registerCommand("waveHooks.setApiKey", () => feature.setApiKey()),
    vscode.commands.registerCommand("waveHooks.showLog", () => log.show()),
  );
}

/** VS Code waits for it some seconds: SessionEnd hooks run, and no process is left behind. */
export async function deactivate(): Promise<void> {
  await chat?.end();
}
