import { readFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";

const scheme = "wave-hooks-diff";
/** Diffs whose documents are kept; an older one that is still open shows nothing after a reload of its tab. */
const keptDiffs = 20;

/** Shows what a tool call changed, or wants to change, in VS Code's own diff editor. */
export class DiffDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  private count = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  async open(file: string, diff: string, state: "pending" | "done"): Promise<void> {
    const current = await readFile(file, "utf8").catch(() => "");
    const { diffSides } = await import("./firstUse.ts");
    const { before, after } = diffSides(diff, current, state);
    this.count += 1;
    const left = this.keep(file, "before", before);
    const right = this.keep(file, "after", after);
    const name = path.basename(file);
    const title =
      state === "pending"
        ? vscode.l10n.t("{0} (proposed change)", name)
        : vscode.l10n.t("{0} (change)", name);
    await vscode.commands.executeCommand("vscode.diff", left, right, title, { preview: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.texts.clear();
  }

  /** The file's name stays in the address: it decides the language of the editor. */
  private keep(file: string, side: string, text: string): vscode.Uri {
    const uri = vscode.Uri.file(file).with({ scheme, query: `${side}-${this.count}` });
    this.texts.set(uri.toString(), text);
    for (const old of [...this.texts.keys()].slice(0, -keptDiffs * 2)) this.texts.delete(old);
    return uri;
  }
}
