import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Agent } from "../../src/agent/agent.ts";
import { userMessage } from "../../src/agent/messages/message.ts";
import { SessionStore } from "../../src/agent/session/sessionStore.ts";
import { AgentWorld, hooksFor, metaTexts, notices, recordTo, textIn } from "../support/agentWorld.ts";
import { canMountTmpfs, mountTmpfs, resizeTmpfs } from "../support/tmpfs.ts";

const context = (text: string): string =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text } })}'`;

/** A stored session of the world's project, and its id. */
async function storedSession(world: AgentWorld, prompt = "remember this"): Promise<string> {
  const agent = await world.agent();
  await agent.sendMessage(prompt);
  await agent.destroy();
  return agent.sessionId;
}

function spied(agent: Agent) {
  return {
    end: vi.spyOn(agent.hookManager, "executeSessionEndHooks"),
    start: vi.spyOn(agent.hookManager, "executeSessionStartHooks"),
  };
}

const lifecycleHooks = {
  ...hooksFor("SessionStart", recordTo("events.jsonl")),
  ...hooksFor("SessionEnd", recordTo("events.jsonl")),
};

it("a session that was just cleared can be restored at once, after its SessionEnd hooks", async () => {
  const world = await AgentWorld.open([{ text: "Done." }]);
  world.settings({
    hooks: { SessionEnd: [{ hooks: [{ type: "command", command: "sleep 0.3; echo ended >> order" }] }] },
  });
  const agent = await world.agent();
  await agent.sendMessage("hi");
  const id = agent.sessionId;
  await agent.clearMessages();
  await agent.restoreSession(id);
  expect(agent.sessionId).toBe(id);
  expect(world.read("order")).toBe("ended\nended\n");
});

describe("restoreSession", () => {
  it("S1.1 S4.2 V7 V11 SessionEnd(resume) of the current session, then SessionStart(resume) of the other, once each at every switch", async () => {
    const world = await AgentWorld.open();
    const target = await storedSession(world);
    world.settings({ hooks: lifecycleHooks });
    const agent = await world.agent();
    await agent.sendMessage("hello");
    const first = { id: agent.sessionId, path: agent.transcriptPath };
    const { end, start } = spied(agent);
    await agent.restoreSession(target);
    const second = { id: agent.sessionId, path: agent.transcriptPath };
    expect(second.id).toBe(target);
    expect(end.mock.calls).toEqual([["resume", first.id, first.path]]);
    expect(start.mock.calls).toEqual([["resume", second.id, second.path]]);
    expect(end.mock.invocationCallOrder[0]).toBeLessThan(start.mock.invocationCallOrder[0] ?? 0);
    await agent.restoreSession(first.id);
    await agent.restoreSession(target);
    const seen = world
      .records("events.jsonl")
      .map((record) => [
        record.hook_event_name,
        record.end_source ?? record.source,
        record.session_id,
        record.transcript_path,
      ]);
    expect(seen).toEqual([
      ["SessionStart", "startup", first.id, first.path],
      ["SessionEnd", "resume", first.id, first.path],
      ["SessionStart", "resume", second.id, second.path],
      ["SessionEnd", "resume", second.id, second.path],
      ["SessionStart", "resume", first.id, first.path],
      ["SessionEnd", "resume", first.id, first.path],
      ["SessionStart", "resume", second.id, second.path],
    ]);
  });

  it("S1.2 SE1 V10 an empty id and the current one do nothing and run no hook", async () => {
    const world = await AgentWorld.open();
    world.settings({ hooks: lifecycleHooks });
    const agent = await world.agent();
    await agent.sendMessage("hello");
    const { end, start } = spied(agent);
    const before = [...agent.messages];
    await agent.restoreSession("");
    await agent.restoreSession(agent.sessionId);
    expect(end).not.toHaveBeenCalled();
    expect(start).not.toHaveBeenCalled();
    expect(agent.messages).toEqual(before);
    expect(world.records("events.jsonl")).toHaveLength(1);
  });

  it("S1.3 the current session is saved first, before its SessionEnd hooks are told its path", async () => {
    const world = await AgentWorld.open();
    const target = await storedSession(world);
    world.settings({
      hooks: hooksFor(
        "SessionEnd",
        `jq -c '.state.messages | length' "$(jq -r .transcript_path)" >> "$WAVE_PROJECT_DIR/length"`,
      ),
    });
    const agent = await world.agent();
    const old = agent.sessionId;
    await agent.sendMessage("unsaved so far");
    const count = agent.messages.length;
    await agent.restoreSession(target);
    expect(world.read("length").trim()).toBe(String(count));
    await agent.restoreSession(old);
    expect(agent.messages.map(textIn)).toEqual(["unsaved so far", "Done."]);
  });

  it("S1.3 a save that fails is a warning; the switch goes on", async () => {
    const world = await AgentWorld.open();
    const target = await storedSession(world);
    world.settings({ hooks: lifecycleHooks });
    const agent = await world.agent();
    await agent.sendMessage("hello");
    // A folder where the file should be: from now on nothing can be saved there.
    execFileSync("rm", [agent.transcriptPath]);
    mkdirSync(join(agent.transcriptPath, "x"), { recursive: true });
    const unsaved = agent.sendMessage("cannot be saved");
    await unsaved;
    await agent.restoreSession(target);
    expect(agent.sessionId).toBe(target);
    expect(world.logger.at("warn").join("\n")).toMatch(/could not be saved/);
    expect(world.records("events.jsonl").map((record) => record.hook_event_name)).toEqual([
      "SessionStart",
      "SessionEnd",
      "SessionStart",
    ]);
  });

  it.each([
    ["missing", undefined],
    ["damaged", '{"version":1,"id":"gone","state":{"mess'],
    ["no session at all", "hello"],
  ])("S1.4 SE6 a target that is %s: Session not found, no hook, nothing changed", async (_, content) => {
    const world = await AgentWorld.open();
    world.settings({ hooks: lifecycleHooks });
    const agent = await world.agent();
    await agent.sendMessage("hello");
    if (content !== undefined)
      writeFileSync(join(dirname(agent.transcriptPath), "session_gone.json"), content);
    const { end, start } = spied(agent);
    const before = {
      id: agent.sessionId,
      messages: [...agent.messages],
      file: readFileSync(agent.transcriptPath, "utf8"),
    };
    await expect(agent.restoreSession("gone")).rejects.toThrow("Session not found: gone");
    await expect(agent.restoreSession("../../etc/passwd")).rejects.toThrow("Session not found");
    expect({
      id: agent.sessionId,
      messages: [...agent.messages],
      file: readFileSync(agent.transcriptPath, "utf8"),
    }).toEqual(before);
    expect(end).not.toHaveBeenCalled();
    expect(start).not.toHaveBeenCalled();
    expect(world.records("events.jsonl")).toHaveLength(1);
    await agent.sendMessage("and it goes on");
    expect(agent.messages.length).toBeGreaterThan(before.messages.length);
  });

  it("S1.4 a session that is open elsewhere: says so, nothing changed", async () => {
    const world = await AgentWorld.open();
    const other = await world.agent();
    await other.sendMessage("mine");
    const agent = await world.agent();
    const id = agent.sessionId;
    await expect(agent.restoreSession(other.sessionId)).rejects.toThrow(
      /is open in another window or process/,
    );
    expect(agent.sessionId).toBe(id);
  });

  it("S1.5 S2.3 SE2 SE3 hooks that fail: warnings, nothing injected, the session is usable", async () => {
    const world = await AgentWorld.open();
    const target = await storedSession(world);
    world.settings({
      hooks: {
        ...hooksFor("SessionEnd", "echo end broke >&2; exit 3"),
        ...hooksFor("SessionStart", "no-such-command-at-all", "echo start broke >&2; exit 2"),
      },
    });
    const agent = await world.agent();
    await agent.restoreSession(target);
    expect(agent.sessionId).toBe(target);
    expect(metaTexts(agent.messages)).toEqual([]);
    expect(world.logger.at("warn").join("\n")).toMatch(/end broke[\s\S]*no-such-command-at-all/);
    await agent.sendMessage("still there?");
    expect(agent.messages.map(textIn)).toContain("still there?");
  });

  it("S2.1 V8 SE5 additionalContext stands last, as an isMeta user message in a system-reminder, and is saved", async () => {
    const world = await AgentWorld.open();
    const target = await storedSession(world);
    world.settings({ hooks: hooksFor("SessionStart", context("you are on branch main")) });
    const agent = await world.agent();
    await agent.restoreSession(target);
    const last = agent.messages.at(-1);
    expect(last).toMatchObject({ role: "user", isMeta: true });
    expect(last?.blocks[0]).toMatchObject({
      type: "text",
      content: expect.stringMatching(
        /^<system-reminder>[\s\S]*you are on branch main[\s\S]*<\/system-reminder>$/,
      ),
    });
    expect(agent.messages.slice(0, -1).map(textIn)).toEqual(["remember this", "Done."]);
    await agent.sendMessage("go on");
    const saved = JSON.parse(readFileSync(agent.transcriptPath, "utf8")).state.messages;
    expect(saved).toEqual(agent.messages);
    expect(JSON.stringify(world.service.requests.at(-1)?.messages)).toContain("you are on branch main");
  });

  const silentHooks = [
    ["no additionalContext", "echo plain text"],
    ["an empty additionalContext", context("")],
  ];
  it.each(silentHooks)("S2.2 SE4 %s injects nothing", async (_, command) => {
    const world = await AgentWorld.open();
    const target = await storedSession(world);
    world.settings({ hooks: hooksFor("SessionStart", command) });
    const agent = await world.agent();
    await agent.restoreSession(target);
    expect(agent.messages.map(textIn)).toEqual(["remember this", "Done."]);
  });
});

describe("restoring at start-up", () => {
  it("S3.1 V9 SessionStart with source startup and the restored session's id, no SessionEnd; its context is kept", async () => {
    const world = await AgentWorld.open();
    const target = await storedSession(world);
    world.settings({
      hooks: {
        ...lifecycleHooks,
        ...hooksFor("SessionStart", recordTo("events.jsonl"), context("from the start")),
      },
    });
    const agent = await world.agent({ restoreSessionId: target });
    expect(agent.sessionId).toBe(target);
    expect(world.records("events.jsonl")).toMatchObject([
      {
        hook_event_name: "SessionStart",
        source: "startup",
        session_id: target,
        transcript_path: agent.transcriptPath,
      },
    ]);
    expect(agent.messages.map(textIn).slice(0, 2)).toEqual(["remember this", "Done."]);
    expect(metaTexts(agent.messages).join()).toContain("from the start");
    expect(metaTexts(agent.messages)).toHaveLength(1);
  });

  it("S3.2 S4.1 start-up restore and a switch run SessionStart twice: startup, then resume, each with its own session", async () => {
    const world = await AgentWorld.open();
    const [one, two] = [await storedSession(world, "one"), await storedSession(world, "two")];
    world.settings({ hooks: lifecycleHooks });
    const agent = await world.agent({ restoreSessionId: one });
    const onePath = agent.transcriptPath;
    await agent.restoreSession(two);
    expect(world.records("events.jsonl")).toMatchObject([
      { hook_event_name: "SessionStart", source: "startup", session_id: one, transcript_path: onePath },
      { hook_event_name: "SessionEnd", end_source: "resume", session_id: one, transcript_path: onePath },
      {
        hook_event_name: "SessionStart",
        source: "resume",
        session_id: two,
        transcript_path: agent.transcriptPath,
      },
    ]);
    expect(world.records("events.jsonl")).toHaveLength(3);
  });

  it("a session that is missing: Session not found, no hook has run, nothing is left open", async () => {
    const world = await AgentWorld.open();
    world.settings({ hooks: lifecycleHooks });
    await expect(world.agent({ restoreSessionId: "nowhere" })).rejects.toThrow("Session not found: nowhere");
    expect(world.records("events.jsonl")).toEqual([]);
    expect(existsSync(join(world.home, ".wave", "sessions", "session_nowhere.json"))).toBe(false);
  });
});

describe("clear and destroy", () => {
  it("clearMessages: SessionEnd(clear) of the old session, SessionStart(clear) of a new, empty one; the old stays", async () => {
    const world = await AgentWorld.open();
    world.settings({ hooks: lifecycleHooks });
    const agent = await world.agent();
    await agent.sendMessage("hello");
    const old = { id: agent.sessionId, path: agent.transcriptPath };
    await agent.clearMessages();
    expect(agent.sessionId).not.toBe(old.id);
    expect(agent.messages).toEqual([]);
    const id = agent.sessionId;
    await agent.destroy();
    const events = world.records("events.jsonl");
    expect(events).toHaveLength(4);
    expect(events).toContainEqual(
      expect.objectContaining({
        hook_event_name: "SessionEnd",
        end_source: "clear",
        session_id: old.id,
        transcript_path: old.path,
      }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ hook_event_name: "SessionStart", source: "clear", session_id: id }),
    );
    expect(events.at(-1)).toMatchObject({
      hook_event_name: "SessionEnd",
      end_source: "other",
      session_id: id,
    });
    const again = await world.agent({ restoreSessionId: old.id });
    expect(again.messages.map(textIn)).toEqual(["hello", "Done."]);
  });

  it("a SessionEnd hook that takes its time does not hold the new session up", async () => {
    const world = await AgentWorld.open();
    world.settings({ hooks: hooksFor("SessionEnd", 'sleep 2; touch "$WAVE_PROJECT_DIR/ended"') });
    const agent = await world.agent();
    await agent.sendMessage("hello");
    await agent.clearMessages();
    expect(world.has("ended")).toBe(false);
    await agent.sendMessage("in the new session");
    expect(agent.messages.map(textIn)).toEqual(["in the new session", "Done."]);
    await agent.destroy();
    expect(world.has("ended")).toBe(true);
  });
});

describe("the transcript that hooks are told", () => {
  const events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"];
  const recordTranscript = `input=$(cat); path=$(printf %s "$input" | jq -r .transcript_path); jq -c --arg event "$(printf %s "$input" | jq -r .hook_event_name)" '{event: $event, count: (.state.messages | length), texts: [.state.messages[].blocks[] | .content // .name]}' "$path" >> "$WAVE_PROJECT_DIR/seen.jsonl"`;

  it("H6.1 H6.2 H8.1 H8.2 exists, is whole and holds all that came before, at every event", async () => {
    const world = await AgentWorld.open([
      { text: "I will look.", toolCalls: [{ name: "Bash", arguments: { command: "echo hi" } }] },
      { text: "All done." },
    ]);
    world.settings({ hooks: Object.assign({}, ...events.map((event) => hooksFor(event, recordTranscript))) });
    const agent = await world.agent();
    await agent.sendMessage("please look");
    await agent.destroy();
    expect(world.records("seen.jsonl")).toEqual([
      { event: "SessionStart", count: 0, texts: [] },
      { event: "UserPromptSubmit", count: 0, texts: [] },
      { event: "PreToolUse", count: 2, texts: ["please look", "I will look.", "Bash"] },
      { event: "PostToolUse", count: 2, texts: ["please look", "I will look.", "Bash"] },
      { event: "Stop", count: 3, texts: ["please look", "I will look.", "Bash", "All done."] },
      { event: "SessionEnd", count: 3, texts: ["please look", "I will look.", "Bash", "All done."] },
    ]);
  });

  it("H6.2 in a long session, too", async () => {
    const world = await AgentWorld.open();
    const file = new SessionStore({ home: world.home }).create("long", {
      workdir: world.project,
      createdAt: 1,
    });
    await file.save(Array.from({ length: 2000 }, (_, index) => userMessage(`message ${index}`)));
    await file.close();
    const agent = await world.agent({ restoreSessionId: "long", hooks: hooksFor("Stop", recordTranscript) });
    await agent.sendMessage("one more");
    expect(world.records("seen.jsonl")).toEqual([
      { event: "Stop", count: 2002, texts: agent.messages.map(textIn) },
    ]);
  });
});

describe("a full disk during a turn", () => {
  it.skipIf(!canMountTmpfs())(
    "is told once, the turn goes on, and a later save holds everything",
    async () => {
      const world = await AgentWorld.open();
      const sessions = join(world.home, ".wave", "sessions");
      mkdirSync(sessions, { recursive: true });
      mountTmpfs(sessions, 64);
      const agent = await world.agent();
      await agent.sendMessage("fits");
      await agent.sendMessage(`does not fit ${"x".repeat(100_000)}`);
      expect(agent.messages.map(textIn).at(-1)?.trim()).toBe("Done.");
      expect(notices(agent.messages, "error")).toEqual([
        expect.stringMatching(/could not be saved .*disk is full/),
      ]);
      expect(JSON.parse(readFileSync(agent.transcriptPath, "utf8")).state.messages.map(textIn)).toEqual([
        "fits",
        "Done.",
      ]);
      resizeTmpfs(sessions, 4096);
      await agent.sendMessage("fits again");
      expect(JSON.parse(readFileSync(agent.transcriptPath, "utf8")).state.messages).toEqual(agent.messages);
      await agent.destroy();
    },
  );
});
