import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { webviewHtml } from "./webviewHtml.ts";

export interface PageOptions {
  /** Names the bundle: dist/<name>.js and dist/<name>.css. */
  name: "settings" | "chat";
  title: string;
  strings: Readonly<Record<string, unknown>>;
}

/** Loads one of our pages into a webview, fresh or revived; it may read the extension's dist folder and nothing else. */
export function loadPage(webview: vscode.Webview, extensionUri: vscode.Uri, page: PageOptions): void {
  const dist = vscode.Uri.joinPath(extensionUri, "dist");
  const address = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  webview.html = webviewHtml({
    title: page.title,
    language: vscode.env.language,
    cspSource: webview.cspSource,
    nonce: randomBytes(24).toString("base64"),
    scriptUri: address(`${page.name}.js`),
    styleUris: [address("codicon.css"), address(`${page.name}.css`)],
    strings: page.strings,
  });
}
