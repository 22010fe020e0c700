import { describe, expect, it } from "vitest";
import { parseWorkflowFile } from "../../src/agent/workflows/workflowFile.ts";
import { AgentWorld, hooksFor, recordTo, toolBlocks, until } from "../support/agentWorld.ts";

const start = (name: string) => ({ toolCalls: [{ name: "Workflow", arguments: { name } }] });
const told = (agent: { messages: readonly { blocks: readonly { type: string }[] }[] }) =>
  agent.messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === "task_notification"));

describe("workflows", { timeout: 60_000 }, () => {
  it("E21 run commands and prompts in order and side by side, each call through the hooks, and tell their end", async () => {
    const world = await AgentWorld.open((request) => {
      const text = JSON.stringify(request.messages);
      if (!text.includes("main prompt"))
        return { text: `Reviewed: ${text.includes("lint says 3 problems")}` };
      if (text.includes("task-notification")) return { text: "Seen." };
      return text.includes("tool_call_id") ? { text: "It runs." } : start("release");
    });
    world.write(
      ".wave/workflows/release.json",
      JSON.stringify({
        description: "Checks a release",
        steps: [
          { name: "lint", command: "echo 3 problems" },
          {
            parallel: [
              // Each waits for the other: neither ends unless both run at once.
              { name: "left", command: "touch left; until [ -e right ]; do sleep 0.02; done" },
              { name: "right", command: "touch right; until [ -e left ]; do sleep 0.02; done" },
            ],
          },
          { name: "review", prompt: "Review this: lint says {{steps.lint.output}}", agent: "explore" },
          { name: "flaky", command: "exit 4", continueOnError: true },
          { name: "last", command: "touch reached" },
        ],
      }),
    );
    world.settings({ hooks: hooksFor("PreToolUse", recordTo("pre.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("main prompt");
    expect(toolBlocks(agent.messages)[0]?.result).toContain(
      'The workflow "release" runs in the background as workflow_',
    );
    await until(
      () => told(agent).length === 1 && agent.turnStatus.state === "idle",
      "the end of the workflow",
    );
    expect(told(agent)).toMatchObject([
      { taskType: "workflow", status: "completed", summary: 'Workflow "release" completed' },
    ]);
    const log = (told(agent)[0] as unknown as { content: string }).content;
    expect(log).toContain("[lint] done\n3 problems");
    expect(log).toContain("[review] done\nReviewed: true");
    expect(log).toContain("[flaky] failed\nExit code 4");
    expect(world.has("reached")).toBe(true);
    expect(world.records("pre.jsonl").map(({ tool_name }) => tool_name)).toEqual([
      "Workflow",
      "Bash",
      "Bash",
      "Bash",
      "Agent",
      "Bash",
      "Bash",
    ]);
  });

  it("end at the first step that fails, and say which", async () => {
    const world = await AgentWorld.open([start("check"), { text: "It runs." }, { text: "Seen." }]);
    world.write(
      ".wave/workflows/check.json",
      JSON.stringify({
        steps: [
          { name: "first", command: "echo oh >&2; exit 1" },
          { name: "second", command: "touch second" },
        ],
      }),
    );
    const agent = await world.agent();
    await agent.sendMessage("Go");
    await until(
      () => told(agent).length === 1 && agent.turnStatus.state === "idle",
      "the end of the workflow",
    );
    expect(told(agent)).toMatchObject([
      {
        status: "failed",
        summary: 'Workflow "check" failed: the step "first" failed',
        content: expect.stringContaining("oh"),
      },
    ]);
    expect(world.has("second")).toBe(false);
  });

  it("a command past its time limit is waited for in the background", async () => {
    const world = await AgentWorld.open([start("slow"), { text: "It runs." }, { text: "Seen." }]);
    world.write(
      ".wave/workflows/slow.json",
      JSON.stringify({
        steps: [
          { name: "slow", command: "sleep 300", timeout: 0.2 },
          { name: "next", command: "touch next" },
        ],
      }),
    );
    const agent = await world.agent();
    await agent.sendMessage("Go");
    await until(
      () => told(agent).some((block) => (block as { taskType?: string }).taskType === "workflow"),
      "the end",
    );
    expect(told(agent)).toMatchObject([
      { status: "failed", summary: 'Workflow "slow" failed: the step "slow" failed' },
    ]);
    expect(world.has("next")).toBe(false);
    expect(agent.backgroundTasks).toEqual([]);
  });

  it("a file that is wrong is a clear error with its place, and an unknown name lists what there is", async () => {
    const world = await AgentWorld.open([start("broken"), start("nothing"), { text: "Done." }]);
    world.write(".wave/workflows/good.json", JSON.stringify({ steps: [{ name: "a", command: "true" }] }));
    const file = world.write(".wave/workflows/broken.json", '{\n  "steps": [\n    { "name": "a" }\n  ]\n}');
    const agent = await world.agent();
    await agent.sendMessage("Go");
    const [broken, nothing] = toolBlocks(agent.messages);
    expect(broken?.error).toBe(
      `The workflow "broken" cannot be run. ${file}:3:5: The step "a" needs either "command", "prompt" or "parallel".`,
    );
    expect(nothing?.error).toBe('There is no workflow "nothing" in .wave/workflows. There are: good.');
  });

  it("stopping one ends what it runs", async () => {
    const world = await AgentWorld.open([start("wait"), { text: "It runs." }, { text: "Seen." }]);
    world.write(
      ".wave/workflows/wait.json",
      JSON.stringify({ steps: [{ name: "wait", command: "touch begun; sleep 300" }] }),
    );
    const agent = await world.agent();
    await agent.sendMessage("Go");
    await until(() => world.has("begun"), "the step");
    expect(await agent.stopBackground(agent.backgroundTasks[0]?.id ?? "")).toBe(true);
    expect(agent.backgroundTasks).toEqual([]);
    await until(
      () => told(agent).length === 1 && agent.turnStatus.state === "idle",
      "the notification's turn",
    );
    expect(told(agent)).toMatchObject([{ status: "killed", summary: 'Workflow "wait" was stopped' }]);
  });
});

describe("workflow files", () => {
  it.each([
    ["", 1, 1, "empty"],
    ["[]", 1, 1, "object is expected"],
    ['{"steps": []}', 1, 11, "at least one step"],
    [
      '{\n"steps": [{"name": "a", "command": "x"}, {"name": "a", "command": "y"}]}',
      2,
      51,
      'two steps named "a"',
    ],
    ['{"steps": [{"name": "a b", "command": "x"}]}', 1, 21, 'letters, digits, "-" and "_"'],
    ['{"steps": [{"name": "a", "command": "x", "prompt": "y"}]}', 1, 12, "either"],
    ['{"steps": [{"name": "a", "comand": "x"}]}', 1, 36, 'A step has no "comand"'],
    ['{"steps": [{"name": "a", "command": "x", "timeout": 0}]}', 1, 53, "greater than 0"],
    ['{"steps": [{"parallel": [{"parallel": []}]}]}', 1, 26, "cannot stand inside"],
    ['{"steps": [{"name": "a", "prompt": "{{steps.b.output}}"}]}', 1, 36, "names no step before this one"],
    ['{"steps": [{"name": "a", "command": "x {{steps.b.output}}"}]}', 1, 37, "shell text"],
    ['{"steps": [{"name": "a", "command": "x", "continueOnError": 1}]}', 1, 61, "true or false"],
    ['{"steps": [{"name": "a", "command": "x"', 1, 40, ""],
  ])("says what is wrong in %s", (text, line, column, reason) => {
    const read = parseWorkflowFile("/p/w.json", text);
    expect(read).toMatchObject({ problem: { file: "/p/w.json", line, column } });
    expect("problem" in read && read.problem.reason).toContain(reason);
  });
});
