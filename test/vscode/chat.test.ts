import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { type ModelService, openModelService } from "../support/modelService.ts";
import { ChatPage } from "../support/vscode/chatPage.ts";
import { EditorWindow } from "../support/vscode/editorWindow.ts";

/** So long that no test waits for its end. */
const endless = Array.from({ length: 3000 }, (_, index) => `word${index}`).join(" ");

/** One window for all: each test begins with a new session, without hooks, on the scripted service. */
describe("the chat in VS Code", () => {
  let service: ModelService;
  let window: EditorWindow;
  let chat: ChatPage;
  let asked: number;
  const file = (name: string): string => path.join(window.project, name);
  /** Bodies of the requests since the test began, as text. */
  const requests = (): string[] =>
    service.requests.slice(asked).map((request) => JSON.stringify(request.messages));

  beforeAll(async () => {
    service = await openModelService();
    window = await EditorWindow.open({
      vsix: inject("vsix"),
      projectName: "harbour",
    });
    await showChat();
    await chat.firstRun().getByRole("button", { name: "Your own service" }).click();
    await window.workbench.pick("OpenAI-compatible");
    await window.workbench.enter("Base URL of the service", service.baseURL);
    await window.workbench.enter("Name of the model", "scripted");
    await window.workbench.enter("API key for", "key-of-the-test");
    await chat.firstRun().waitFor({ state: "detached" });
  });
  afterAll(async () => {
    await window?.close();
    await service?.stop();
  });

  beforeEach(async (context) => {
    window.watch(context);
    asked = service.requests.length;
    service.script([{ text: "Done." }]);
    rmSync(file(".wave"), { recursive: true, force: true });
    await window.host(`
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await vscode.commands.executeCommand("waveHooks.newSession")`);
    await showChat();
    await chat.frame.getByText("What should be done?").waitFor();
    await chat.picker("Model").selectOption("service");
  });

  it("streams the answer as formatted text, and shows a tool call as a card with its result on demand", async () => {
    writeFileSync(file("notes.md"), "the tide comes at nine\n");
    const answer =
      "## Tide\n\nIt comes at **nine**:\n\n- `high`\n\n```js\nconst hour = 9;\n```\n\n<img src=x onerror=alert(1)>";
    service.script([
      { toolCalls: [{ name: "Read", arguments: { file_path: file("notes.md") } }] },
      { text: answer },
    ]);
    await chat.send("When is the tide?");
    await chat.frame.getByRole("heading", { name: "Tide" }).waitFor();
    await chat.idle();
    expect(await chat.frame.locator(".item.assistant strong", { hasText: "nine" }).count()).toBe(1);
    expect(await chat.frame.locator(".item.assistant li code").innerText()).toBe("high");
    expect(await chat.frame.locator(".item.assistant pre").innerText()).toContain("const hour = 9;");
    expect(await chat.frame.locator(".item.assistant img").count()).toBe(0);
    const card = chat.toolCard("Read", "notes.md");
    expect(await card.getByText("done").count()).toBe(1);
    expect(await chat.frame.getByText("the tide comes at nine").count()).toBe(0);
    await card.getByRole("button", { name: /Read/ }).click();
    await chat.frame.getByText("the tide comes at nine").waitFor();
    expect(requests()[1]).toContain("the tide comes at nine");
  });

  it("H14.3 says as an error why a hook blocked the prompt, and clears the prompt", async () => {
    hooks({ UserPromptSubmit: `echo "no secrets, please" >&2; exit 2` });
    await chat.send("my password is swordfish");
    await chat.notice("error", "no secrets, please").waitFor();
    await chat.idle();
    expect(await chat.entry("user", "swordfish").count()).toBe(0);
    expect(await chat.composer().inputValue()).toBe("");
    expect(requests()).toEqual([]);
    hooks({});
    await chat.send("hello");
    await chat.entry("assistant", "Done.").waitFor();
    expect(requests().join()).not.toMatch(/swordfish|no secrets/);
  });

  it("H25.1 shows what a Stop hook says at each round, in its place, while the model alone hears why it goes on", async () => {
    hooks({
      Stop: `grep -q '"stop_hook_active":true' && exit 0; echo '{"systemMessage":"Round 1 of 2"}'; echo "keep rowing" >&2; exit 2`,
    });
    service.script([{ text: "First stroke." }, { text: "Second stroke." }]);
    await chat.send("row");
    await chat.entry("assistant", "Second stroke.").waitFor();
    await chat.idle();
    const texts = await chat.frame.locator(".item").allInnerTexts();
    const places = ["First stroke.", "Round 1 of 2", "Second stroke."].map((text) =>
      texts.findIndex((entry) => entry.includes(text)),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(await chat.notice("info", "Round 1 of 2").count()).toBe(1);
    expect(await chat.frame.getByText("keep rowing").count()).toBe(0);
    expect(requests()[1]).toContain("keep rowing");
    expect(requests()[1]).not.toContain("Round 1 of 2");
  });

  it("H25.2 H25.5 shows a hook's line also at exit code 0; it is in no request", async () => {
    hooks({ Stop: `echo '{"systemMessage":"All moored"}'` });
    await chat.send("moor");
    await chat.notice("info", "All moored").waitFor();
    await chat.idle();
    await chat.send("again");
    await chat.notice("info", "All moored").nth(1).waitFor();
    expect(requests().length).toBe(2);
    expect(requests().join()).not.toContain("All moored");
  });

  it("H26.1 lets a queued message go before the Stop hook's next round; others can be taken out of the queue", async () => {
    hooks({ Stop: `[ -e .wave/enough ] && exit 0; echo "round and round" >&2; exit 2` });
    service.script([
      { toolCalls: [{ name: "Bash", arguments: { command: "echo anchor" } }] },
      { text: "Anchored." },
      { text: "Stopped as you said." },
    ]);
    await chat.send("circle");
    await chat.question("Bash").waitFor();
    await chat.send("stop circling");
    await chat.send("never mind");
    await chat.queue().nth(1).waitFor();
    await chat.button("Remove from the queue: never mind").click();
    await chat.queue().nth(1).waitFor({ state: "detached" });
    await chat.answer("Bash", "Allow once");
    await chat.entry("user", "stop circling").waitFor();
    writeFileSync(file(".wave/enough"), "");
    await chat.entry("assistant", "Stopped as you said.").first().waitFor();
    await chat.idle();
    expect(requests()[1]).not.toContain("stop circling");
    expect(JSON.stringify(service.requests.slice(asked)[2]?.messages.at(-1))).toContain("stop circling");
    expect(requests().join()).not.toContain("never mind");
    expect(await chat.queue().count()).toBe(0);
  });

  it("H10.2 starts a new turn when a hook in the background finds something", async () => {
    hooks(
      {
        Stop: `[ -e .wave/woken ] && exit 0; touch .wave/woken; until [ -e .wave/idle ]; do sleep 0.1; done; echo "a leak in hold 3" >&2; exit 2`,
      },
      { asyncRewake: true },
    );
    service.script([{ text: "Sailed." }, { text: "Mended the leak." }]);
    await chat.send("sail");
    await chat.entry("assistant", "Sailed.").waitFor();
    await chat.idle();
    expect(requests().length).toBe(1);
    writeFileSync(file(".wave/idle"), "");
    await chat.entry("assistant", "Mended the leak.").waitFor();
    expect(requests()[1]).toContain("<system-reminder>");
    expect(requests()[1]).toContain("a leak in hold 3");
    expect(await chat.entry("user", "a leak in hold 3").count()).toBe(0);
  });

  it("E15 sends a text that begins with /settings to the model as an ordinary message", async () => {
    await chat.send("/settings set up a hook for me");
    await chat.entry("user", "/settings set up a hook for me").waitFor();
    await chat.entry("assistant", "Done.").waitFor();
    expect(requests()[0]).toContain("/settings set up a hook for me");
  });

  it("ends a turn at once by the Stop button and by Esc, keeps what was said, and goes on with the next message", async () => {
    for (const way of ["button", "Escape"]) {
      service.script([{ text: endless, latencyMs: 200 }]);
      await chat.send(`tell me more, ${way}`);
      await chat.entry("assistant", "word0").last().waitFor();
      expect(await chat.turnStatus().count()).toBe(1);
      if (way === "button") await chat.button("Stop").click();
      else await chat.composer().press("Escape");
      await chat.idle();
    }
    expect(await chat.entry("assistant", "word2999").count()).toBe(0);
    service.script([{ text: "Good to be heard." }]);
    await chat.send("and now?");
    await chat.entry("assistant", "Good to be heard.").waitFor();
    expect(requests().at(-1)).toContain("word0");
  });

  it("H26.1 goes on with what is queued when the turn is stopped; the status bar shows that a turn runs", async () => {
    service.script([{ text: endless, latencyMs: 200 }]);
    await chat.send("think for long");
    await chat.entry("assistant", "word0").waitFor();
    const item = window.workbench.page.locator(".statusbar-item", { hasText: "Waiting for the model" });
    await item.waitFor();
    await chat.send("and then?");
    await chat.queue().waitFor();
    service.script([{ text: "After the stop." }]);
    await chat.button("Stop").click();
    await chat.entry("assistant", "After the stop.").waitFor();
    await chat.idle();
    await item.waitFor({ state: "detached" });
    expect(requests()[1]).toContain("and then?");
  });

  it("ends a command at once by Stop, with all that it started", async () => {
    const command = "sleep 1000 & echo $! > .wave/pid; wait";
    mkdirSync(file(".wave"));
    service.script([{ toolCalls: [{ name: "Bash", arguments: { command } }] }]);
    await chat.send("wait long");
    await chat.question("Bash").getByText(command).waitFor();
    await chat.answer("Bash", "Allow once");
    await expect.poll(() => existsSync(file(".wave/pid")), { timeout: 60_000 }).toBe(true);
    await chat.button("Stop").click();
    await chat.idle();
    const pid = Number(readFileSync(file(".wave/pid"), "utf8"));
    await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
  });

  it("hands the user's word to the model when a call is denied", async () => {
    service.script([
      { toolCalls: [{ name: "Write", arguments: { file_path: file("log.txt"), content: "ahoy\n" } }] },
    ]);
    await chat.send("write the log");
    const question = chat.question("Write");
    await question.waitFor();
    expect(await question.locator(".diff-line.added").allInnerTexts()).toEqual([
      expect.stringContaining("+ahoy"),
    ]);
    service.script([{ text: "As you wish." }]);
    await question.getByRole("textbox", { name: /Tell the model why/ }).fill("use the paper log");
    await chat.answer("Write", "Deny");
    await chat.entry("assistant", "As you wish.").waitFor();
    expect(existsSync(file("log.txt"))).toBe(false);
    expect(requests()[1]).toContain("use the paper log");
    await chat.toolCard("Write", "log.txt").getByText("failed").waitFor();
  });

  it("writes the rule of Always allow, says where before, and does not ask again", async () => {
    const call = { name: "Bash", arguments: { command: "echo ahoy" } };
    service.script([{ toolCalls: [call] }, { toolCalls: [call] }, { text: "Called twice." }]);
    await chat.send("call twice");
    await chat
      .question("Bash")
      .getByText("Writes the rule Bash(echo ahoy) to .wave/settings.local.json.")
      .waitFor();
    await chat.answer("Bash", "Always allow");
    await chat.entry("assistant", "Called twice.").waitFor();
    expect(JSON.parse(readFileSync(file(".wave/settings.local.json"), "utf8"))).toEqual({
      permissions: { allow: ["Bash(echo ahoy)"] },
    });
    expect(await chat.toolCard("Bash", "echo ahoy").getByText("done").count()).toBe(2);
  });

  it("opens the diff of a question in VS Code's own diff editor", async () => {
    writeFileSync(file("log.txt"), "one\n");
    service.script([
      { toolCalls: [{ name: "Read", arguments: { file_path: file("log.txt") } }] },
      {
        toolCalls: [
          { name: "Edit", arguments: { file_path: file("log.txt"), old_string: "one", new_string: "two" } },
        ],
      },
      { text: "Changed." },
    ]);
    await chat.send("change it");
    await chat.question("Edit").getByRole("button", { name: "Open diff" }).click();
    await window.workbench.page.locator(".monaco-diff-editor").waitFor();
    const sides = await window.host<string[]>(`
      const input = vscode.window.tabGroups.activeTabGroup.activeTab.input;
      const read = async (uri) => (await vscode.workspace.openTextDocument(uri)).getText();
      return [await read(input.original), await read(input.modified)]`);
    expect(sides).toEqual(["one\n", "two\n"]);
    await chat.answer("Edit", "Allow once");
    await chat.entry("assistant", "Changed.").waitFor();
    expect(readFileSync(file("log.txt"), "utf8")).toBe("two\n");
  });

  it("lists sessions by first prompt, switches between them with their own conversation and draft, and clears", async () => {
    await chat.send("about whales");
    await chat.entry("assistant", "Done.").waitFor();
    await chat.idle();
    await chat.button("New session").click();
    await chat.entry("user", "about whales").waitFor({ state: "detached" });
    await chat.send("about ports");
    await chat.entry("assistant", "Done.").waitFor();
    await chat.idle();

    await chat.composer().fill("more on ports");
    await chat.button("Sessions").click();
    const list = chat.frame.getByRole("region", { name: "Sessions" });
    await list.getByRole("button", { name: /about ports.*current/ }).waitFor();
    await list.getByRole("button", { name: "about whales" }).click();
    await chat.entry("user", "about whales").waitFor();
    expect(await chat.entry("user", "about ports").count()).toBe(0);
    expect(await chat.composer().inputValue()).toBe("");
    service.script([{ text: "They sing." }]);
    await chat.send("go on");
    await chat.entry("assistant", "They sing.").waitFor();
    expect(requests().at(-1)).toContain("about whales");
    expect(requests().at(-1)).not.toContain("about ports");

    await chat.idle();
    await chat.button("Sessions").click();
    await list.getByRole("button", { name: "about ports" }).click();
    await chat.entry("user", "about ports").waitFor();
    expect(await chat.draftWith("more on ports")).toBe("more on ports");
    await chat.composer().fill("");
    await chat.button("Clear session").click();
    await chat.entry("user", "about ports").waitFor({ state: "detached" });
    await chat.send("afresh");
    await chat.entry("assistant", "They sing.").waitFor();
    expect(requests().at(-1)).not.toMatch(/whales|ports/);
  });

  it("goes on with the turn while the view is hidden, and shows all of it when it comes back", async () => {
    mkdirSync(file(".wave"));
    service.script([
      {
        toolCalls: [{ name: "Bash", arguments: { command: "until [ -e .wave/back ]; do sleep 0.1; done" } }],
      },
      { text: "Back in port." },
    ]);
    await chat.send("sail off");
    await chat.answer("Bash", "Allow once");
    await chat.question("Bash").waitFor({ state: "detached" });
    await window.host(`await vscode.commands.executeCommand("workbench.view.explorer")`);
    await expect.poll(() => window.workbench.webviewsWith("textarea")).toBe(0);
    writeFileSync(file(".wave/back"), "");
    await expect.poll(() => requests().length, { timeout: 60_000 }).toBe(2);
    await showChat();
    await chat.entry("assistant", "Back in port.").waitFor();
    await chat.entry("user", "sail off").waitFor();
    await chat.idle();
  });

  it("resumes the session after a reload in the middle of a turn: whole conversation, draft kept, next turn works", async () => {
    await chat.send("before the storm");
    await chat.entry("assistant", "Done.").waitFor();
    await chat.idle();
    service.script([{ toolCalls: [{ name: "Bash", arguments: { command: "sleep 1000" } }] }]);
    await chat.send("sleep through it");
    await chat.answer("Bash", "Allow once");
    await chat.toolCard("Bash", "sleep 1000").waitFor();
    await chat.composer().fill("what I began to write");
    await chat.composer().blur();
    await window.workbench.reloadWindow();
    await showChat();
    await chat.entry("user", "before the storm").waitFor();
    await chat.entry("user", "sleep through it").waitFor();
    await chat.notice("warning", "in the middle of a turn").waitFor();
    await chat.toolCard("Bash", "sleep 1000").getByText("failed").waitFor();
    expect(await chat.entry("user", "sleep through it").count()).toBe(1);
    expect(await chat.draftWith("what I began to write")).toBe("what I began to write");
    service.script([{ text: "Calm again." }]);
    await chat.send("and now?");
    await chat.entry("assistant", "Calm again.").waitFor();
    expect(requests().at(-1)).toContain("before the storm");
  });

  it("shows the errors of the service with what to do about them", async () => {
    service.script([{ error: { status: 401, message: "Incorrect API key" } }]);
    await chat.send("hello");
    await chat
      .notice("error", /refused the API key \(HTTP 401\).*Wave Hooks: Set API Key.*Incorrect API key/s)
      .waitFor();
    await chat.idle();
    await configure("baseUrl", `http://127.0.0.1:${await unusedPort()}/v1`);
    try {
      await chat.send("anybody?");
      await chat.turnStatus().getByText("The model service does not answer").waitFor();
      await chat.notice("error", /Nothing answers at the model service's address.*ECONNREFUSED/s).waitFor();
      await chat.idle();
    } finally {
      await configure("baseUrl", service.baseURL);
    }
    service.script([{ text: "Here I am." }]);
    await chat.send("anybody now?");
    await chat.entry("assistant", "Here I am.").waitFor();
  });

  it("H28.3 answers with a model of VS Code's own, which calls tools", async () => {
    writeFileSync(file("notes.md"), "the tide comes at nine\n");
    await expect.poll(() => chat.picker("Model").locator("option").allInnerTexts()).toContain("Scripted One");
    await chat.picker("Model").selectOption({ label: "Scripted One" });
    const call = { id: "call1", name: "Read", input: { file_path: file("notes.md") } };
    await window.host(`model.requests.length = 0;
      model.answers.push([{ text: "Looking. " }, { toolCall: ${JSON.stringify(call)} }], [{ text: "At **nine**." }])`);
    await chat.send("When is the tide?");
    await chat.frame.locator(".item.assistant strong", { hasText: "nine" }).waitFor();
    await chat.idle();
    expect(await chat.toolCard("Read", "notes.md").getByText("done").count()).toBe(1);
    const asked = await window.host<{ messages: unknown; tools: string[] }[]>("return model.requests");
    expect(asked.length).toBe(2);
    expect(asked[0]?.tools).toEqual(expect.arrayContaining(["Read", "Edit", "Bash"]));
    expect(JSON.stringify(asked[1]?.messages)).toContain("the tide comes at nine");
    expect(requests()).toEqual([]);
  });

  async function showChat(): Promise<void> {
    await window.host(`await vscode.commands.executeCommand("waveHooks.openChat")`);
    chat = await ChatPage.find(window.workbench);
  }

  async function configure(name: string, value: string): Promise<void> {
    await window.host(
      `await vscode.workspace.getConfiguration("waveHooks").update(${JSON.stringify(name)}, ${JSON.stringify(value)}, true)`,
    );
  }

  /** Writes the project's hooks: one command for each event. */
  function hooks(commands: Record<string, string>, options: object = {}): void {
    const entries = Object.entries(commands).map(([event, command]) => [
      event,
      [{ hooks: [{ type: "command", command, ...options }] }],
    ]);
    mkdirSync(file(".wave"), { recursive: true });
    writeFileSync(file(".wave/settings.json"), JSON.stringify({ hooks: Object.fromEntries(entries) }));
  }
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A port on which nothing listens: it was free a moment ago. */
function unusedPort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
