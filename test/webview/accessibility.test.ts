import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatTexts, settingsTexts } from "../../src/extension/pageTexts.ts";
import { chinese } from "../support/localizers.ts";
import {
  chatState,
  EventNumbers,
  question,
  sampleConversation,
  sampleDiff,
} from "../support/webview/chatSamples.ts";
import { fileProblem, hookSnapshot, sampleHooks } from "../support/webview/hookSamples.ts";
import { themeNames } from "../support/webview/themes.ts";
import { type OpenWebview, WebviewLab } from "../support/webview/webviewLab.ts";

let lab: WebviewLab;
beforeAll(async () => {
  lab = await WebviewLab.start();
});
afterAll(() => lab?.stop());

async function close(view: OpenWebview): Promise<void> {
  await view.page.context().close();
  expect({ faults: view.faults, strayRequests: view.strayRequests }).toEqual({
    faults: [],
    strayRequests: [],
  });
}

/** Wide, as a side bar, and in Chinese: spread over the themes, since each look at a page takes its time. */
const looks = {
  light: { width: 900, language: "en" },
  dark: { width: 300, language: "zh-cn" },
  "hc-light": { width: 420, language: "zh-cn" },
  "hc-dark": { width: 420, language: "en" },
};

describe.each(themeNames)("in the theme %s", (theme) => {
  const { width, language } = looks[theme];
  const isChinese = language === "zh-cn";

  it("the settings page has no accessibility violation and fits its width", async () => {
    const strings = settingsTexts(chinese);
    const view = await lab.open("settings", { theme, width, language, ...(isChinese && { strings }) });
    const snapshot = hookSnapshot(sampleHooks(), { problems: [fileProblem()], trusted: false });
    await view.send({ type: "snapshot", tab: "user", snapshot });
    await view.page.getByRole("article").first().waitFor();
    expect(await view.axe()).toEqual([]);
    expect(await view.overflow()).toEqual([]);
    await view.page.locator('[data-name="delete"]').first().click();
    await view.page.getByRole("alertdialog").waitFor();
    expect(await view.axe()).toEqual([]);
    expect(await view.overflow()).toEqual([]);
    await view.page.keyboard.press("Escape");
    await view.page.getByRole("tab").nth(2).click();
    await view.page.getByRole("tab", { selected: true }).waitFor();
    expect(await view.axe()).toEqual([]);
    await close(view);
  });

  it("the chat has no accessibility violation and fits its width", async () => {
    const strings = chatTexts(chinese);
    const view = await lab.open("chat", {
      theme,
      width,
      language,
      height: 1400,
      ...(isChinese && { strings }),
    });
    const { page } = view;
    const events = new EventNumbers();
    const { modelId: _, ...state } = chatState({
      trusted: false,
      status: { state: "running", activity: "Hook: lint.sh", since: Date.now(), stopContinuations: 2 },
      queue: [{ id: "a", text: "and then run the tests" }],
      background: [{ id: "b", kind: "shell", label: "npm run dev" }],
      questions: [question({ toolName: "Edit", diff: sampleDiff, reason: "This file configures hooks." })],
    });
    await view.send(events.all(state, sampleConversation()));
    await page.locator(".question").waitFor();
    await page.locator("summary").click();
    await page.locator(".composer textarea").pressSequentially("@a");
    await view.posted("findFiles");
    await view.send(events.files("a", ["src/a.ts", "b/a.ts"]));
    await page.getByRole("option").first().waitFor();
    expect(await view.axe()).toEqual([]);
    expect(await view.overflow()).toEqual([]);

    await page.keyboard.press("Escape");
    await page.locator(".composer textarea").fill("");
    await view.send(events.state(chatState()));
    await page.locator(".question").waitFor({ state: "detached" });
    await page.locator(".tool-head").first().click();
    await page.locator(".tool-details").waitFor();
    expect(await view.axe()).toEqual([]);
    expect(await view.overflow()).toEqual([]);

    await page.locator("header vscode-button").nth(1).click();
    const sessions = [
      { id: "s1", title: "Set up a hook ".repeat(9), updatedAt: Date.now() },
      { id: "s2", title: "", updatedAt: 0 },
    ];
    await view.send(events.state(chatState({ sessions })));
    await page.locator(".session").first().waitFor();
    expect(await view.axe()).toEqual([]);
    expect(await view.overflow()).toEqual([]);
    await close(view);
  });
});

it("nothing turns for people who want less motion", async () => {
  const view = await lab.open("chat", { reducedMotion: true });
  await view.send(new EventNumbers().all(chatState({ status: { state: "running", stopContinuations: 0 } })));
  const spinner = view.page.locator(".turn-status .codicon-modifier-spin");
  await spinner.waitFor();
  expect(await spinner.evaluate((element) => element.getAnimations().length)).toBe(0);
  await close(view);
});
