import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { ChatPage } from "../support/vscode/chatPage.ts";
import { EditorWindow } from "../support/vscode/editorWindow.ts";
import { hookFilePaths, sampleHookFiles, writeHookFiles } from "../support/vscode/hookFiles.ts";
import { HooksPage } from "../support/vscode/hooksPage.ts";

/** Labels and prompts are those of the requirements, to the letter. */
describe("hooks settings page in Chinese, in Restricted Mode", () => {
  let window: EditorWindow;
  let page: HooksPage;
  let paths: ReturnType<typeof hookFilePaths>;

  beforeAll(async () => {
    window = await EditorWindow.open({
      vsix: inject("vsix"),
      prepare: writeHookFiles,
      projectName: "港口",
      locale: "zh-cn",
      askForTrust: true,
      settings: { "security.workspace.trust.startupPrompt": "never" },
    });
    paths = hookFilePaths(window.home, window.project);
  });
  afterAll(() => window?.close());

  beforeEach(async (context) => {
    window.watch(context);
    writeHookFiles(window.home, window.project);
    await window.host(`
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await vscode.commands.executeCommand("waveHooks.openSettings")`);
    page = await HooksPage.find(window.workbench);
    await page.tab(/^用户级钩子/).click();
    await page.row("user-guard.sh").waitFor();
  });

  it("H27.1 H27.3 H27.4 opens by its Chinese command and shows the tabs and labels of the requirements", async () => {
    expect(await window.host("return vscode.env.language")).toBe("zh-cn");
    await window.host(`await vscode.commands.executeCommand("workbench.action.closeAllEditors")`);
    page = await HooksPage.open(window.workbench, "Wave Hooks: 打开钩子设置");
    for (const label of ["用户级钩子 3", "项目级钩子 3", "插件钩子 1"]) await page.tab(label).waitFor();
    const row = page.row("user-log.sh");
    for (const label of ["编辑", "删除"]) {
      expect(await row.getByText(label, { exact: true }).count(), label).toBe(1);
    }
  });

  it("H27.1 lists the hooks of an untrusted workspace and says that none runs", async () => {
    expect(await window.host("return vscode.workspace.isTrusted")).toBe(false);
    await page.frame.getByText("受限模式下不运行任何钩子。").waitFor();
    expect(await page.row("user-log.sh").innerText()).toContain("不运行");
  });

  it("H28.1 H28.2 H29.1 puts the Chinese prompts into the chat", async () => {
    await page.button("新增用户级钩子").click();
    let chat = await ChatPage.find(window.workbench);
    const userPrompt = "帮我配一个用户级钩子：<事件>时，<matcher 工具>，跑<命令>，<超时/异步>";
    expect(await chat.draftWith("帮我配")).toBe(userPrompt);
    await chat.composer().fill("");

    page = await HooksPage.open(window.workbench, "Wave Hooks: 打开钩子设置");
    await page.tab(/^项目级钩子/).click();
    await page.button("新增项目级钩子").click();
    chat = await ChatPage.find(window.workbench);
    const projectPrompt = "帮我在【港口】新建钩子：<事件>时，<matcher 工具>，跑<命令>，<超时/异步>";
    expect(await chat.draftWith("新建钩子")).toBe(projectPrompt);
    await chat.composer().fill("");

    page = await HooksPage.open(window.workbench, "Wave Hooks: 打开钩子设置");
    await page.tab(/^用户级钩子/).click();
    await page.row("user-log.sh").getByRole("button", { name: /^编辑/ }).click();
    chat = await ChatPage.find(window.workbench);
    const [prompt, aim] = (await chat.draftWith("帮我编辑")).split("\n");
    expect(prompt).toBe("帮我编辑钩子：把<事件/匹配/命令/超时>改成<新内容>");
    expect(aim).toContain(paths.user);
    await chat.composer().fill("");
  });

  it("H30.1 H30.2 H30.3 asks in Chinese and deletes in Restricted Mode too: no hook runs for that", async () => {
    await page.row("user-stop.sh").getByRole("button", { name: /^删除/ }).click();
    await page.question().getByText(paths.user).waitFor();
    await page.question().getByRole("button", { name: "取消" }).click();
    expect(readFileSync(paths.user, "utf8")).toBe(sampleHookFiles.user);
    await page.row("user-stop.sh").getByRole("button", { name: /^删除/ }).click();
    await page.question().getByRole("button", { name: "确认删除" }).click();
    await page.tab("用户级钩子 2").waitFor();
    expect(readFileSync(paths.user, "utf8")).not.toContain("user-stop.sh");
  });

  it("H27.1 says that the hooks run as soon as the workspace is trusted", async () => {
    await window.workbench.command("Workspaces: Manage Workspace Trust");
    const trust = window.workbench.page.locator(".workspace-trust-editor .monaco-button", {
      hasText: /^Trust$/,
    });
    await trust.first().click();
    page = await HooksPage.open(window.workbench, "Wave Hooks: 打开钩子设置");
    await page.row("user-log.sh").getByText("会运行").waitFor();
    expect(await page.frame.getByText("受限模式下不运行任何钩子。").count()).toBe(0);
    expect(await window.host("return vscode.workspace.isTrusted")).toBe(true);
  });
});
