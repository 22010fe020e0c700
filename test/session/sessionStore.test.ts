import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  assistantMessage,
  type Message,
  userMessage,
  withToolBlock,
} from "../../src/agent/messages/message.ts";
import { SessionInUseError, SessionNotFoundError } from "../../src/agent/session/session.ts";
import { SessionStore } from "../../src/agent/session/sessionStore.ts";
import { tempFolder } from "../support/tempFolder.ts";

const metadata = { workdir: "/project", createdAt: 1 };

function conversation(length: number): Message[] {
  return Array.from({ length }, (_, index) =>
    index % 2 === 0
      ? userMessage(`question ${index}`)
      : assistantMessage([{ type: "text", content: `answer ${index}` }]),
  );
}

/** What a hook does with transcript_path. */
function jqMessages(path: string): unknown {
  return JSON.parse(execFileSync("jq", ["-c", ".state.messages", path], { encoding: "utf8" }));
}

describe("session file", () => {
  it("H6.1 holds all messages and metadata, readable with jq .state.messages", async () => {
    const store = new SessionStore({ home: tempFolder() });
    const file = store.create("one", metadata);
    const messages = conversation(3);
    await file.save([], { permissionMode: "plan", cwd: "/project/sub" });
    expect(jqMessages(file.path)).toEqual([]);
    await file.save(messages);
    expect(jqMessages(file.path)).toEqual(messages);
    expect(await store.load("one")).toEqual({
      id: "one",
      metadata,
      state: { permissionMode: "plan", cwd: "/project/sub" },
      messages,
    });
    await file.close();
  });

  it("H6.2 is whole after every change: longer, shorter, in the middle, fewer messages", async () => {
    const store = new SessionStore({ home: tempFolder() });
    const file = store.create("one", metadata);
    const first = conversation(4);
    const text = (content: string): Message => assistantMessage([{ type: "text", content }]);
    const steps: Message[][] = [
      first,
      [...first, text("x")],
      [...first, text("a much longer text than before, with 汉字 and 🎉 and \u2028 in it")],
      [...first, text("short")],
      [text("zero"), ...first.slice(1)],
      first.slice(0, 1),
      [],
      first,
      [...first, text(`lone \ud800 surrogate, "quotes" and \n line breaks`)],
    ];
    for (const messages of steps) {
      await file.save(messages);
      expect(JSON.parse(readFileSync(file.path, "utf8")).state.messages).toEqual(messages);
      expect(readFileSync(file.path, "utf8")).toMatch(/}\n$/);
    }
    await file.close();
  });

  it("saves the messages of the moment of the call, one save after another", async () => {
    const store = new SessionStore({ home: tempFolder() });
    const file = store.create("one", metadata);
    const messages: Message[] = [];
    const saves = conversation(20).map((message) => {
      messages.push(message);
      return file.save(messages);
    });
    messages.length = 0;
    await Promise.all(saves);
    expect((await store.load("one")).messages).toHaveLength(20);
    await file.close();
  });

  it("is written anew when somebody deleted or changed it meanwhile", async () => {
    const store = new SessionStore({ home: tempFolder() });
    const file = store.create("one", metadata);
    const messages = conversation(2);
    await file.save(messages);
    rmSync(file.path);
    await file.save(messages);
    expect(jqMessages(file.path)).toEqual(messages);
    writeFileSync(file.path, "x");
    await file.save([...messages, userMessage("more")]);
    expect(jqMessages(file.path)).toHaveLength(3);
    await file.close();
  });

  it("belongs to its user alone, and so does its folder", async () => {
    const home = tempFolder();
    const file = new SessionStore({ home }).create("one", metadata);
    await file.save(conversation(1));
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, ".wave", "sessions")).mode & 0o777).toBe(0o700);
    await file.close();
  });

  it("never holds a credential", async () => {
    const store = new SessionStore({
      home: tempFolder(),
      redact: (line) => line.replaceAll("sk-secret", "***"),
    });
    const file = store.create("one", metadata);
    await file.save([userMessage("my key is sk-secret")]);
    expect(readFileSync(file.path, "utf8")).not.toContain("sk-secret");
    await file.close();
  });

  it("leaves nothing but the document when it is closed", async () => {
    const home = tempFolder();
    const file = new SessionStore({ home }).create("one", metadata);
    const [user, assistant] = conversation(2) as [Message, Message];
    await file.save([user, assistant]);
    await file.save([user, { ...assistant, blocks: [{ type: "text", content: "changed" }] }]);
    await file.close();
    await file.close();
    expect(execFileSync("ls", ["-A", join(home, ".wave", "sessions")], { encoding: "utf8" })).toBe(
      "session_one.json\n",
    );
  });

  it("keeps a subagent's conversation in a file of its own, which is not listed", async () => {
    const store = new SessionStore({ home: tempFolder() });
    const main = store.create("one", metadata);
    await main.save(conversation(1));
    const subagent = store.create("one", { ...metadata, agentId: "a1", agentType: "Explore" });
    await subagent.save(conversation(2));
    expect(subagent.path).toMatch(/session_one\.subagent_a1\.json$/);
    expect(jqMessages(subagent.path)).toHaveLength(2);
    expect(await store.list()).toHaveLength(1);
    await Promise.all([main.close(), subagent.close()]);
  });
});

describe("opening a session", () => {
  async function stored(home: string, id: string, messages: readonly Message[]): Promise<string> {
    const file = new SessionStore({ home }).create(id, metadata);
    await file.save(messages);
    await file.close();
    return file.path;
  }

  it("goes on in the same file", async () => {
    const home = tempFolder();
    const path = await stored(home, "one", conversation(3));
    const store = new SessionStore({ home });
    const { session, file } = await store.open("one");
    const inode = statSync(path).ino;
    await file.save([...session.messages, userMessage("more")]);
    expect(jqMessages(path)).toEqual([...session.messages, expect.objectContaining({ role: "user" })]);
    expect(statSync(path).ino).toBe(inode);
    await file.close();
  });

  it("reads a file that a tool has reformatted", async () => {
    const home = tempFolder();
    const path = await stored(home, "one", conversation(3));
    writeFileSync(path, execFileSync("jq", [".", path]));
    const { session, file } = await new SessionStore({ home }).open("one");
    expect(session.messages).toHaveLength(3);
    await file.save([...session.messages, userMessage("more")]);
    expect(jqMessages(path)).toHaveLength(4);
    await file.close();
  });

  it("ends tool calls that were running when the process died", async () => {
    const home = tempFolder();
    const tool = {
      type: "tool" as const,
      id: "t1",
      name: "Bash",
      parameters: { command: "sleep 100" },
      result: "",
      success: false,
      stage: "running" as const,
    };
    await stored(home, "one", [assistantMessage([tool])]);
    const { session, file } = await new SessionStore({ home }).open("one");
    expect(session.messages[0]?.blocks[0]).toMatchObject({
      stage: "end",
      success: false,
      error: /interrupted/,
    });
    await file.save(session.messages);
    expect((await new SessionStore({ home }).load("one")).messages).toEqual(session.messages);
    await file.close();
    expect(withToolBlock(session.messages[0] as Message, "other", {})).toBe(session.messages[0]);
  });

  it.each([
    ["missing", undefined],
    ["empty", ""],
    ["no JSON", "not json"],
    ["cut in its first line", '{"version":1,"id":"bad","meta'],
    ["other JSON", '{"state":{"messages":[]}}'],
    [
      "of a later version",
      '{"version":2,"id":"bad","metadata":{"workdir":"/","createdAt":1},"state":{"messages":[]}}',
    ],
    [
      "another session's",
      '{"version":1,"id":"good","metadata":{"workdir":"/","createdAt":1},"state":{"messages":[]}}',
    ],
    [
      "holding what is no message",
      '{"version":1,"id":"bad","metadata":{"workdir":"/","createdAt":1},"state":{"messages":[{"id":"x"}]}}',
    ],
  ])("SE6 a file that is %s: Session not found, nothing changed", async (_, text) => {
    const home = tempFolder();
    const store = new SessionStore({ home });
    const path = store.transcriptPath("bad");
    mkdirSync(join(home, ".wave", "sessions"), { recursive: true });
    if (text !== undefined) writeFileSync(path, text);
    const before = execFileSync("ls", ["-lA", "--full-time", join(home, ".wave", "sessions")], {
      encoding: "utf8",
    });
    await expect(store.open("bad")).rejects.toThrow(SessionNotFoundError);
    await expect(store.load("bad")).rejects.toThrow("Session not found: bad");
    const after = execFileSync("ls", ["-lA", "--full-time", join(home, ".wave", "sessions")], {
      encoding: "utf8",
    });
    expect(after).toBe(before);
  });

  it("SE6 damage in the middle is no crash of ours: Session not found", async () => {
    const home = tempFolder();
    const path = await stored(home, "one", conversation(6));
    const lines = readFileSync(path, "utf8").split("\n");
    lines[3] = lines[3]?.slice(0, 20) ?? "";
    writeFileSync(path, lines.join("\n"));
    await expect(new SessionStore({ home }).open("one")).rejects.toThrow("Session not found: one");
  });

  it.each(["../one", "a/b", "", ".", "a b", "one.subagent_x", "x".repeat(200), "\0"])(
    "refuses the id %j",
    async (id) => {
      const home = tempFolder();
      mkdirSync(join(home, ".wave", "sessions"), { recursive: true });
      const store = new SessionStore({ home });
      await expect(store.open(id)).rejects.toThrow(SessionNotFoundError);
      expect(() => store.create(id, metadata)).toThrow(RangeError);
    },
  );

  it("a second holder is told who has the session, until the first lets go", async () => {
    const home = tempFolder();
    const store = new SessionStore({ home });
    const file = store.create("one", metadata);
    await file.save(conversation(1));
    await expect(new SessionStore({ home }).open("one")).rejects.toThrow(SessionInUseError);
    await expect(store.remove("one")).rejects.toThrow(/open in another window or process/);
    await file.close();
    const again = await store.open("one");
    await again.file.close();
    await store.remove("one");
    await expect(store.load("one")).rejects.toThrow(SessionNotFoundError);
  });
});

describe("the list of sessions", () => {
  it("shows first prompt and time, the last saved first, without reading whole files", async () => {
    const home = tempFolder();
    let time = 1000;
    const store = new SessionStore({ home, now: () => time++ });
    for (const id of ["a", "b", "c"]) {
      const file = store.create(id, { workdir: id === "c" ? "/other" : "/project", createdAt: 1 });
      await file.save([
        userMessage("hook context", { isMeta: true }),
        userMessage(`  first\nof ${id} `),
        ...conversation(4),
      ]);
      await file.close();
    }
    // A middle that is no JSON shows that only the ends are read.
    const path = store.transcriptPath("a");
    const lines = readFileSync(path, "utf8").split("\n");
    lines[4] = "x".repeat(100_000);
    writeFileSync(path, lines.join("\n"));
    writeFileSync(join(home, ".wave", "sessions", "session_junk.json"), "junk");
    renameSync(store.transcriptPath("c"), join(home, ".wave", "sessions", "session_d.json"));
    expect(await store.list({ workdir: "/project" })).toEqual([
      { id: "b", workdir: "/project", firstPrompt: "first of b", updatedAt: expect.any(Number) },
      { id: "a", workdir: "/project", firstPrompt: "first of a", updatedAt: expect.any(Number) },
    ]);
    expect(await store.list({ limit: 1 })).toHaveLength(1);
    expect(await new SessionStore({ home: tempFolder() }).list()).toEqual([]);
  });
});
