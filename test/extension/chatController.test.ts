import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hooksFor, until } from "../support/agentWorld.ts";
import { ChatWorld } from "../support/chatWorld.ts";

const isIdle = ({ state }: { state: { status: { state: string } } | undefined }) =>
  state?.status.state === "idle";

describe("the chat on the agent", () => {
  it("H28.3 sends what the user wrote as an ordinary message and shows the answer", async () => {
    const chat = await ChatWorld.open([{ text: "Hello." }]);
    const { page, say } = chat.window();
    expect(page.state).toMatchObject({ sessionId: "", trusted: true, modelId: "service" });
    say({ type: "send", text: "/settings set up a hook" });
    await page.until((p) => p.texts.length === 2 && isIdle(p));
    expect(page.texts).toEqual(["user: /settings set up a hook", "assistant: Hello."]);
    expect(page.state?.sessionId).toMatch(/\w/);
    expect(chat.unseen).toEqual(["The answer is finished."]);
  });

  it("E15 sends a text that begins with /settings to the model as it is", async () => {
    const chat = await ChatWorld.open();
    const { page, say } = chat.window();
    say({ type: "send", text: "/settings hooks" });
    await page.until((p) => p.texts.length === 2);
    expect(JSON.stringify(chat.world.service.requests[0]?.messages.at(-1))).toContain("/settings hooks");
  });

  it("H13.2 H14.3 shows no message of a hook, and notices in their place", async () => {
    const chat = await ChatWorld.open([{ text: "Done." }]);
    const { page, say } = chat.window({
      hooks: {
        ...hooksFor("UserPromptSubmit", "echo context"),
        ...hooksFor("Stop", `echo '{"systemMessage": "Tests passed"}'`),
      },
    });
    say({ type: "send", text: "go" });
    await page.until((p) => p.texts.length === 2 && isIdle(p));
    expect(page.texts).toEqual(["user: go", "assistant: Done. [info] Tests passed"]);
  });

  it("asks for permission with the change, and goes on as the user answers", async () => {
    const chat = await ChatWorld.open();
    const file = path.join(chat.world.project, "a.txt");
    chat.world.service.script([
      { toolCalls: [{ id: "w1", name: "Write", arguments: { file_path: file, content: "new\n" } }] },
      { text: "Written." },
    ]);
    const { page, say } = chat.window();
    say({ type: "send", text: "write it" });
    await page.until(({ state }) => state?.questions.length === 1);
    const [question] = page.state?.questions ?? [];
    expect(question).toMatchObject({ toolName: "Write", file, summary: file });
    expect(question?.diff).toContain("+new");
    expect(chat.unseen).toEqual(["Write needs your permission."]);
    expect(existsSync(file)).toBe(false);
    say({ type: "openDiff", toolId: question?.id ?? "" });
    say({ type: "answer", id: question?.id ?? "", answer: "allow" });
    await page.until((p) => p.texts.at(-1) === "assistant: Written." && isIdle(p));
    expect(readFileSync(file, "utf8")).toBe("new\n");
    expect(page.state?.questions).toEqual([]);
    const card = page.messages[1]?.blocks.find((block) => block.type === "tool");
    expect(card).toMatchObject({ tool: { state: "done", file, summary: "a.txt" } });
    say({ type: "openDiff", toolId: "w1" });
    say({ type: "openFile", file });
    say({ type: "openFile", file: "/etc/passwd" });
    await page.until(() => chat.opened.length === 3);
    expect(chat.opened).toEqual([`pending ${file}`, `done ${file}`, file]);
    expect(chat.logged).toEqual(["The chat asked for a file that it does not show; it was not opened."]);
  });

  it("writes the rule of allow always beside the comments of the local settings", async () => {
    const chat = await ChatWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "echo one" } }] },
      { toolCalls: [{ name: "Bash", arguments: { command: "echo one" } }] },
      { text: "Done." },
    ]);
    const settings = chat.world.write(".wave/settings.local.json", '{\n  // mine\n  "permissions": {}\n}\n');
    const { page, say } = chat.window();
    say({ type: "send", text: "go" });
    await page.until(({ state }) => state?.questions.length === 1);
    const [question] = page.state?.questions ?? [];
    expect(question?.always).toEqual({ rule: "Bash(echo one)", fileLabel: ".wave/settings.local.json" });
    say({ type: "answer", id: question?.id ?? "", answer: "always" });
    await page.until((p) => p.texts.at(-1) === "assistant: Done." && isIdle(p));
    expect(readFileSync(settings, "utf8")).toContain("// mine");
    expect(readFileSync(settings, "utf8")).toContain('"Bash(echo one)"');
  });

  it("H28.3 shows the diff for a change of hook configuration and offers no always, whatever the mode", async () => {
    const chat = await ChatWorld.open();
    const file = path.join(chat.world.project, ".wave", "settings.json");
    chat.world.service.script([
      { toolCalls: [{ name: "Write", arguments: { file_path: file, content: "{}\n" } }] },
      { text: "Done." },
    ]);
    const { page, say } = chat.window();
    say({ type: "setMode", mode: "acceptEdits" });
    say({ type: "send", text: "go" });
    await page.until(({ state }) => state?.questions.length === 1);
    const [question] = page.state?.questions ?? [];
    expect(question?.diff).toContain("+{}");
    expect(question).not.toHaveProperty("always");
    expect(question?.reason).toBeTruthy();
    say({ type: "answer", id: question?.id ?? "", answer: "deny", message: "leave it" });
    await page.until((p) => p.texts.at(-1) === "assistant: Done." && isIdle(p));
    expect(existsSync(file)).toBe(false);
    expect(JSON.stringify(chat.world.service.requests.at(-1)?.messages)).toContain("leave it");
  });

  it("H26.1 queues what is sent during a turn, and takes it out again", async () => {
    const chat = await ChatWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "ask" } }] },
      { text: "First." },
      { text: "Second." },
    ]);
    const { page, say } = chat.window();
    say({ type: "send", text: "one" });
    await page.until(({ state }) => state?.questions.length === 1);
    say({ type: "send", text: "two" });
    say({ type: "send", text: "three" });
    await page.until(({ state }) => state?.queue.length === 2);
    expect(page.state?.queue.map(({ text }) => text)).toEqual(["two", "three"]);
    say({ type: "unqueue", id: page.state?.queue[1]?.id ?? "" });
    await page.until(({ state }) => state?.queue.length === 1);
    say({ type: "answer", id: page.state?.questions[0]?.id ?? "", answer: "deny" });
    await page.until((p) => p.texts.at(-1) === "assistant: Second." && isIdle(p));
    expect(page.texts.filter((text) => text.startsWith("user"))).toEqual(["user: one", "user: two"]);
  });

  it("stops the turn at once; a question of it is void", async () => {
    const chat = await ChatWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "sleep 100" } }] },
    ]);
    const { page, say } = chat.window();
    say({ type: "send", text: "wait" });
    await page.until(({ state }) => state?.questions.length === 1);
    expect(page.state?.status).toMatchObject({
      state: "running",
      activity: "Waiting for your permission for Bash",
    });
    say({ type: "stop" });
    await page.until(isIdle);
    await page.until(({ state }) => state?.questions.length === 0);
  });

  it("says that no model is set up, and keeps what was written in sight", async () => {
    const chat = await ChatWorld.open();
    chat.modelId = undefined;
    const { page, say } = chat.window();
    expect(page.state).not.toHaveProperty("modelId");
    say({ type: "send", text: "hello" });
    await page.until((p) => p.texts.length === 2);
    expect(page.texts).toEqual([
      "user: hello",
      "assistant: [warning] No model is set up yet, so nobody can answer. Choose one first.",
    ]);
    chat.modelId = "service";
    say({ type: "send", text: "again" });
    await page.until((p) => p.texts.length === 4);
    expect(page.texts.slice(2)).toEqual(["user: again", "assistant: Done."]);
  });

  it("runs no turn in an untrusted workspace and says why", async () => {
    const chat = await ChatWorld.open();
    chat.trusted = false;
    const { controller, page, say } = chat.window();
    say({ type: "send", text: "hello" });
    await page.until((p) => p.texts.length === 2);
    expect(page.texts[1]).toContain("not trusted");
    expect(chat.world.service.requests).toEqual([]);
    expect(controller.agent).toBeUndefined();
    chat.trusted = true;
    controller.refresh();
    await page.until(({ state }) => state?.trusted);
    say({ type: "send", text: "hello" });
    await page.until((p) => p.texts.at(-1) === "assistant: Done.");
  });

  it("says what a failed start was, and lets the user try again", async () => {
    const chat = await ChatWorld.open();
    const { page, say } = chat.window({ workdir: "/does/not/exist" });
    say({ type: "send", text: "hello" });
    await page.until((p) => p.texts.length === 2);
    expect(page.texts[1]).toContain("[error] The project folder /does/not/exist does not exist.");
  });

  it("H6.1 resumes the session in a reloaded window, and says that a turn was cut off", async () => {
    const chat = await ChatWorld.open([
      { text: "First." },
      { toolCalls: [{ name: "Bash", arguments: { command: "sleep 100" } }] },
    ]);
    const before = chat.window();
    before.say({ type: "send", text: "one" });
    await before.page.until((p) => p.texts.length === 2 && isIdle(p));
    before.say({ type: "send", text: "two" });
    await before.page.until(({ state }) => state?.questions.length === 1);
    const { sessionId } = before.page.state ?? {};
    await before.controller.end();
    const { page } = chat.window();
    expect(page.state?.sessionId).toBe(sessionId);
    await page.until((p) => p.texts.some((text) => text.includes("was interrupted")));
    expect(page.texts.slice(0, 3)).toEqual(["user: one", "assistant: First.", "user: two"]);
    expect(page.state?.status.state).toBe("idle");
    expect(JSON.stringify(page.messages)).not.toContain('"running"');
  });

  it("lists sessions by their first prompt, switches between them with their hooks, and begins new ones", async () => {
    const chat = await ChatWorld.open([{ text: "Hi." }]);
    const { page, say } = chat.window({
      hooks: hooksFor("SessionStart", 'cat >> "$WAVE_PROJECT_DIR/starts"'),
    });
    say({ type: "send", text: "first session" });
    await page.until((p) => p.texts.length === 2 && isIdle(p));
    const first = page.state?.sessionId ?? "";
    say({ type: "newSession" });
    await page.until((p) => p.state?.sessionId === "" && p.texts.length === 0);
    say({ type: "send", text: "second session" });
    await page.until((p) => p.texts.length === 2 && isIdle(p));
    say({ type: "listSessions", open: true });
    await page.until(({ state }) => state?.sessions?.length === 2);
    expect(page.state?.sessions?.map(({ title }) => title).sort()).toEqual([
      "first session",
      "second session",
    ]);
    say({ type: "switchSession", id: first });
    await page.until((p) => p.state?.sessionId === first && p.texts[0] === "user: first session");
    say({ type: "clearSession" });
    await page.until((p) => p.state?.sessionId !== first && p.texts.length === 0);
    say({ type: "listSessions", open: false });
    await page.until(({ state }) => state?.sessions === undefined);
    await until(() => chat.world.read("starts").includes('"clear"'));
    const sources = [...chat.world.read("starts").matchAll(/"source":\s*"(\w+)"/g)].map(
      ([, source]) => source,
    );
    expect(sources).toEqual(["startup", "startup", "resume", "clear"]);
  });

  it("keeps a draft by session, and takes it away when it is sent", async () => {
    const chat = await ChatWorld.open();
    const { controller, page, say } = chat.window();
    say({ type: "draft", sessionId: "", text: "half a thou" });
    expect(controller.everything().draft).toBe("half a thou");
    say({ type: "send", text: "half a thought" });
    await page.until((p) => p.texts.length === 2 && isIdle(p));
    expect(controller.everything().draft).toBe("");
    say({ type: "draft", sessionId: page.state?.sessionId ?? "", text: "more" });
    expect(chat.window().page.draft).toBe("more");
  });

  it("H24.2 shows how often Stop hooks have continued the turn", async () => {
    const chat = await ChatWorld.open([{ text: "Done." }]);
    const counter = `n=$(cat n 2>/dev/null || echo 0); echo $((n+1)) > n; [ $n -lt 2 ] && { echo again >&2; exit 2; }; exit 0`;
    const { page, say } = chat.window({ hooks: hooksFor("Stop", counter) });
    let most = 0;
    const seen = page.until(({ state }) => {
      most = Math.max(most, state?.status.stopContinuations ?? 0);
      return most === 2;
    });
    say({ type: "send", text: "go" });
    await seen;
    await page.until(isIdle);
    expect(page.texts.filter((text) => text.startsWith("user"))).toEqual(["user: go"]);
  });

  it("finds files for a mention", async () => {
    const chat = await ChatWorld.open();
    const { page, say } = chat.window();
    say({ type: "findFiles", query: "main" });
    await page.until(({ files }) => files.length > 0);
    expect(page.files).toEqual(["main.ts"]);
  });
});
