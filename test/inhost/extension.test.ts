import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";

const extensionId = "wave-hooks.wave-hooks";

function extension(): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension(extensionId);
  assert.ok(found, `${extensionId} is not installed`);
  return found;
}

function project(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  return folder.uri.fsPath;
}

/** Resolves as soon as `condition` holds; tabs and webviews come some time after the command that opens them. */
function until(event: vscode.Event<unknown>, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (condition()) return resolve();
    const listener = event(() => {
      if (!condition()) return;
      listener.dispose();
      resolve();
    });
  });
}

const hooksTabs = (): vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      (tab) =>
        tab.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith("waveHooks.settings"),
    );

describe("the extension in its host", () => {
  before(async () => {
    await extension().activate();
  });

  it("is active and has registered the commands of its manifest", async () => {
    assert.equal(extension().isActive, true);
    const declared: { command: string }[] = extension().packageJSON.contributes.commands;
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      declared.map(({ command }) => command).filter((command) => !known.has(command)),
      [],
    );
  });

  it("speaks English where the display language is English", () => {
    const titles = extension().packageJSON.contributes.commands.map(
      (command: { title: string }) => command.title,
    );
    assert.ok(titles.includes("Open Hooks Settings"), titles.join(", "));
  });

  it("H27.1 opens one hooks settings page, however often it is asked", async () => {
    await vscode.commands.executeCommand("waveHooks.openSettings");
    await until(vscode.window.tabGroups.onDidChangeTabs, () => hooksTabs().length === 1);
    await vscode.commands.executeCommand("waveHooks.openSettings");
    assert.equal(hooksTabs().length, 1);
    assert.equal(hooksTabs()[0]?.label, "Hooks");
    await vscode.window.tabGroups.close(hooksTabs());
    assert.equal(hooksTabs().length, 0);
  });

  it("has a chat view that can be brought up", async () => {
    assert.ok((await vscode.commands.getCommands(true)).includes("waveHooks.chat.focus"));
    await vscode.commands.executeCommand("waveHooks.openChat");
  });

  it("has no limit of stop continuations and no service until the user sets them", () => {
    const settings = vscode.workspace.getConfiguration("waveHooks");
    assert.equal(settings.get("maxStopContinuations"), 0);
    assert.equal(settings.get("baseUrl"), "");
    assert.equal(settings.get("model"), "");
    assert.equal(settings.get("allowLocalhostHttpHooks"), false);
  });

  it("changes no file by being opened", async () => {
    const file = path.join(project(), ".wave", "settings.json");
    const before = readFileSync(file);
    const home = path.join(homedir(), ".wave", "settings.json");
    const beforeHome = readFileSync(home);
    await vscode.commands.executeCommand("waveHooks.openSettings");
    await until(vscode.window.tabGroups.onDidChangeTabs, () => hooksTabs().length === 1);
    await vscode.window.tabGroups.close(hooksTabs());
    assert.ok(readFileSync(file).equals(before));
    assert.ok(readFileSync(home).equals(beforeHome));
    const left = readdirSync(path.join(project(), ".wave")).filter((name) => /lock|tmp/.test(name));
    assert.deepEqual(left, []);
  });
});
