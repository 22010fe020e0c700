import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { ChatPage } from "../support/vscode/chatPage.ts";
import { EditorWindow } from "../support/vscode/editorWindow.ts";
import { hookFilePaths, sampleHookFiles, writeHookFiles } from "../support/vscode/hookFiles.ts";
import { HooksPage } from "../support/vscode/hooksPage.ts";

/** One window for all: each test begins with the same files and an open page. */
describe("hooks settings page in VS Code", () => {
  let window: EditorWindow;
  let page: HooksPage;
  let paths: ReturnType<typeof hookFilePaths>;
  const text = (file: string): string => readFileSync(file, "utf8");

  beforeAll(async () => {
    window = await EditorWindow.open({
      vsix: inject("vsix"),
      prepare: writeHookFiles,
      projectName: "harbour",
      furtherRoots: ["lighthouse"],
    });
    paths = hookFilePaths(window.home, window.project);
  });
  afterAll(() => window?.close());

  beforeEach(async (context) => {
    window.watch(context);
    writeHookFiles(window.home, window.project);
    await window.host(`
      await vscode.commands.executeCommand("notifications.clearAll");
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await vscode.commands.executeCommand("waveHooks.openSettings")`);
    page = await HooksPage.find(window.workbench);
    await page.tab(/^User hooks/).click();
    await page.row("user-guard.sh").waitFor();
  });

  it("H27.1 H27.4 shows a tab for each source and in it the hooks of that source", async () => {
    await expectTabs(["User hooks 3", "Project hooks 3", "Plugin hooks 1"]);
    expect(await page.activeTab().getAttribute("aria-label")).toBe("User hooks 3");
    expect(await page.rows().count()).toBe(3);
    for (const command of ["user-guard.sh", "user-log.sh", "user-stop.sh"]) {
      expect(await page.row(command).getByText("~/.wave/settings.json").count()).toBe(1);
    }
    await page.tab(/^Project hooks/).click();
    await page.row("project-lint.sh").waitFor();
    expect(await page.row("user-guard.sh").count()).toBe(0);
    await page.tab(/^Plugin hooks/).click();
    await page.row("plugin-rules.sh").waitFor();
    expect(await page.rows().count()).toBe(1);
  });

  it("H27.2 H27.3 lists the project's hooks flat, each with event, description, command, Edit and Delete", async () => {
    await page.tab(/^Project hooks/).click();
    await page.row("local-stop.sh").waitFor();
    expect(await page.frame.locator("ul.hook-list").count()).toBe(1);
    expect(await page.frame.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "PostToolUse",
      "SessionStart",
      "Stop",
    ]);
    const lint = page.row("project-lint.sh");
    expect(await lint.innerText()).toContain("Lint what was edited");
    expect(await lint.innerText()).toContain("Write|Edit");
    for (const command of ["project-lint.sh", "project-start.sh", "local-stop.sh"]) {
      expect(
        await page
          .row(command)
          .getByRole("button", { name: /^Edit hook/ })
          .count(),
      ).toBe(1);
      expect(
        await page
          .row(command)
          .getByRole("button", { name: /^Delete hook/ })
          .count(),
      ).toBe(1);
    }
  });

  it("H27.5 says that a source has no hooks, also when its folder is gone", async () => {
    rmSync(path.join(window.home, ".wave", "plugins"), { recursive: true });
    await page.tab("Plugin hooks 0").click();
    await page.frame.getByText("No plugin hooks.").waitFor();
    expect(await page.rows().count()).toBe(0);
    expect(await page.frame.locator("ul.hook-list").count()).toBe(0);
  });

  it("H29.5 H30.5 offers neither Edit nor Delete for a plugin's hook", async () => {
    await page.tab(/^Plugin hooks/).click();
    const row = page.row("plugin-rules.sh");
    await row.waitFor();
    expect(await row.innerText()).toContain("Rules of the house");
    expect(await row.getByRole("button", { name: /edit|delete/i }).count()).toBe(0);
  });

  it("H28.1 New user hook closes the page and puts the user prompt, unsent, into the chat", async () => {
    await page.button("New user hook").click();
    const chat = await ChatPage.find(window.workbench);
    const prompt =
      "Set up a user hook for me: on <event>, for <matcher tools>, run <command>, <timeout/async>";
    expect(await chat.draftWith(prompt)).toBe(prompt);
    expect(await HooksPage.isOpen(window.workbench)).toBe(false);
    await emptyComposer(chat);
  });

  it("H28.2 New project hook names the project in the prompt", async () => {
    await page.tab(/^Project hooks/).click();
    await page.button("New project hook").click();
    const chat = await ChatPage.find(window.workbench);
    const prompt =
      "Create a hook in [harbour] for me: on <event>, for <matcher tools>, run <command>, <timeout/async>";
    expect(await chat.draftWith(prompt)).toBe(prompt);
    await emptyComposer(chat);
  });

  it("E15 keeps a draft that begins with /settings as it is, puts the prompt under it and sends both as a message", async () => {
    await page.button("New user hook").click();
    const chat = await ChatPage.find(window.workbench);
    await chat.draftWith("Set up a user hook");
    await chat.composer().fill("/settings what I began");
    await window.workbench.command("Wave Hooks: Open Hooks Settings");
    page = await HooksPage.find(window.workbench);
    await page.button("New user hook").click();
    const draft = await chat.draftWith("Set up a user hook");
    expect(draft).toMatch(/^\/settings what I began\n+Set up a user hook for me: /);
    await chat.composer().press("Enter");
    await chat.frame.getByText("/settings what I began").waitFor();
    expect(await chat.composer().inputValue()).toBe("");
    expect(await HooksPage.isOpen(window.workbench)).toBe(false);
  });

  it("H29.1 H29.2 E16 Edit opens the file with the hook selected, closes the page and prefills the chat", async () => {
    await page
      .row("user-log.sh")
      .getByRole("button", { name: /^Edit hook/ })
      .click();
    const chat = await ChatPage.find(window.workbench);
    const prompt = "Edit this hook for me: change <event/matcher/command/timeout> to <new value>";
    const draft = await chat.draftWith(prompt);
    const [first, second] = draft.split("\n");
    expect(first).toBe(prompt);
    expect(second).toContain(paths.user);
    expect(second).toContain("user-log.sh");
    const editor = await window.host<{ file: string; selected: string }>(`
      const editor = vscode.window.visibleTextEditors[0];
      return { file: editor.document.uri.fsPath, selected: editor.document.getText(editor.selection) }`);
    expect(editor.file).toBe(paths.user);
    expect(JSON.parse(editor.selected)).toEqual({ type: "command", command: "user-log.sh", timeout: 7 });
    expect(await HooksPage.isOpen(window.workbench)).toBe(false);
    expect(text(paths.user)).toBe(sampleHookFiles.user);
    await emptyComposer(chat);
  });

  it("H30.1 H30.2 asks before it deletes, names hook and file, and changes nothing on Cancel or Esc", async () => {
    const remove = page.row("user-log.sh").getByRole("button", { name: /^Delete hook/ });
    for (const leave of ["Cancel", "Escape"]) {
      await remove.click();
      const dialog = page.question();
      await dialog.getByText("Delete this hook?").waitFor();
      const words = await dialog.innerText();
      expect(words).toContain("PreToolUse (Bash)");
      expect(words).toContain("user-log.sh");
      expect(words).toContain(paths.user);
      if (leave === "Cancel") await dialog.getByRole("button", { name: "Cancel" }).click();
      else await window.workbench.page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    expect(text(paths.user)).toBe(sampleHookFiles.user);
    expect(await page.rows().count()).toBe(3);
  });

  it("H30.3 H30.4 removes exactly that hook from the file and the list, and Undo puts the bytes back", async () => {
    await page
      .row("user-log.sh")
      .getByRole("button", { name: /^Delete hook/ })
      .click();
    await page.question().getByRole("button", { name: "Delete" }).click();
    await page.tab("User hooks 2").waitFor();
    const line = `          { "type": "command", "command": "user-log.sh", "timeout": 7 } /* keeps a log */,\r\n`;
    expect(sampleHookFiles.user).toContain(line);
    expect(text(paths.user)).toBe(sampleHookFiles.user.replace(line, ""));
    await expectTabs(["User hooks 2", "Project hooks 3", "Plugin hooks 1"]);
    expect(await page.row("user-log.sh").count()).toBe(0);
    expect(text(paths.project)).toBe(sampleHookFiles.project);

    await window.host(`await vscode.commands.executeCommand("notifications.showList")`);
    const notification = window.workbench.notification("user-log.sh");
    await notification.getByRole("button", { name: "Undo" }).click();
    await page.row("user-log.sh").waitFor();
    expect(text(paths.user)).toBe(sampleHookFiles.user);
  });

  it("H30.3 takes an emptied group and event along", async () => {
    await page
      .row("user-stop.sh")
      .getByRole("button", { name: /^Delete hook/ })
      .click();
    await page.question().getByRole("button", { name: "Delete" }).click();
    await page.tab("User hooks 2").waitFor();
    const line = `    "Stop": [ { "hooks": [ { "type": "command", "command": "user-stop.sh", "async": true } ] } ],\r\n`;
    expect(sampleHookFiles.user).toContain(line);
    expect(text(paths.user)).toBe(sampleHookFiles.user.replace(line, ""));
  });

  it("E13 says why a delete failed and leaves the file as it is", async () => {
    const broken = `{ "hooks": { "Stop": [`;
    await page
      .row("user-stop.sh")
      .getByRole("button", { name: /^Delete hook/ })
      .click();
    const confirm = page.question().getByRole("button", { name: "Delete" });
    await confirm.waitFor();
    writeFileSync(paths.user, broken);
    // Either the list has followed already and the question is gone with its hook, or the host refuses: said is it in both cases.
    await confirm.click({ timeout: 2000 }).catch(() => undefined);
    const alert = page.frame.getByRole("alert");
    await alert.first().waitFor();
    expect((await alert.allInnerTexts()).join(" ")).toMatch(/not deleted|Nothing was deleted/);
    expect(text(paths.user)).toBe(broken);
    await page.frame
      .getByText(/~\/\.wave\/settings\.json, line \d+, column \d+/)
      .first()
      .waitFor();
  });

  it("H27.1 follows every change on disk, also of files and folders that did not exist", async () => {
    for (const folder of [path.join(window.home, ".wave"), path.join(window.project, ".wave")]) {
      rmSync(folder, { recursive: true });
    }
    await expectTabs(["User hooks 0", "Project hooks 0", "Plugin hooks 0"]);
    const one = (command: string): string =>
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
    const github = path.join(window.project, ".github", "hooks", "later.json");
    const later: [string, string, string][] = [
      [paths.user, one("late-user.sh"), "User hooks 1"],
      [paths.project, one("late-project.sh"), "Project hooks 1"],
      [paths.local, one("late-local.sh"), "Project hooks 2"],
      [paths.plugin, one("late-plugin.sh"), "Plugin hooks 1"],
      [
        github,
        JSON.stringify({ version: 1, hooks: { agentStop: [{ type: "command", bash: "late-github.sh" }] } }),
        "Project hooks 3",
      ],
    ];
    for (const [file, content, label] of later) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
      await page.tab(label).waitFor();
    }
    writeFileSync(paths.user, one("changed-user.sh"));
    await page.row("changed-user.sh").waitFor();
    rmSync(path.dirname(path.dirname(github)), { recursive: true });
    await page.tab("Project hooks 2").waitFor();
  });

  it("E14 shows one project at a time: the directory of the current session", async () => {
    const other = hookFilePaths(window.home, path.join(path.dirname(window.project), "lighthouse"));
    mkdirSync(path.dirname(other.project), { recursive: true });
    const hooks = { SessionStart: [{ hooks: [{ type: "command", command: "lighthouse.sh" }] }] };
    writeFileSync(other.project, JSON.stringify({ hooks }));
    await page.tab(/^Project hooks/).click();
    await page.row("project-lint.sh").waitFor();
    expect(await page.row("lighthouse.sh").count()).toBe(0);

    await startSessionIn("lighthouse");
    await page.row("lighthouse.sh").waitFor();
    await expectTabs(["User hooks 3", "Project hooks 1", "Plugin hooks 1"]);
    expect(await page.frame.getByRole("heading", { level: 1 }).textContent()).toContain("lighthouse");
    await page.button("New project hook").click();
    const chat = await ChatPage.find(window.workbench);
    expect(await chat.draftWith("Create a hook in")).toContain("[lighthouse]");
    await emptyComposer(chat);
    await startSessionIn("harbour");
  });

  it("H27.1 survives a reload of the window and keeps its tab", async () => {
    await page.tab(/^Project hooks/).click();
    await page.row("local-stop.sh").waitFor();
    await window.workbench.reloadWindow();
    page = await HooksPage.find(window.workbench);
    await page.row("local-stop.sh").waitFor();
    expect(await page.activeTab().getAttribute("aria-label")).toBe("Project hooks 3");
    writeFileSync(paths.local, "{}");
    await page.tab("Project hooks 2").waitFor();
  });

  it("asks nothing of the network", () => {
    // What webviews load from the extension has a host name of its own, which their service worker answers.
    const outside = [...window.requestedHosts].filter(
      (host) => host !== "" && host !== "127.0.0.1" && !host.endsWith(".vscode-resource.vscode-cdn.net"),
    );
    expect(outside).toEqual([]);
  });

  async function expectTabs(labels: readonly string[]): Promise<void> {
    for (const label of labels) await page.tab(label).waitFor();
    expect(await page.frame.getByRole("tab").count()).toBe(labels.length);
  }

  async function startSessionIn(root: string): Promise<void> {
    await window.host(`void vscode.commands.executeCommand("waveHooks.newSession")`); // ends with the choice
    await window.workbench.pick(root);
  }

  async function emptyComposer(chat: ChatPage): Promise<void> {
    await chat.composer().fill("");
  }
});
