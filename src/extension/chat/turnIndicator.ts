import * as vscode from "vscode";
import { oneLine } from "../oneLine.ts";
import { chatViewId } from "./chatView.ts";

/** Tells outside of the chat that a turn runs: progress in the view's header, an item in the status bar; and that one has ended. */
export class TurnIndicator implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("waveHooks.turn", vscode.StatusBarAlignment.Left);
  private endProgress: (() => void) | undefined;

  constructor(private readonly showChat: () => void) {
    this.item.name = "Wave Hooks";
    this.item.command = "waveHooks.openChat";
    this.item.tooltip = vscode.l10n.t("Show the chat");
  }

  running(activity: string): void {
    this.item.text = `$(sync~spin) ${oneLine(activity, 60)}`;
    this.item.show();
    if (this.endProgress) return;
    void vscode.window.withProgress({ location: { viewId: chatViewId } }, () => {
      return new Promise<void>((resolve) => {
        this.endProgress = resolve;
      });
    });
  }

  idle(): void {
    this.item.hide();
    this.endProgress?.();
    this.endProgress = undefined;
  }

  /** A turn ended, or needs an answer, where nobody sees it: a notification that takes no focus. */
  async tellUnseen(text: string): Promise<void> {
    const show = vscode.l10n.t("Show Chat");
    const choice = await vscode.window.showInformationMessage(text, show);
    if (choice === show) this.showChat();
  }

  dispose(): void {
    this.idle();
    this.item.dispose();
  }
}
