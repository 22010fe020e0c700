import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";

const directoryKey = "activeDirectory";

/**
 * The directory of the current session: what the settings page shows and where a new session starts (E14).
 * With several roots it is the one that the session was started in; with none, the home folder.
 */
export class ActiveProject implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly folders: vscode.Disposable;
  private current: string;
  readonly onDidChange = this.changed.event;

  constructor(private readonly memento: vscode.Memento) {
    this.current = this.remembered();
    this.folders = vscode.workspace.onDidChangeWorkspaceFolders(() => this.use(this.remembered()));
  }

  /** Absolute path. */
  get directory(): string {
    return this.current;
  }

  get name(): string {
    const folder = roots().find((root) => root.uri.fsPath === this.current);
    return folder?.name ?? path.basename(this.current);
  }

  /** The roots between which a new session may choose. */
  get choices(): readonly { name: string; directory: string }[] {
    return roots().map((root) => ({ name: root.name, directory: root.uri.fsPath }));
  }

  use(directory: string): void {
    if (directory === this.current) return;
    this.current = directory;
    void this.memento.update(directoryKey, directory);
    this.changed.fire();
  }

  dispose(): void {
    this.folders.dispose();
    this.changed.dispose();
  }

  private remembered(): string {
    const stored = this.memento.get<string>(directoryKey);
    const directories = roots().map((root) => root.uri.fsPath);
    if (stored !== undefined && directories.includes(stored)) return stored;
    return directories[0] ?? homedir();
  }
}

/** Roots on disk: a hook is a command, it cannot run in a virtual folder. */
function roots(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file");
}
