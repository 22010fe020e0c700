import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { settingsTexts } from "../../src/extension/pageTexts.ts";
import type { HookView } from "../../src/protocol/hookView.ts";
import { chinese } from "../support/localizers.ts";
import { fileProblem, hookSnapshot, hookView, sampleHooks } from "../support/webview/hookSamples.ts";
import { type OpenOptions, type OpenWebview, WebviewLab } from "../support/webview/webviewLab.ts";

let lab: WebviewLab;
let view: OpenWebview;
beforeAll(async () => {
  lab = await WebviewLab.start();
});
afterAll(() => lab?.stop());
afterEach(async () => {
  const { faults, strayRequests } = view;
  await view.page.context().close();
  expect({ faults, strayRequests }).toEqual({ faults: [], strayRequests: [] });
});

async function open(
  hooks: readonly HookView[],
  given: Parameters<typeof hookSnapshot>[1] & { tab?: HookView["tab"] } = {},
  options: OpenOptions = {},
) {
  const { tab = "user", ...snapshot } = given;
  view = await lab.open("settings", options);
  await view.send({ type: "snapshot", tab, snapshot: hookSnapshot(hooks, snapshot) });
  await view.page.getByRole("tab").first().waitFor();
  return view.page;
}

const row = (text: string) => view.page.getByRole("listitem").filter({ hasText: text });

describe("the tabs", () => {
  it("H27.1 H27.2 H27.3 H27.4 show the hooks of each source, flat, with all that is known of them", async () => {
    const page = await open(sampleHooks());
    const tabs = page.getByRole("tab");
    expect(await tabs.allTextContents()).toEqual(["User hooks 5", "Project hooks 2", "Plugin hooks 1"]);
    expect(await page.getByRole("listitem").count()).toBe(5);
    const first = row("npm run lint");
    for (const text of [
      "PostToolUse",
      "Write|Edit",
      "Lints what the agent has written.",
      "600 s (default)",
      "Runs",
    ])
      expect(await first.innerText()).toContain(text);
    expect(await first.getByText("User", { exact: true }).isVisible()).toBe(true);
    expect(await row("notify-send").innerText()).toContain("async");
    expect(await row("audit.example.com").innerText()).toContain("Copilot format");
    const bad = row("brew");
    expect(await bad.innerText()).toContain("Does not run: There is no event “BeforeCoffee”.");
    expect(await bad.innerText()).toContain("Warning: Did you mean “PreToolUse”?");

    await page.getByRole("tab", { name: "Project hooks" }).click();
    expect((await view.posted("tab")).tab).toBe("project");
    expect(await page.getByRole("listitem").count()).toBe(2);
    expect(await page.getByRole("button", { name: "Edit hook" }).count()).toBe(2);
    expect(await page.getByRole("button", { name: "Delete hook" }).count()).toBe(2);
    expect(await row("cat NOTES.md").innerText()).toContain("Project (local)");
    expect(await row("npm test").innerText()).toContain("async, wakes the model");
  });

  it("H29.5 H30.5 give plugin hooks neither edit nor delete, nor a button for a new one", async () => {
    const page = await open(sampleHooks(), { tab: "plugin" });
    expect(await page.getByRole("listitem").count()).toBe(1);
    for (const name of ["Edit", "Delete", "New"])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
  });

  it("H27.5 say so where a source has no hooks", async () => {
    const page = await open([], { tab: "plugin" });
    for (const [tab, text] of [
      ["Plugin hooks", "No plugin hooks."],
      ["User hooks", "No user hooks yet."],
      ["Project hooks", "No hooks in this project yet."],
    ] as const) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByText(text).waitFor();
      expect(await page.getByRole("listitem").count()).toBe(0);
    }
  });

  it("are moved through with the arrow keys", async () => {
    const page = await open(sampleHooks());
    await page.getByRole("tab", { name: "User hooks" }).focus();
    await page.keyboard.press("ArrowRight");
    expect((await view.posted("tab")).tab).toBe("project");
    await row("cat NOTES.md").waitFor();
    await page.keyboard.press("End");
    await row("lint.mjs").waitFor();
    expect(await page.getByRole("tab", { selected: true }).innerText()).toContain("Plugin hooks");
  });

  it("are kept, with the filter, when the page is made anew", async () => {
    await open(sampleHooks(), {}, { viewState: { tab: "user", filter: "guard" } });
    expect(await view.page.getByRole("textbox", { name: "Filter hooks" }).inputValue()).toBe("guard");
    expect(await view.page.getByRole("listitem").count()).toBe(1);
    await view.page.getByRole("tab", { name: "Project hooks" }).click();
    await view.page.getByRole("button", { name: "New project hook" }).waitFor();
    expect(await view.viewState()).toEqual({ tab: "project", filter: "guard" });
  });
});

describe("new, edit and open", () => {
  it("H28.1 H28.2 ask the host for a new hook of the tab", async () => {
    const page = await open(sampleHooks());
    await page.getByRole("button", { name: "New user hook" }).click();
    await view.posted("newHook", ({ tab }) => tab === "user");
    await page.getByRole("tab", { name: "Project hooks" }).click();
    await page.getByRole("button", { name: "New project hook" }).click();
    await view.posted("newHook", ({ tab }) => tab === "project");
  });

  it("H29.1 ask the host to edit that hook, and to open a file at the hook's line", async () => {
    const hooks = sampleHooks();
    await open(hooks);
    await row("guard.mjs").getByRole("button", { name: /^Edit/ }).click();
    expect((await view.posted("editHook")).id).toBe(hooks[1]?.id);
    await row("guard.mjs").getByRole("button", { name: "~/.wave/settings.json:15" }).click();
    expect(await view.posted("openFile")).toEqual({
      type: "openFile",
      file: "/home/ada/.wave/settings.json",
      line: 15,
      column: 11,
    });
  });
});

describe("delete", () => {
  const aim = () => row("guard.mjs").getByRole("button", { name: /^Delete/ });

  it("H30.1 asks, naming the hook and the absolute path of its file", async () => {
    const page = await open(sampleHooks());
    await aim().click();
    const dialog = page.getByRole("alertdialog", { name: "Delete this hook?" });
    const text = await dialog.innerText();
    for (const part of ["PreToolUse (Bash)", "guard.mjs", "/home/ada/.wave/settings.json"])
      expect(text).toContain(part);
    expect(await view.focused()).toBe("Cancel");
  });

  it("H30.2 changes nothing on Cancel and on Esc, and the focus goes back", async () => {
    const page = await open(sampleHooks());
    const dialog = page.getByRole("alertdialog");
    for (const close of [
      () => dialog.getByRole("button", { name: "Cancel" }).click(),
      () => page.keyboard.press("Escape"),
      () => page.keyboard.press("Enter"),
    ]) {
      await aim().click();
      await dialog.waitFor();
      await close();
      await dialog.waitFor({ state: "detached" });
      expect(await view.focused()).toBe("Delete hook PreToolUse (Bash)");
    }
    expect(view.ofType("deleteHook")).toEqual([]);
    expect(await page.getByRole("listitem").count()).toBe(5);
  });

  it("H30.3 H30.4 asks the host to delete exactly that hook, follows the new list, and moves the focus to the next", async () => {
    const hooks = sampleHooks();
    const page = await open(hooks);
    await aim().click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true }).click();
    const message = await view.posted("deleteHook");
    expect(message.id).toBe(hooks[1]?.id);
    const left = hooks.filter(({ id }) => id !== message.id);
    await view.send(
      { type: "snapshot", tab: "user", snapshot: hookSnapshot(left, { revision: 2 }) },
      { type: "deleteResult", requestId: message.requestId, ok: true },
    );
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    expect(await page.getByRole("listitem").count()).toBe(4);
    expect(await view.focused()).toBe("Delete hook Stop");
    await page.getByRole("status").filter({ hasText: "Hook PreToolUse (Bash) deleted." }).waitFor();
  });

  it("E13 shows why a delete failed, and leaves the list as it was", async () => {
    const page = await open(sampleHooks());
    await aim().click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true }).click();
    const { requestId } = await view.posted("deleteHook");
    const error = "/home/ada/.wave/settings.json may not be written: permission denied.";
    await view.send({ type: "deleteResult", requestId, ok: false, error });
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.innerText()).toContain("The hook was not deleted.");
    expect(await alert.innerText()).toContain(error);
    expect(await page.getByRole("listitem").count()).toBe(5);
    await alert.getByRole("button", { name: "Dismiss" }).click();
    await alert.waitFor({ state: "detached" });
  });

  it("asks no further when the hook changes behind the dialog", async () => {
    const hooks = sampleHooks();
    const page = await open(hooks);
    await aim().click();
    await page.getByRole("alertdialog").waitFor();
    const changed = hooks.map((hook, index) =>
      index === 1 ? { ...hook, id: "new", command: "true" } : hook,
    );
    await view.send({ type: "snapshot", tab: "user", snapshot: hookSnapshot(changed, { revision: 2 }) });
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    expect(await page.getByRole("alert").innerText()).toContain("has changed or is gone");
    expect(view.ofType("deleteHook")).toEqual([]);
  });

  it("leaves the focus on the button for a new hook when the last one is gone", async () => {
    const hook = hookView();
    const page = await open([hook]);
    await page.getByRole("button", { name: "Delete hook" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true }).click();
    const { requestId } = await view.posted("deleteHook");
    await view.send({ type: "deleteResult", requestId, ok: true });
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await view.send({ type: "snapshot", tab: "user", snapshot: hookSnapshot([], { revision: 2 }) });
    await page.getByText("No user hooks yet.").waitFor();
    expect(await view.focused()).toBe("New user hook");
  });
});

describe("the list", () => {
  it("E14 shows the project that the host names, and follows it", async () => {
    const page = await open(sampleHooks(), { tab: "project" });
    await page.getByRole("heading", { name: "Hooks shop" }).waitFor();
    const other = [
      hookView({ tab: "project", command: "make check", file: "/home/ada/bank/.wave/settings.json" }),
    ];
    await view.send({
      type: "snapshot",
      tab: "project",
      snapshot: hookSnapshot(other, { revision: 2, projectName: "bank", projectDir: "/home/ada/bank" }),
    });
    await page.getByRole("heading", { name: "Hooks bank" }).waitFor();
    expect(await page.getByRole("listitem").count()).toBe(1);
    await view.send({ type: "snapshot", tab: "project", snapshot: hookSnapshot([], { revision: 1 }) });
    expect(await row("make check").count()).toBe(1);
  });

  it("shows the problems of files above the hooks, each with a link to its place", async () => {
    const problems = Array.from({ length: 8 }, (_, index) => fileProblem({ line: index + 1 }));
    const page = await open(sampleHooks(), { problems });
    const section = page.getByRole("region", { name: "Problems in hook files" });
    expect(await section.getByRole("listitem").count()).toBe(5);
    await section.getByRole("button", { name: "Show all (8)" }).click();
    expect(await section.getByRole("listitem").count()).toBe(8);
    await section.getByRole("button", { name: "line 3, column 5" }).click();
    expect(await view.posted("openFile")).toMatchObject({ line: 3, column: 5 });
    expect(await row("npm run lint").count()).toBe(1);
  });

  it("filters by every word, in whatever is shown", async () => {
    const page = await open(sampleHooks());
    const filter = page.getByRole("textbox", { name: "Filter hooks" });
    await filter.fill("pretooluse BASH");
    await page.getByText("1 of 5").waitFor();
    expect(await page.getByRole("listitem").count()).toBe(1);
    await filter.fill("<b>nothing</b>");
    await page.getByText("No hook matches “<b>nothing</b>”.").waitFor();
    await page.getByRole("button", { name: "Clear filter" }).click();
    await row("notify-send").waitFor();
  });

  it("shows hostile texts as text: HTML, control characters, direction marks, emoji, very long commands", async () => {
    const command = `echo '<img src=x onerror="alert(1)">' \u001b[31mred\u202egnp.exe 🎉👩‍💻 ${"x".repeat(100_000)}`;
    const page = await open([
      hookView({
        command,
        description: "<script>alert(2)</script>",
        matcher: "\u2066Bash\u2069",
        commandCutBy: 5000,
      }),
      ...Array.from({ length: 9 }, () => hookView({ command: "same" })),
    ]);
    const first = page.getByRole("listitem").first();
    const text = await first.innerText();
    expect(text).toContain(`<img src=x onerror="alert(1)">`);
    expect(text).toContain("<script>alert(2)</script>");
    expect(text).toContain("␛[31mred⟦U+202E⟧gnp.exe 🎉👩‍💻");
    expect(text).toContain("⟦U+2066⟧Bash⟦U+2069⟧");
    expect(text).toContain("5000 more characters are not shown.");
    expect(text.length).toBeLessThan(2000);
    expect(await page.locator("img, #root script").count()).toBe(0);
    await first.getByRole("button", { name: "Show all" }).click();
    expect((await first.innerText()).length).toBeGreaterThan(100_000);
    // Equal hooks are as many rows.
    expect(await page.getByRole("listitem").first().getAttribute("aria-setsize")).toBe("10");
  });

  it("holds 10,000 hooks, draws those that are seen, and leads the keyboard through all", async () => {
    const hooks = Array.from({ length: 10_000 }, (_, index) =>
      hookView({ command: `run ${index}`, line: index + 1 }),
    );
    const page = await open(hooks);
    expect(await page.getByRole("listitem").count()).toBeLessThan(40);
    expect(await page.getByRole("listitem").first().getAttribute("aria-setsize")).toBe("10000");
    await page.getByRole("listitem").first().getByRole("button", { name: /^Edit/ }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect((await view.posted("editHook")).id).toBe(hooks[1]?.id);
    await page.keyboard.press("End");
    await row("run 9999").waitFor();
    await page.keyboard.press("Enter");
    await view.posted("editHook", ({ id }) => id === hooks[9999]?.id);
    // Tab alone reaches the rows that are not drawn yet, too.
    await page.keyboard.press("Home");
    await row("run 0").waitFor();
    for (let step = 0; step < 45; step++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await view.posted("editHook", ({ id }) => id === hooks[15]?.id);
  });

  it("keeps focus and place when the files change", async () => {
    const hooks = Array.from({ length: 300 }, (_, index) => hookView({ command: `run ${index}.` }));
    const page = await open(hooks);
    const scroller = page.locator(".scroller");
    await scroller.evaluate((element) => element.scrollTo({ top: 12_000 }));
    await expect.poll(() => page.getByRole("listitem").first().getAttribute("aria-posinset")).not.toBe("1");
    const command =
      (await page.getByRole("listitem").nth(5).locator(".hook-command .data").textContent()) ?? "";
    const edit = row(command).getByRole("button", { name: /^Edit/ });
    await edit.focus();
    const place = await edit.boundingBox();
    // Two hooks above come, every place in the file moves on.
    const moved = hooks.map((hook) => ({ ...hook, id: `${hook.id}-moved`, line: hook.line + 8 }));
    const added = [hookView({ command: "new one" }), hookView({ command: "new two" })];
    await view.send({
      type: "snapshot",
      tab: "user",
      snapshot: hookSnapshot([...added, ...moved], { revision: 2 }),
    });
    await page.getByRole("tab", { name: "User hooks 302" }).waitFor();
    await page.keyboard.press("Enter");
    const { id } = await view.posted("editHook");
    expect(moved.find((hook) => hook.id === id)?.command).toBe(command);
    const after = await edit.boundingBox();
    expect(Math.abs((after?.y ?? 0) - (place?.y ?? -99))).toBeLessThan(3);
  });
});

describe("the page", () => {
  it("says that no hook runs in an untrusted workspace, and leads to the trust", async () => {
    const untrusted = sampleHooks().map((hook) => ({
      ...hook,
      willRun: false,
      notRunning: { reason: "untrusted", text: "This workspace is not trusted." } as const,
    }));
    const page = await open(untrusted, { trusted: false });
    await page.getByText("No hook runs in Restricted Mode.").waitFor();
    expect(await row("npm run lint").innerText()).toContain("Does not run: This workspace is not trusted.");
    await page.getByRole("button", { name: "Manage workspace trust" }).click();
    await view.posted("manageTrust");
  });

  it("H27.1 H28.1 H30.1 speaks Chinese, in the words of the specification", async () => {
    const page = await open(sampleHooks(), {}, { strings: settingsTexts(chinese), language: "zh-cn" });
    expect(await page.getByRole("tab").allTextContents()).toEqual([
      "用户级钩子 5",
      "项目级钩子 2",
      "插件钩子 1",
    ]);
    await page.getByRole("button", { name: "新增用户级钩子" }).click();
    await view.posted("newHook");
    await row("guard.mjs").getByRole("button", { name: "编辑" }).waitFor();
    await row("guard.mjs").getByRole("button", { name: "删除" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "确认删除" }).waitFor();
    await dialog.getByRole("button", { name: "取消" }).click();
    await dialog.waitFor({ state: "detached" });
  });
});
