import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { assistantMessage, userMessage } from "../../src/agent/messages/message.ts";
import { SessionStore } from "../../src/agent/session/sessionStore.ts";
import {
  AgentWorld,
  hooksFor,
  metaTexts,
  notices,
  recordTo,
  requestText,
  textIn,
  until,
} from "../support/agentWorld.ts";
import type { AnswerScript, ScriptedAnswer } from "../support/modelService.ts";

const isSummaryRequest: (request: Parameters<AnswerScript>[0]) => boolean = (request) =>
  JSON.stringify(request.messages).includes("</record>");
/** Answers summary requests with a summary, everything else with "Done." */
const summarising: AnswerScript = (request) =>
  isSummaryRequest(request) ? { text: "SUMMARY OF IT ALL" } : { text: "Done." };

const allHooks = {
  ...hooksFor("PreCompact", recordTo("events.jsonl")),
  ...hooksFor("SessionStart", recordTo("events.jsonl")),
  ...hooksFor("PostCompact", recordTo("events.jsonl")),
};

describe("compaction by hand", () => {
  it("H19.1 H20.1 PreCompact, the summary, SessionStart(compact), PostCompact with the summary; requests start at it, the transcript keeps all", async () => {
    const world = await AgentWorld.open(summarising);
    const agent = await world.agent({ hooks: allHooks });
    await agent.sendMessage("the first question");
    expect(await agent.compact("keep the names")).toBe(true);
    expect(world.records("events.jsonl").slice(1)).toMatchObject([
      { hook_event_name: "PreCompact", trigger: "manual", custom_instructions: "keep the names" },
      { hook_event_name: "SessionStart", source: "compact", session_id: agent.sessionId },
      { hook_event_name: "PostCompact", trigger: "manual", compact_summary: "SUMMARY OF IT ALL" },
    ]);
    expect(agent.messages.at(-1)?.blocks).toEqual([{ type: "compact", content: "SUMMARY OF IT ALL" }]);
    const summaryRequest = world.service.requests.findIndex(isSummaryRequest);
    expect(requestText(world.service, summaryRequest)).toContain("the first question");
    expect(requestText(world.service, summaryRequest)).toContain("keep the names");
    expect(world.service.requests[summaryRequest]?.tools ?? []).toEqual([]);

    await agent.sendMessage("the second question");
    expect(requestText(world.service, -1)).toContain("SUMMARY OF IT ALL");
    expect(requestText(world.service, -1)).toContain("the second question");
    expect(requestText(world.service, -1)).not.toContain("the first question");
    const saved = JSON.parse(readFileSync(agent.transcriptPath, "utf8")).state.messages;
    expect(saved).toEqual(agent.messages);
    expect(JSON.stringify(saved)).toContain("the first question");
  });

  it("H19.1 the PreCompact hook runs before the summary is asked for", async () => {
    const world = await AgentWorld.open((request) => {
      if (isSummaryRequest(request))
        world.write("asked", world.has("hook-ran") ? "after the hook" : "before the hook");
      return summarising(request, 0);
    });
    const agent = await world.agent({
      hooks: hooksFor("PreCompact", 'sleep 0.2; touch "$WAVE_PROJECT_DIR/hook-ran"'),
    });
    await agent.sendMessage("hello");
    await agent.compact();
    expect(world.read("asked")).toBe("after the hook");
  });

  it("H19.2 what PreCompact hooks print joins the user's instructions", async () => {
    const world = await AgentWorld.open(summarising);
    const agent = await world.agent({
      hooks: hooksFor("PreCompact", "echo keep all file names", "echo and the numbers"),
    });
    await agent.sendMessage("hello");
    await agent.compact("be short");
    const request = world.service.requests.findIndex(isSummaryRequest);
    expect(requestText(world.service, request)).toMatch(
      /be short[\s\S]*keep all file names[\s\S]*and the numbers/,
    );
  });

  const failingCommands = [
    ["exit 1", "echo broken >&2; exit 1"],
    ["exit 2", "echo broken >&2; exit 2"],
    ["no such command", "no-such-command-here"],
  ];
  it.each(failingCommands)(
    "H19.3 X9 %s of PreCompact: compaction goes on and the user is told nothing",
    async (_, command) => {
      const world = await AgentWorld.open(summarising);
      const agent = await world.agent({ hooks: hooksFor("PreCompact", command) });
      await agent.sendMessage("hello");
      expect(await agent.compact()).toBe(true);
      expect(notices(agent.messages)).toEqual([]);
      expect(agent.messages.at(-1)?.blocks[0]?.type).toBe("compact");
      expect(world.logger.lines.some(({ message }) => /broken|no-such-command-here/.test(message))).toBe(
        true,
      );
    },
  );

  it("H20.2 X10 a PostCompact hook that fails changes nothing; its stderr goes to the user alone", async () => {
    const world = await AgentWorld.open(summarising);
    const agent = await world.agent({ hooks: hooksFor("PostCompact", "echo for the user >&2; exit 2") });
    await agent.sendMessage("hello");
    expect(await agent.compact()).toBe(true);
    expect(notices(agent.messages).join()).toContain("for the user");
    await agent.sendMessage("go on");
    expect(requestText(world.service, -1)).toContain("SUMMARY OF IT ALL");
    expect(requestText(world.service, -1)).not.toContain("for the user");
  });

  const failedSummaries: [string, ScriptedAnswer][] = [
    ["an error", { error: { status: 400, message: "no" } }],
    ["an empty answer", { text: "" }],
  ];
  it.each(failedSummaries)(
    "H20.3 a summary that fails (%s): nothing has changed, no PostCompact, the user is told",
    async (_, answer) => {
      const world = await AgentWorld.open((request) =>
        isSummaryRequest(request) ? answer : { text: "Done." },
      );
      const agent = await world.agent({ hooks: allHooks });
      await agent.sendMessage("hello");
      expect(await agent.compact()).toBe(false);
      expect(world.records("events.jsonl").map((record) => record.hook_event_name)).toEqual([
        "SessionStart",
        "PreCompact",
      ]);
      expect(agent.messages.flatMap(({ blocks }) => blocks.map(({ type }) => type))).not.toContain("compact");
      expect(notices(agent.messages, "error").join()).toMatch(/could not be compacted/);
      await agent.sendMessage("go on");
      expect(requestText(world.service, -1)).toContain("hello");
    },
  );

  it("additionalContext of SessionStart(compact) follows the summary", async () => {
    const world = await AgentWorld.open(summarising);
    const output = { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "once more" } };
    const agent = await world.agent();
    await agent.sendMessage("hello");
    world.settings({
      hooks: hooksFor("SessionStart", { matcher: "compact", command: `echo '${JSON.stringify(output)}'` }),
    });
    await agent.compact();
    expect(agent.messages.at(-2)?.blocks[0]?.type).toBe("compact");
    expect(metaTexts(agent.messages).join()).toContain("once more");
  });

  it("an interruption leaves the conversation as it was", async () => {
    const world = await AgentWorld.open([
      { text: "Done." },
      { text: "a summary ".repeat(200), latencyMs: 50 },
    ]);
    const agent = await world.agent({ hooks: allHooks });
    await agent.sendMessage("hello");
    const compacting = agent.compact();
    await until(() => world.service.requests.length === 2, "the summary request");
    await agent.abortMessage();
    expect(await compacting).toBe(false);
    expect(agent.messages.flatMap(({ blocks }) => blocks.map(({ type }) => type))).not.toContain("compact");
    expect(world.records("events.jsonl").map((record) => record.hook_event_name)).toEqual([
      "SessionStart",
      "PreCompact",
    ]);
    world.service.script([{ text: "Yes." }]);
    await agent.sendMessage("still there?");
    expect(agent.messages.map(textIn).at(-1)).toBe("Yes.");
  });

  it("with nothing to compact runs no hook", async () => {
    const world = await AgentWorld.open(summarising);
    const agent = await world.agent({ hooks: allHooks });
    expect(await agent.compact()).toBe(false);
    await agent.sendMessage("hello");
    expect(await agent.compact()).toBe(true);
    expect(await agent.compact()).toBe(false);
    expect(
      world.records("events.jsonl").filter((record) => record.hook_event_name === "PreCompact"),
    ).toHaveLength(1);
  });
});

describe("automatic compaction", () => {
  it("H19.1 near the model's limit, before the request; the new prompt stays word for word, calls keep their results", async () => {
    const world = await AgentWorld.open((request, index) =>
      index === 0
        ? {
            text: "Looking.",
            toolCalls: [{ name: "Bash", arguments: { command: "echo found" } }],
            usage: { input: 100, output: 10 },
          }
        : isSummaryRequest(request)
          ? { text: "SUMMARY" }
          : { text: "Done.", usage: { input: index === 1 ? 90_000 : 500, output: 10 } },
    );
    const agent = await world.agent({ hooks: allHooks, contextWindow: 100_000 });
    await agent.sendMessage("look around");
    expect(world.service.requests).toHaveLength(2);
    await agent.sendMessage("and the new question");
    expect(
      world
        .records("events.jsonl")
        .slice(1)
        .map((record) => [record.hook_event_name, record.trigger]),
    ).toEqual([
      ["PreCompact", "auto"],
      ["SessionStart", undefined],
      ["PostCompact", "auto"],
    ]);
    expect(world.service.requests).toHaveLength(4);
    const summary = requestText(world.service, 2);
    expect(summary).toMatch(/look around[\s\S]*tool Bash[\s\S]*found/);
    expect(summary).not.toContain("and the new question");
    const after = world.service.requests[3]?.messages ?? [];
    expect(JSON.stringify(after)).toMatch(/SUMMARY[\s\S]*and the new question/);
    expect(after.filter((message) => message.role === "tool")).toEqual([]);
    expect(agent.messages.at(-1)?.blocks).toEqual([{ type: "text", content: "Done." }]);
  });

  it("in the middle of a turn: the model goes on from the summary", async () => {
    const world = await AgentWorld.open((request, index) =>
      isSummaryRequest(request)
        ? { text: "SUMMARY" }
        : index === 0
          ? {
              toolCalls: [{ name: "Bash", arguments: { command: "echo found" } }],
              usage: { input: 95_000, output: 10 },
            }
          : { text: "Finished.", usage: { input: 500, output: 10 } },
    );
    const agent = await world.agent({ contextWindow: 100_000 });
    await agent.sendMessage("look around");
    expect(world.service.requests.map(isSummaryRequest)).toEqual([false, true, false]);
    const last = world.service.requests[2]?.messages ?? [];
    expect(last.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(agent.messages.map(({ blocks }) => blocks.map(({ type }) => type).join())).toEqual([
      "text",
      "tool",
      "compact",
      "text",
    ]);
  });

  it("a request that does not fit is compacted once and sent again", async () => {
    const tooLong = { error: { status: 400, message: "maximum context length is 1000 tokens" } };
    const world = await AgentWorld.open((request) =>
      isSummaryRequest(request)
        ? { text: "SUMMARY" }
        : JSON.stringify(request.messages).includes("SUMMARY")
          ? { text: "Fits." }
          : tooLong,
    );
    const file = new SessionStore({ home: world.home }).create("long", {
      workdir: world.project,
      createdAt: 1,
    });
    await file.save([userMessage("old"), assistantMessage([{ type: "text", content: "older" }])]);
    await file.close();
    const agent = await world.agent({ restoreSessionId: "long" });
    await agent.sendMessage("new");
    expect(world.service.requests.map(isSummaryRequest)).toEqual([false, true, false]);
    expect(agent.messages.map(textIn).at(-1)).toBe("Fits.");
    expect(notices(agent.messages)).toEqual([]);
  });

  it("a service that finds every request too long ends the turn with an error, not in a loop", async () => {
    const world = await AgentWorld.open((request) =>
      isSummaryRequest(request)
        ? { text: "SUMMARY" }
        : { error: { status: 400, message: "context_length_exceeded" } },
    );
    const agent = await world.agent();
    await agent.sendMessage("one");
    await agent.sendMessage("two");
    expect(world.service.requests.length).toBeLessThan(6);
    expect(notices(agent.messages, "error").join()).toMatch(/no longer fits/);
  });

  it("a summary request that is itself too long is cut", async () => {
    let summaries = 0;
    const lengths: number[] = [];
    const world = await AgentWorld.open((request) => {
      if (!isSummaryRequest(request)) return { text: "Done." };
      lengths.push(JSON.stringify(request.messages).length);
      return ++summaries < 3
        ? { error: { status: 400, message: "prompt is too long" } }
        : { text: "SUMMARY" };
    });
    const file = new SessionStore({ home: world.home }).create("long", {
      workdir: world.project,
      createdAt: 1,
    });
    await file.save(
      Array.from({ length: 400 }, (_, index) =>
        index % 2 === 0
          ? userMessage(`q${index} ${"word ".repeat(300)}`)
          : assistantMessage([{ type: "text", content: `a${index}` }]),
      ),
    );
    await file.close();
    const agent = await world.agent({ restoreSessionId: "long" });
    expect(await agent.compact()).toBe(true);
    expect(lengths).toHaveLength(3);
    expect(lengths[2]).toBeLessThan((lengths[0] ?? 0) / 2);
  });
});
