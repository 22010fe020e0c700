import { describe, expect, it } from "vitest";
import { AgentWorld, hooksFor, metaTexts, recordTo, textIn, until } from "../support/agentWorld.ts";

interface StopInput {
  hook_event_name: string;
  background_tasks: Record<string, unknown>[];
  session_crons: Record<string, unknown>[];
}

const stops = (world: AgentWorld, file = "stop.jsonl"): StopInput[] =>
  world.records(file) as unknown as StopInput[];
const background = (command: string, description?: string) => ({
  name: "Bash",
  arguments: { command, run_in_background: true, ...(description === undefined ? {} : { description }) },
});

describe("what a Stop hook hears of the work beside the turn", { timeout: 60_000 }, () => {
  it("H21.1 both fields are there and empty when nothing runs", async () => {
    const world = await AgentWorld.open();
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("Hi");
    expect(stops(world)).toHaveLength(1);
    expect(stops(world)[0]).toMatchObject({ background_tasks: [], session_crons: [] });
  });

  it("H21.3 a background command, with its command line and neither agent_type nor name", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [background("sleep 300", "wait a while")] },
      { text: "Started." },
    ]);
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(stops(world)[0]?.background_tasks).toEqual([
      {
        id: expect.any(String),
        type: "shell",
        status: "running",
        description: "wait a while",
        command: "sleep 300",
      },
    ]);
    expect(agent.backgroundTasks).toHaveLength(1);
  });

  it("H21.3 a command that went into the background at its time limit", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "echo begun; sleep 300", timeout: 200 } }] },
      { text: "It goes on." },
    ]);
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(stops(world)[0]?.background_tasks).toMatchObject([
      { type: "shell", status: "running", command: "echo begun; sleep 300" },
    ]);
  });

  it("H21.2 a background subagent, with its type and description", async () => {
    const world = await AgentWorld.open((request) => {
      const text = JSON.stringify(request.messages);
      if (!text.includes("main prompt"))
        return { toolCalls: [{ name: "Bash", arguments: { command: "sleep 300" } }] };
      if (text.includes("tool_call_id")) return { text: "Started." };
      return {
        toolCalls: [
          {
            name: "Agent",
            arguments: {
              description: "Look around",
              prompt: "look around",
              subagent_type: "explore",
              run_in_background: true,
            },
          },
        ],
      };
    });
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("main prompt");
    expect(stops(world)[0]?.background_tasks).toEqual([
      {
        id: expect.any(String),
        type: "subagent",
        status: "running",
        description: "Look around",
        agent_type: "explore",
      },
    ]);
  });

  it("H21.4 a background workflow, under its name, with neither command nor agent_type", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Workflow", arguments: { name: "release" } }] },
      { text: "It runs." },
    ]);
    world.write(
      ".wave/workflows/release.json",
      JSON.stringify({ steps: [{ name: "wait", command: "sleep 300" }] }),
    );
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    const tasks = stops(world)[0]?.background_tasks;
    expect(tasks).toEqual([{ id: expect.any(String), type: "workflow", status: "running", name: "release" }]);
  });

  it.each([true, false])("H21.5 a scheduled prompt (recurring: %s)", async (recurring) => {
    const world = await AgentWorld.open([
      {
        toolCalls: [
          {
            name: "CronCreate",
            arguments: { cron: "0 9 1 1 *", prompt: "Wish a happy new year", recurring },
          },
        ],
      },
      { text: "Scheduled." },
    ]);
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(stops(world)[0]?.session_crons).toEqual([
      { id: expect.any(String), schedule: "0 9 1 1 *", recurring, prompt: "Wish a happy new year" },
    ]);
    expect(agent.sessionCrons).toHaveLength(1);
  });

  it("H21.6 H26.2 a hook that blocks while work runs: the turn goes on, the end of the work starts another, and its Stop sees the change", async () => {
    const world = await AgentWorld.open((request) => {
      const text = JSON.stringify(request.messages);
      if (text.includes("task-notification")) return { text: "It has ended, I see." };
      if (text.includes("still running")) return { text: "Then I wait." };
      if (text.includes("backgroundTaskId") || text.includes("in the background as"))
        return { text: "Started." };
      return { toolCalls: [background("until [ -e go ]; do sleep 0.05; done; echo finished well")] };
    });
    // Blocks once, and only while something runs.
    world.write(
      "wait.sh",
      `input=$(cat); echo "$input" >> "$WAVE_PROJECT_DIR/stop.jsonl"
case $input in *'"background_tasks":[{'*) [ -e blocked ] || { touch blocked; echo "still running" >&2; exit 2; } ;; esac`,
    );
    world.settings({ hooks: hooksFor("Stop", "sh wait.sh") });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(metaTexts(agent.messages)).toEqual(["still running"]);
    expect(stops(world).map(({ background_tasks }) => background_tasks.length)).toEqual([1, 1]);
    expect(agent.turnStatus.state).toBe("idle");

    world.write("go", "");
    await until(
      () => stops(world).length === 3 && agent.turnStatus.state === "idle",
      "the turn after the notification",
    );
    expect(stops(world)[2]?.background_tasks).toEqual([]);
    const blocks = agent.messages.flatMap((message) =>
      message.blocks.filter(({ type }) => type === "task_notification"),
    );
    expect(blocks).toMatchObject([{ taskType: "shell", status: "completed", content: "finished well" }]);
    expect(textIn(agent.messages.at(-1) as never)).toBe("It has ended, I see.");
  });

  it("H26.2 a notification that waits in the queue is no user message: a blocking Stop hook restarts the turn", async () => {
    const world = await AgentWorld.open((request) => {
      const text = JSON.stringify(request.messages);
      if (text.includes("keep going"))
        return { text: `Again. Notified: ${text.includes("task-notification")}` };
      if (text.includes("in the background as")) return { text: "Started." };
      return { toolCalls: [background("until [ -e go ]; do sleep 0.02; done")] };
    });
    // While the first Stop hook runs, the task ends and its notification is queued.
    world.write(
      "stop.sh",
      `cat > /dev/null; [ -e blocked ] && exit 0; touch blocked go; sleep 1; echo "keep going" >&2; exit 2`,
    );
    world.settings({ hooks: hooksFor("Stop", "sh stop.sh") });
    const statuses = world.statuses;
    const agent = await world.agent();
    await agent.sendMessage("Go");
    // Within the one turn: continued once, and the notification came in with it.
    expect(statuses.filter(({ stopContinuations }) => stopContinuations === 1).length).toBeGreaterThan(0);
    expect(textIn(agent.messages.at(-1) as never)).toBe("Again. Notified: true");
  });

  it("H21.7 the input is a snapshot, and what has ended is not in the next one", async () => {
    const world = await AgentWorld.open((request) => {
      const text = JSON.stringify(request.messages);
      if (!text.includes("in the background as")) {
        return {
          toolCalls: [
            background("until [ -e go ]; do sleep 0.02; done"),
            background("exit 3"),
            background("exit 0"),
          ],
        };
      }
      return { text: "Started." };
    });
    // The task ends after the input was made and before the hook reads it.
    world.write("stop.sh", `touch go; sleep 0.7; cat >> "$WAVE_PROJECT_DIR/stop.jsonl"`);
    world.settings({ hooks: hooksFor("Stop", "sh stop.sh") });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    await until(
      () => agent.turnStatus.state === "idle" && agent.backgroundTasks.length === 0,
      "all tasks to end",
    );
    await until(
      () => agent.turnStatus.state === "idle" && agent.queuedMessages.length === 0,
      "the last turn",
    );
    const lengths = stops(world).map(({ background_tasks }) =>
      background_tasks.map(({ command }) => command),
    );
    expect(lengths[0]).toContain("until [ -e go ]; do sleep 0.02; done");
    expect(lengths.at(-1)).toEqual([]);
  });

  it("H21.8 H22.2 SubagentStop has neither field, but the subagent's last text", async () => {
    const world = await AgentWorld.open((request) => {
      const text = JSON.stringify(request.messages);
      if (text.includes("main prompt")) {
        return text.includes("tool_call_id")
          ? { text: "Reported." }
          : {
              toolCalls: [
                background("sleep 300"),
                {
                  name: "Agent",
                  arguments: { description: "Count", prompt: "count", subagent_type: "explore" },
                },
              ],
            };
      }
      return { text: "  There are three.\n" };
    });
    world.settings({
      hooks: {
        ...hooksFor("SubagentStop", recordTo("sub.jsonl")),
        ...hooksFor("Stop", recordTo("stop.jsonl")),
      },
    });
    const agent = await world.agent();
    await agent.sendMessage("main prompt");
    const [sub] = world.records("sub.jsonl");
    expect(sub).toMatchObject({
      hook_event_name: "SubagentStop",
      session_id: agent.sessionId,
      agent_type: "explore",
      stop_hook_active: false,
      last_assistant_message: "There are three.",
      permission_mode: "bypassPermissions",
    });
    expect(Object.keys(sub ?? {})).not.toContain("background_tasks");
    expect(Object.keys(sub ?? {})).not.toContain("session_crons");
    expect(stops(world)[0]?.background_tasks).toHaveLength(1);
  });

  it("H21.9 long texts are cut at 1000 characters, and the cut is marked", async () => {
    const command = `sleep 300 # ${"x".repeat(1488)}`;
    const description = "語".repeat(1001);
    const world = await AgentWorld.open([
      { toolCalls: [background(command, description)] },
      { text: "Started." },
    ]);
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(command).toHaveLength(1500);
    expect(stops(world)[0]?.background_tasks[0]).toMatchObject({
      command: `${command.slice(0, 1000)}… [+500 chars]`,
      description: `${"語".repeat(1000)}… [+1 chars]`,
    });
  });
});
