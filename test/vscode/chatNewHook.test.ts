import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { ChatPage } from "../support/vscode/chatPage.ts";
import { EditorWindow } from "../support/vscode/editorWindow.ts";
import { HooksPage } from "../support/vscode/hooksPage.ts";

const projectHooks = `{
  // the crew's hooks
  "hooks": {
    "SessionStart": [
      { "hooks": [{ "type": "command", "command": "cat NOTES.md", "description": "Notes of the crew" }] }
    ]
  }
}
`;
const pluginHooks = `{ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "true # plugin" }] }] } }`;
/** Keeps what the hook is told, one line of JSON per run. */
const formatScript = `#!/bin/sh\n{ cat; echo; } >> format.log\n`;

/** From a window that nobody trusts yet, with no model, to a hook that runs: the steps follow each other in one window. */
describe("a new hook by the chat, with the built-in composer", () => {
  let window: EditorWindow;
  let page: HooksPage;
  let chat: ChatPage;
  let settings: string;
  let formatLog: string;

  beforeAll(async () => {
    window = await EditorWindow.open({
      vsix: inject("vsix"),
      projectName: "harbour",
      askForTrust: true,
      settings: { "security.workspace.trust.startupPrompt": "never" },
      prepare: (home, project) => {
        write(path.join(project, ".wave", "settings.json"), projectHooks);
        write(path.join(project, "NOTES.md"), "Be kind.\n");
        write(path.join(project, "scripts", "format.sh"), formatScript);
        write(path.join(home, ".wave", "plugins", "house", "hooks", "hooks.json"), pluginHooks);
      },
    });
    settings = path.join(window.project, ".wave", "settings.json");
    formatLog = path.join(window.project, "format.log");
  });
  afterAll(() => window?.close());
  beforeEach((context) => window.watch(context));

  it("runs no turn in Restricted Mode and says why", async () => {
    expect(await window.host("return vscode.workspace.isTrusted")).toBe(false);
    await openChat();
    await chat.frame.getByText("Restricted Mode: no turn runs.").waitFor();
    await chat.send("Add a project hook that runs `true` when the agent stops");
    await chat.entry("user", "Add a project hook").waitFor();
    await chat.notice("warning", "This workspace is not trusted").waitFor();
    expect(await chat.composer().inputValue()).toBe("");
    expect(await chat.frame.getByRole("region", { name: "Permission" }).count()).toBe(0);
    expect(readFileSync(settings, "utf8")).toBe(projectHooks);
    expect(existsSync(path.join(window.home, ".wave", "sessions"))).toBe(false);

    await chat.button("Manage workspace trust").click();
    const trust = window.workbench.page.locator(".workspace-trust-editor .monaco-button", {
      hasText: /^Trust$/,
    });
    await trust.first().click();
    await chat.frame.getByText("Restricted Mode: no turn runs.").waitFor({ state: "detached" });
    // The trust editor lies over the window.
    await window.host(`await vscode.commands.executeCommand("workbench.action.closeModalEditor")`);
    await window.workbench.page.locator(".monaco-modal-editor-block").waitFor({ state: "detached" });
  });

  it("offers three kinds of model before anything answers, and takes the built-in composer at once", async () => {
    expect(await chat.firstRun().getByRole("button").locator("strong").allInnerTexts()).toEqual([
      "VS Code language model",
      "Your own service",
      "Built-in composer",
    ]);
    await chat.send("hello?");
    await chat.notice("warning", "No model is set up yet").waitFor();
    await chat.firstRun().getByRole("button", { name: "Built-in composer" }).click();
    await chat.firstRun().waitFor({ state: "detached" });
    expect(await chat.picker("Model").inputValue()).toBe("composer");
  });

  it("H28.2 H28.3 H28.4 H28.5 goes from New project hook to the new row, asking with the diff before it writes", async () => {
    await window.host(`await vscode.commands.executeCommand("waveHooks.newSession")`);
    page = await HooksPage.open(window.workbench);
    await page.tab(/^Project hooks/).click();
    await page.row("cat NOTES.md").waitFor();
    await page.button("New project hook").click();
    chat = await ChatPage.find(window.workbench);
    const prompt = await chat.draftWith("Create a hook in [harbour] for me");
    const request = prompt
      .replace("<event>", "PostToolUse")
      .replace("<matcher tools>", "Edit|Write")
      .replace("<command>", "`sh scripts/format.sh`")
      .replace("<timeout/async>", "timeout 30s");
    await chat.send(request);

    const question = chat.question("Edit");
    await question.getByText("+", { exact: false }).first().waitFor();
    expect(await question.locator(".diff-line.added").allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('"command": "sh scripts/format.sh"')]),
    );
    expect(await question.getByRole("button", { name: "Always allow" }).count()).toBe(0);
    expect(readFileSync(settings, "utf8")).toBe(projectHooks);
    expect(await window.workbench.dialog().count()).toBe(0);
    page = await HooksPage.open(window.workbench);
    await page.row("cat NOTES.md").waitFor();

    await chat.answer("Edit", "Allow once");
    await chat.entry("assistant", "Done. This hook now stands in").waitFor();
    await chat.idle();
    const { messages } = sessions(window.home)[0]?.state ?? {};
    expect(messages?.filter(({ role, isMeta }) => role === "user" && !isMeta)).toMatchObject([
      { blocks: [{ type: "text", content: request }] },
    ]);
    const after = readFileSync(settings, "utf8");
    expect(after).toContain("// the crew's hooks");
    expect(JSON.parse(after.replace(/^\s*\/\/.*$/gm, ""))).toEqual({
      hooks: {
        SessionStart: [
          { hooks: [{ type: "command", command: "cat NOTES.md", description: "Notes of the crew" }] },
        ],
        PostToolUse: [
          {
            matcher: "Edit|Write",
            hooks: [{ type: "command", command: "sh scripts/format.sh", timeout: 30 }],
          },
        ],
      },
    });

    await page.tab("Project hooks 2").waitFor();
    expect(await page.activeTab().getAttribute("aria-label")).toBe("Project hooks 2");
    const row = page.row("sh scripts/format.sh");
    expect(await row.innerText()).toContain("Edit|Write");
    expect(await row.innerText()).toContain("30 s");
    expect(await row.innerText()).toContain(".wave/settings.json");
  });

  it("H29.1 H29.2 H29.3 H29.4 E16 goes from Edit to the changed row, the file beside it, and the hook runs at its next event", async () => {
    const ranBefore = runs(formatLog).length;
    await page
      .row("sh scripts/format.sh")
      .getByRole("button", { name: /^Edit hook/ })
      .click();
    chat = await ChatPage.find(window.workbench);
    const prompt = await chat.draftWith("Edit this hook for me");
    expect(prompt).toContain(settings);
    const open = await window.host<string>(`return vscode.window.visibleTextEditors[0].document.uri.fsPath`);
    expect(open).toBe(settings);
    expect(await HooksPage.isOpen(window.workbench)).toBe(false);
    await chat.send(
      prompt.replace("<event/matcher/command/timeout>", "timeout").replace("<new value>", "45 seconds"),
    );
    await chat.answer("Edit", "Allow once");
    await chat.entry("assistant", "the hook now reads").waitFor();
    await chat.idle();
    expect(readFileSync(settings, "utf8")).toContain('"timeout": 45');
    expect(readFileSync(settings, "utf8")).toContain("// the crew's hooks");
    const told = runs(formatLog);
    expect(told.length).toBe(ranBefore + 1);
    expect(told.at(-1)).toMatchObject({
      hook_event_name: "PostToolUse",
      tool_name: "Edit",
      tool_input: { file_path: settings },
    });
    page = await HooksPage.open(window.workbench);
    await page.row("sh scripts/format.sh").getByText("45 s").waitFor();
    expect(await page.rows().count()).toBe(2);
  });

  it("H29.5 H30.5 offers neither Edit nor Delete for the plugin's hook", async () => {
    await page.tab(/^Plugin hooks/).click();
    const row = page.row("true # plugin");
    await row.waitFor();
    expect(await row.getByRole("button", { name: /^(Edit|Delete)/ }).count()).toBe(0);
  });

  it("H28.1 H28.3 H28.4 goes from opening the page to the new row by the keyboard alone", async () => {
    const { keyboard } = window.workbench.page;
    await window.host(`await vscode.commands.executeCommand("workbench.action.closeAllEditors")`);
    await keyboard.press("F1");
    await keyboard.type("Wave Hooks: Open Hooks Settings");
    await window.workbench.page
      .locator('.quick-input-list .monaco-list-row.focused[aria-label^="Wave Hooks: Open Hooks Settings"]')
      .waitFor();
    await keyboard.press("Enter");
    page = await HooksPage.find(window.workbench);
    await page.activeTab().waitFor();
    await pressUntil("Tab", () => hasFocus(page.activeTab()));
    await pressUntil(
      "ArrowLeft",
      async () => (await page.tab(/^User hooks/).getAttribute("aria-selected")) === "true",
    );
    await pressUntil("Tab", () => hasFocus(page.button("New user hook").first()));
    await keyboard.press("Enter");

    chat = await ChatPage.find(window.workbench);
    await chat.draftWith("Set up a user hook for me");
    await expect.poll(() => hasFocus(chat.composer()), { timeout: 60_000 }).toBe(true);
    await keyboard.press("Control+a");
    await keyboard.type("Set up a user hook for me: on Stop, run `sh -c true`, async");
    await keyboard.press("Enter");
    // The user's file is outside of the project: it is not read without a question either.
    await chat.question("Read").waitFor();
    const allow = (tool: string) => chat.question(tool).getByRole("button", { name: "Allow once" });
    await pressUntil("Shift+Tab", () => hasFocus(allow("Read")));
    await keyboard.press("Enter");
    await chat.question("Write").waitFor();
    await pressUntil("Shift+Tab", () => hasFocus(allow("Write")));
    await keyboard.press("Enter");
    await chat.entry("assistant", "Done. This hook now stands in").last().waitFor();
    await expect.poll(() => hasFocus(chat.composer()), { timeout: 60_000 }).toBe(true);

    await keyboard.press("F1");
    await keyboard.type("Wave Hooks: Open Hooks Settings");
    await keyboard.press("Enter");
    page = await HooksPage.find(window.workbench);
    await page.tab("User hooks 1").waitFor();
    expect(await page.row("sh -c true").innerText()).toContain("async");
    expect(JSON.parse(readFileSync(path.join(window.home, ".wave", "settings.json"), "utf8"))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: "command", command: "sh -c true", async: true }] }] },
    });
  });

  async function openChat(): Promise<void> {
    await window.host(`await vscode.commands.executeCommand("waveHooks.openChat")`);
    chat = await ChatPage.find(window.workbench);
  }

  /** The way a person goes through a page by keys: bounded, since a key that leads nowhere would never get there. */
  async function pressUntil(key: string, reached: () => Promise<boolean>): Promise<void> {
    for (let presses = 0; presses < 40; presses += 1) {
      if (await reached()) return;
      await window.workbench.page.keyboard.press(key);
    }
    throw new Error(`40 times ${key} did not lead there`);
  }
});

function hasFocus(element: ReturnType<ChatPage["composer"]>): Promise<boolean> {
  return element.evaluate((node) => node.matches(":focus"));
}

interface SessionDocument {
  state: { messages: { role: string; isMeta?: boolean; blocks: unknown[] }[] };
}

function sessions(home: string): SessionDocument[] {
  const folder = path.join(home, ".wave", "sessions");
  return readdirSync(folder)
    .filter((name) => /^session_[^.]+\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")));
}

function runs(log: string): Record<string, unknown>[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
