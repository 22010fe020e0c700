import { readFileSync } from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ChatPage } from "../support/vscode/chatPage.ts";
import { EditorWindow } from "../support/vscode/editorWindow.ts";
import { HooksPage } from "../support/vscode/hooksPage.ts";

const patience = { timeout: 90_000 };

/** One window for all, in the order in which a person meets things: the tests build on each other. */
describe("the chat in VS Code", () => {
  let window: EditorWindow;
  let chat: ChatPage;
  const settings = (): string => readFileSync(path.join(window.project, ".wave/settings.json"), "utf8");
  const shown = (text: string | RegExp): Locator => chat.frame.getByText(text).last();
  const button = (name: string | RegExp): Locator => chat.frame.getByRole("button", { name });

  async function say(text: string): Promise<void> {
    await chat.composer().fill(text);
    await chat.composer().press("Enter");
  }

  async function idle(): Promise<void> {
    await button("Send").waitFor(patience);
  }

  async function script(...answers: unknown[]): Promise<void> {
    await window.host(`model.answers.splice(0); model.answers.push(...${JSON.stringify(answers)})`);
  }

  beforeAll(async () => {
    window = await EditorWindow.open({ vsix: inject("vsix"), projectName: "harbour" });
  });
  afterAll(() => window?.close());

  it("H28.2 begins on the page, with nothing set up: the prompt waits, and three kinds of model are offered", async () => {
    const page = await HooksPage.open(window.workbench);
    await page.tab(/^Project hooks/).click();
    await page.button("New project hook").click();
    chat = await ChatPage.find(window.workbench);
    expect(await chat.draftWith("Create a hook")).toBe(
      "Create a hook in [harbour] for me: on <event>, for <matcher tools>, run <command>, <timeout/async>",
    );
    for (const choice of ["VS Code language model", "Your own service", "Built-in composer"])
      await button(new RegExp(`^${choice}`)).waitFor(patience);
    expect(await HooksPage.isOpen(window.workbench)).toBe(false);
  });

  it("H28.3 H28.4 H28.5 sets up a hook with the built-in composer, after asking with the change", async () => {
    await chat.frame.getByRole("button", { name: /^Built-in composer/ }).click();
    await say(
      "Create a hook in [harbour] for me: on PostToolUse, for Write, run `echo checked >> checked.log`, timeout 12s",
    );
    await button("Allow once").click(patience);
    await shown(/This hook now stands in/).waitFor(patience);
    await idle();
    expect(JSON.parse(settings())).toEqual({
      hooks: {
        PostToolUse: [
          {
            matcher: "Write",
            hooks: [{ type: "command", command: "echo checked >> checked.log", timeout: 12 }],
          },
        ],
      },
    });
    const page = await HooksPage.open(window.workbench);
    await page.tab("Project hooks 1").click();
    await page.row("echo checked").waitFor();
    expect(await page.row("echo checked").innerText()).toContain("Project");
  });

  it("H29.1 H29.2 H29.3 H29.4 edits it through the chat: the file is open with the hook selected", async () => {
    const page = await HooksPage.find(window.workbench);
    await page.row("echo checked").getByRole("button", { name: /^Edit/ }).click();
    chat = await ChatPage.find(window.workbench);
    const prompt = await chat.draftWith("Edit this hook");
    const selected = await window.host<string>(
      "const e = vscode.window.activeTextEditor; return e.document.getText(e.selection)",
    );
    expect(JSON.parse(selected)).toMatchObject({ command: "echo checked >> checked.log" });
    await say(
      prompt.replace("change <event/matcher/command/timeout> to <new value>", "change timeout to 30 s"),
    );
    await button("Allow once").click(patience);
    await expect.poll(() => settings(), patience).toContain('"timeout": 30');
    await idle();
    const after = await HooksPage.open(window.workbench);
    await after.row("30 s").waitFor();
  });

  it("H10.2 H14.3 H25.1 streams the answer of a model of VS Code; hooks speak in notices alone", async () => {
    chat = await ChatPage.find(window.workbench);
    await chat.frame.getByRole("combobox", { name: "Model" }).selectOption({ label: "Scripted One" });
    await script([{ text: "**Ready**" }]);
    await say("are you there?");
    await chat.frame.locator("strong", { hasText: "Ready" }).waitFor(patience);
    await idle();
    expect(await window.host("return model.requests.length")).toBe(1);
  });

  it("H28.3 runs a tool that the model asks for, shows its change, and opens it in the diff editor", async () => {
    const file = path.join(window.project, "a.txt");
    await script(
      [{ toolCall: { id: "w1", name: "Write", input: { file_path: file, content: "hello\n" } } }],
      [{ text: "Written." }],
    );
    await say("write it");
    await button("Allow once").waitFor(patience);
    await chat.frame.locator(".question").getByText("Open diff").click();
    await expect
      .poll(() => window.host("return vscode.window.tabGroups.activeTabGroup.activeTab?.label"), patience)
      .toBe("a.txt (proposed change)");
    await button("Allow once").click();
    await shown("Written.").waitFor(patience);
    expect(readFileSync(file, "utf8")).toBe("hello\n");
    await expect
      .poll(() => readFileSync(path.join(window.project, "checked.log"), "utf8"), patience)
      .toBe("checked\n");
    await idle();
  });

  it("H26.1 queues what is sent meanwhile; Stop ends the turn, and the queue goes on", async () => {
    await script([{ waitMs: 600_000 }], [{ text: "After the stop." }]);
    await say("think for long");
    await button("Stop").first().waitFor(patience);
    await chat.composer().fill("and then?");
    await chat.composer().press("Enter");
    await shown("and then?").waitFor(patience);
    await window.workbench.page
      .locator(".statusbar-item", { hasText: "Waiting for the model" })
      .waitFor(patience);
    await button(/^Stop/).last().click();
    await shown("After the stop.").waitFor(patience);
    await idle();
  });

  it("resumes the session after a reload in the middle of a turn, draft and all", async () => {
    await script([{ waitMs: 600_000 }]);
    await say("this will be cut off");
    await button(/^Stop/).first().waitFor(patience);
    await chat.composer().fill("half a thought");
    await chat.frame.getByRole("combobox", { name: "Model" }).focus();
    await window.workbench.reload();
    await window.host(`await vscode.commands.executeCommand("waveHooks.openChat")`);
    chat = await ChatPage.find(window.workbench);
    await shown(/was interrupted/).waitFor(patience);
    await shown("this will be cut off").waitFor(patience);
    expect(await chat.draftWith("half")).toBe("half a thought");
    await idle();
  });

  it("lists the sessions, begins a new one and comes back", async () => {
    await chat.composer().fill("");
    await chat.frame.getByRole("button", { name: "New session" }).click();
    await shown("What should be done?").waitFor(patience);
    await script([{ text: "A fresh start." }]);
    await say("second session");
    await shown("A fresh start.").waitFor(patience);
    await idle();
    await button("Sessions").click();
    await chat.frame.locator("button.session", { hasText: "Create a hook in [harbour]" }).click(patience);
    await shown("this will be cut off").waitFor(patience);
  });
});
