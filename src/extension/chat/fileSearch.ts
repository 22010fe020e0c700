import * as vscode from "vscode";
import { fileGlobs, rankPaths } from "./fileMatch.ts";

const maxFound = 200;
const maxShown = 30;

/** Finds files for an @-mention; a new search ends the one before. */
export class FileSearch implements vscode.Disposable {
  private running: vscode.CancellationTokenSource | undefined;

  /** Paths relative to `directory`, the best first; undefined where a newer search took over. */
  async find(directory: string, query: string): Promise<readonly string[] | undefined> {
    this.running?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.running = source;
    try {
      const base = vscode.Uri.file(directory);
      const pattern = new vscode.RelativePattern(base, `{${fileGlobs(query).join(",")}}`);
      const uris = await vscode.workspace.findFiles(pattern, undefined, maxFound, source.token);
      if (source.token.isCancellationRequested) return undefined;
      const prefix = base.path.endsWith("/") ? base.path : `${base.path}/`;
      const paths = uris.map((uri) =>
        uri.path.startsWith(prefix) ? uri.path.slice(prefix.length) : uri.path,
      );
      return rankPaths(paths, query).slice(0, maxShown);
    } finally {
      source.dispose();
      if (this.running === source) this.running = undefined;
    }
  }

  dispose(): void {
    this.running?.cancel();
  }
}
