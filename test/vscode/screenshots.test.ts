import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { fillWithSample } from "../../scripts/sampleProject.mjs";
import { ChatPage } from "../support/vscode/chatPage.ts";
import { EditorWindow } from "../support/vscode/editorWindow.ts";
import { HooksPage } from "../support/vscode/hooksPage.ts";

const media = path.resolve(import.meta.dirname, "../../media");

const themes = [
  { name: "hooks-page-dark", theme: "Default Dark Modern" },
  { name: "hooks-page-high-contrast", theme: "Default High Contrast" },
  { name: "hooks-page", theme: "Default Light Modern" },
];

/** The pictures of the README, taken of the sample project of `npm start`: with WAVE_HOOKS_SCREENSHOTS=1 this file is among the tests. */
describe("pictures of the sample project", () => {
  let window: EditorWindow;
  beforeAll(async () => {
    window = await EditorWindow.open({
      vsix: inject("vsix"),
      prepare: fillWithSample,
      settings: { "workbench.statusBar.visible": false },
    });
  });
  afterAll(() => window?.close());

  async function take(name: string): Promise<void> {
    const picture = await window.workbench.page.screenshot({ path: path.join(media, `${name}.png`) });
    expect(picture.length).toBeGreaterThan(10_000);
  }

  it.each(themes)("H27.1 the page: $name", async ({ name, theme }) => {
    await window.host(`
      const workbench = vscode.workspace.getConfiguration("workbench");
      await workbench.update("colorTheme", "${theme}", vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand("waveHooks.openChat");
      await vscode.commands.executeCommand("waveHooks.openSettings")`);
    const page = await HooksPage.find(window.workbench);
    await page.tab(/^Project hooks/).click();
    await page.rows().first().waitFor();
    await take(name);
  });

  it("H28.2 H28.3 the chat asks before it changes the file, and says what it did", async () => {
    const page = await HooksPage.find(window.workbench);
    await page.button("New project hook").click();
    const chat = await ChatPage.find(window.workbench);
    await chat.draftWith("Create a hook");
    await chat.frame.getByRole("button", { name: /^Built-in composer/ }).click();
    await chat
      .composer()
      .fill(
        "Create a hook in [sample-project] for me: on PostToolUse, for Write, run `npm test`, timeout 60s",
      );
    await chat.composer().press("Enter");
    const allow = chat.frame.getByRole("button", { name: "Allow once" });
    await allow.waitFor();
    await take("hook-question");
    await allow.click();
    await chat.frame
      .getByText(/This hook now stands in/)
      .last()
      .waitFor();
    await HooksPage.open(window.workbench);
    await take("hook-done");
  });
});
