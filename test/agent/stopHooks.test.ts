import { describe, expect, it } from "vitest";
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

const json = (fields: Record<string, unknown>) => `echo '${JSON.stringify(fields)}'`;
/** Blocks as often as `times` says, and counts in a file. */
const blockTimes = (times: number, message = "go on") =>
  `n=$(cat count 2>/dev/null || echo 0); n=$((n+1)); echo $n > count; [ $n -le ${times} ] && { echo '${message}' >&2; exit 2; } || exit 0`;

describe("Stop hooks", () => {
  it("H3.1 H3.2 run when the model is done, scripts of the project too, once per turn", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "true" } }] },
      { text: "Done." },
    ]);
    world.write("scripts/after.sh", "#!/bin/sh\necho after >> log\n", 0o755);
    world.settings({ hooks: hooksFor("Stop", "scripts/after.sh", "echo inline >> log") });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(world.read("log")).toBe("after\ninline\n");
  });

  it("H8.1 get session, transcript path and event, and what has to be known of the end", async () => {
    const world = await AgentWorld.open([{ text: "  All done.  " }]);
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(world.records("stop.jsonl")).toEqual([
      {
        session_id: agent.sessionId,
        transcript_path: agent.transcriptPath,
        cwd: world.project,
        hook_event_name: "Stop",
        permission_mode: "bypassPermissions",
        stop_hook_active: false,
        last_assistant_message: "All done.",
        background_tasks: [],
        session_crons: [],
      },
    ]);
  });

  it("H8.2 find the final state of the session in the transcript", async () => {
    const world = await AgentWorld.open([{ text: "The last word." }]);
    world.settings({
      hooks: hooksFor(
        "Stop",
        `node -p 'JSON.parse(require("fs").readFileSync(JSON.parse(require("fs").readFileSync(0)).transcript_path)).state.messages.at(-1).blocks[0].content' > last`,
      ),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(world.read("last")).toBe("The last word.\n");
  });

  it("H14.4 V6 X4 exit 2: stderr becomes an isMeta user message and the agent goes on in the same turn", async () => {
    const world = await AgentWorld.open([{ text: "First." }, { text: "Second." }]);
    world.settings({ hooks: hooksFor("Stop", blockTimes(1, "tests are red")) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(agent.messages.map((message) => [message.role, message.isMeta ?? false, textIn(message)])).toEqual(
      [
        ["user", false, "Go"],
        ["assistant", false, "First."],
        ["user", true, "tests are red"],
        ["assistant", false, "Second."],
      ],
    );
    expect(requestText(world.service, 1)).toContain("tests are red");
    expect(notices(agent.messages)).toEqual([]);
  });

  it("H22.1 H22.4 last_assistant_message holds the text blocks alone, joined and trimmed", async () => {
    const world = await AgentWorld.open([
      { text: "I look first.", toolCalls: [{ name: "Bash", arguments: { command: "true" } }] },
      { text: "\n It is fine. \n" },
    ]);
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(world.records("stop.jsonl")[0]?.last_assistant_message).toBe("It is fine.");
  });

  it("H22.3 last_assistant_message is left out where the last assistant message holds tool calls alone", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "true" } }] },
      { text: "" },
    ]);
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(Object.keys(world.records("stop.jsonl")[0] ?? {})).not.toContain("last_assistant_message");
  });

  it("H23.1 J4 decision block with a reason and exit 0 goes on with the reason as an isMeta message", async () => {
    const world = await AgentWorld.open([{ text: "First." }, { text: "Second." }]);
    world.settings({
      hooks: hooksFor(
        "Stop",
        `[ -e once ] && exit 0; touch once; ${json({ decision: "block", reason: "继续干活" })}`,
      ),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(metaTexts(agent.messages)).toEqual(["继续干活"]);
    expect(world.service.requests).toHaveLength(2);
  });

  it("H23.3 decision on any other event is ignored", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    const decision = json({ decision: "block", reason: "no" });
    world.settings({
      hooks: { ...hooksFor("UserPromptSubmit", decision), ...hooksFor("SessionStart", decision) },
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(agent.messages.map(textIn)).toEqual(["Go", "Done."]);
  });

  it("H23.4 decision block without a reason, or with blanks alone, does not block", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({
      hooks: hooksFor("Stop", json({ decision: "block" }), json({ decision: "block", reason: "  " })),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(world.service.requests).toHaveLength(1);
    expect(metaTexts(agent.messages)).toEqual([]);
  });

  it("H23.5 exit 2 wins over decision, and systemMessage of the same JSON is shown", async () => {
    const world = await AgentWorld.open([{ text: "First." }, { text: "Second." }]);
    world.settings({
      hooks: hooksFor(
        "Stop",
        `[ -e once ] && exit 0; touch once; ${json({ decision: "block", reason: "from json", systemMessage: "round 1" })}; echo 'from stderr' >&2; exit 2`,
      ),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(metaTexts(agent.messages)).toEqual(["from stderr"]);
    expect(notices(agent.messages, "info")).toEqual(["round 1"]);
  });

  it("H23.6 H25.4 plain stdout of a Stop hook neither blocks nor is shown", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({ hooks: hooksFor("Stop", "echo 'all good'") });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(agent.messages).toHaveLength(2);
    expect(notices(agent.messages)).toEqual([]);
  });

  it("H11.7 J3 additionalContext of Stop is not injected; only exit 2 counts", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({
      hooks: hooksFor(
        "Stop",
        json({ hookSpecificOutput: { hookEventName: "Stop", additionalContext: "unused" } }),
      ),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(metaTexts(agent.messages)).toEqual([]);
    expect(world.service.requests).toHaveLength(1);
  });

  it("H24.1 H24.2 stop_hook_active is true after a continuation and false for the user's next prompt", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl"), blockTimes(1)) });
    const agent = await world.agent();
    await agent.sendMessage("One");
    await agent.sendMessage("Two");
    expect(world.records("stop.jsonl").map((record) => record.stop_hook_active)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("H24.3 permission_mode is the mode of this moment", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl")) });
    const agent = await world.agent();
    for (const mode of ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const) {
      agent.setPermissionMode(mode);
      await agent.sendMessage("Go");
      expect(world.records("stop.jsonl").at(-1)?.permission_mode).toBe(mode);
    }
  });

  it("H25.1 systemMessage beside exit 2: a notice on the current assistant message, stderr for the model", async () => {
    const world = await AgentWorld.open([{ text: "First." }, { text: "Second." }]);
    world.settings({
      hooks: hooksFor(
        "Stop",
        `[ -e once ] && exit 0; touch once; ${json({ systemMessage: "🔄 round 2 | stop: /cancel" })}; echo again >&2; exit 2`,
      ),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(agent.messages[1]).toMatchObject({
      role: "assistant",
      blocks: [
        { type: "text", content: "First." },
        { type: "notice", level: "info", content: "🔄 round 2 | stop: /cancel" },
      ],
    });
    expect(metaTexts(agent.messages)).toEqual(["again"]);
  });

  it("H25.2 J6 systemMessage at exit 0 is shown too, and makes no isMeta message", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({ hooks: hooksFor("Stop", json({ systemMessage: "all green" })) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(notices(agent.messages, "info")).toEqual(["all green"]);
    expect(metaTexts(agent.messages)).toEqual([]);
  });

  it("H25.3 E9 a blank systemMessage, and a hook that prints nothing, leave nothing behind", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({
      hooks: hooksFor("Stop", json({ systemMessage: "" }), json({ systemMessage: "  " }), "true"),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(agent.messages.map((message) => message.blocks.length)).toEqual([1, 1]);
  });

  it("H25.5 V5 a notice is in no later request", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({ hooks: hooksFor("Stop", json({ systemMessage: "for your eyes only" })) });
    const agent = await world.agent();
    await agent.sendMessage("One");
    await agent.sendMessage("Two");
    expect(world.service.requests).toHaveLength(2);
    expect(requestText(world.service, 1)).not.toContain("for your eyes only");
  });

  it("H26.1 H26.4 a queued user message goes before the continuation, and the loop goes on after its turn", async () => {
    const world = await AgentWorld.open((_, index) => ({ text: `Answer ${index + 1}.` }));
    world.settings({
      hooks: hooksFor(
        "Stop",
        `[ -e started ] || { touch started; while [ ! -e queued ]; do sleep 0.02; done; }; ${blockTimes(2, "loop")}`,
      ),
    });
    const agent = await world.agent();
    const first = agent.sendMessage("First");
    await until(() => world.has("started"), "the Stop hook");
    let secondIsOver = false;
    const second = agent.sendMessage("Second").then(() => {
      secondIsOver = true;
    });
    expect(agent.queuedMessages.map(({ kind, text }) => [kind, text])).toEqual([["user", "Second"]]);
    world.write("queued", "");
    await first;
    expect(secondIsOver).toBe(false);
    await second;
    expect(agent.messages.map(textIn)).toEqual([
      "First",
      "Answer 1.",
      "loop",
      "Second",
      "Answer 2.",
      "loop",
      "Answer 3.",
    ]);
    expect(agent.queuedMessages).toEqual([]);
  });

  it("H26.2 a queue of notifications alone does not hold the continuation back", async () => {
    const world = await AgentWorld.open((_, index) => ({ text: `Answer ${index + 1}.` }));
    world.settings({
      hooks: {
        UserPromptSubmit: [
          {
            hooks: [
              {
                type: "command",
                command: "while [ ! -e stopping ]; do sleep 0.02; done; echo woken >&2; exit 2",
                asyncRewake: true,
              },
            ],
          },
        ],
        Stop: [
          {
            hooks: [
              {
                type: "command",
                command: `[ -e stopping ] && exit 0; touch stopping; sleep 0.5; echo loop >&2; exit 2`,
              },
            ],
          },
        ],
      },
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    const texts = agent.messages.map(textIn);
    expect(texts.slice(0, 3)).toEqual(["Go", "Answer 1.", "loop"]);
    expect(texts[3]).toContain("woken");
    expect(texts[4]).toBe("Answer 2.");
    expect(world.service.requests).toHaveLength(2);
  });

  it("H26.3 with an empty queue the conversation goes on in the same turn", async () => {
    const world = await AgentWorld.open([{ text: "Again." }]);
    world.settings({ hooks: hooksFor("Stop", blockTimes(3)) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(world.service.requests).toHaveLength(4);
    expect(agent.turnStatus).toMatchObject({ state: "idle", stopContinuations: 3 });
    expect(
      world.statuses.filter(
        (status, index, all) => status.state === "running" && all[index - 1]?.state !== "running",
      ),
    ).toHaveLength(1);
  });

  it("maxStopContinuations sets an end to a loop and says so", async () => {
    const world = await AgentWorld.open([{ text: "Again." }]);
    world.settings({ hooks: hooksFor("Stop", "echo more >&2; exit 2") });
    const agent = await world.agent({ maxStopContinuations: 2 });
    await agent.sendMessage("Go");
    expect(world.service.requests).toHaveLength(3);
    expect(notices(agent.messages, "warning")[0]).toContain("2 times");
  });

  it("Stop hooks do not run after a failed model request", async () => {
    const world = await AgentWorld.open([{ error: { status: 400, message: "no such thing" } }]);
    world.settings({ hooks: hooksFor("Stop", "touch stopped") });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(notices(agent.messages, "error")).toHaveLength(1);
    expect(world.has("stopped")).toBe(false);
  });
});
