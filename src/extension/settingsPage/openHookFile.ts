import { findNodeAtLocation, parseTree } from "jsonc-parser";
import * as vscode from "vscode";
import type { ListedHook } from "../../settings/listHooks.ts";

/** Opens the file with the hook selected. Rejects where VS Code cannot open it. */
export async function openHookInEditor(listed: ListedHook): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(listed.location.file));
  await vscode.window.showTextDocument(document, {
    preview: false,
    selection: rangeOfHook(document, listed),
  });
}

/** Opens the file with the caret at a place; both numbers are 1-based. */
export async function openFileAt(file: string, line: number, column: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const place = document.validatePosition(new vscode.Position(line - 1, column - 1));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(place, place) });
}

/** Measured in the document as the editor shows it: it may have unsaved changes, and its line ends are made uniform. */
function rangeOfHook(document: vscode.TextDocument, listed: ListedHook): vscode.Range {
  const tree = parseTree(document.getText(), undefined, { allowTrailingComma: true });
  const node = tree && findNodeAtLocation(tree, [...listed.hook.jsonPath]);
  if (node)
    return new vscode.Range(document.positionAt(node.offset), document.positionAt(node.offset + node.length));
  const place = document.validatePosition(new vscode.Position(listed.hook.line - 1, listed.hook.column - 1));
  return new vscode.Range(place, place);
}
