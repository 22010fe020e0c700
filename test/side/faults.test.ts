import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { nodeBundleOptions } from "../../scripts/nodeBundleOptions.mjs";
import { AgentWorld, hooksFor, recordTo, toolBlocks, until } from "../support/agentWorld.ts";
import { nothingLeft, processesWith } from "../support/processesLeft.ts";
import { tempFolder } from "../support/tempFolder.ts";

const background = (command: string) => ({ name: "Bash", arguments: { command, run_in_background: true } });
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe("faults beside the turn", { timeout: 90_000 }, () => {
  it("the process is killed while ten tasks run: nothing lives on", async () => {
    const world = await AgentWorld.open([
      { toolCalls: times(10, () => background("trap '' TERM HUP; sleep 300 & sleep 300; wait")) },
      { text: "Started." },
    ]);
    const program = join(tempFolder(), "program.mjs");
    await build({
      ...nodeBundleOptions,
      format: "esm",
      banner: {
        js: 'import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url); const __bundleUrl = import.meta.url;',
      },
      supported: {},
      entryPoints: [join(import.meta.dirname, "programs/tenTasks.ts")],
      outfile: program,
    });
    const host = spawn(process.execPath, [program, world.project, world.home, world.service.baseURL], {
      env: world.env as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(host.stdout, "data")) as [Buffer];
    expect(line.toString()).toBe("running 10\n");
    // The host and at least a shell for each task.
    expect(processesWith(world.marker).length).toBeGreaterThanOrEqual(11);
    host.kill("SIGKILL");
    await once(host, "exit");
    await nothingLeft(world.marker);
  });

  it("50 background tasks at once: all are told of, all end with the session", async () => {
    const world = await AgentWorld.open([
      {
        toolCalls: times(50, (index) =>
          background(`echo task ${index}; until [ -e go ]; do sleep 0.5; done`),
        ),
      },
      { text: "Started." },
      { text: "Noted." },
    ]);
    world.settings({ hooks: hooksFor("Stop", recordTo("stop.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(toolBlocks(agent.messages).filter(({ success }) => success)).toHaveLength(50);
    expect(world.records("stop.jsonl")[0]?.background_tasks).toHaveLength(50);
    await agent.destroy();
    expect(processesWith(world.marker)).toEqual([]);
  });

  it("50 that end together are 50 notifications, and the session is idle afterwards", async () => {
    const world = await AgentWorld.open([
      {
        toolCalls: times(50, (index) =>
          background(`until [ -e go ]; do sleep 0.5; done; echo task ${index}`),
        ),
      },
      { text: "Started." },
      { text: "Noted." },
    ]);
    const agent = await world.agent();
    await agent.sendMessage("Go");
    world.write("go", "");
    const told = () =>
      agent.messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === "task_notification"));
    await expect.poll(() => told().length, { timeout: 60_000 }).toBe(50);
    await until(
      () => agent.turnStatus.state === "idle" && agent.queuedMessages.length === 0,
      "the last turn",
    );
    expect(new Set(told().map((block) => "taskId" in block && block.taskId)).size).toBe(50);
    expect(agent.backgroundTasks).toEqual([]);
  });

  it("a task survives an interruption of the turn, and ends when the session does", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [background("sleep 300")] },
      { toolCalls: [{ name: "Bash", arguments: { command: "touch begun; sleep 300" } }] },
    ]);
    const agent = await world.agent();
    const turn = agent.sendMessage("Go");
    await until(() => world.has("begun"), "the second command");
    await agent.abortMessage();
    await turn;
    expect(agent.backgroundTasks).toMatchObject([{ command: "sleep 300" }]);
    await agent.clearMessages();
    expect(agent.backgroundTasks).toEqual([]);
    await nothingLeft(world.marker);
  });

  it("the output of a task is read in parts, however much it writes", async () => {
    const world = await AgentWorld.open((request) => {
      const text = JSON.stringify(request.messages);
      const id = /shell_[0-9a-f]{8}/.exec(text)?.[0];
      if (!id) return { toolCalls: [background("seq 1 2000000; echo the end")] };
      const next = [...text.matchAll(/next_offset: ([0-9]+)/g)].at(-1)?.[1];
      if (next && text.includes('"later"')) return { text: "Read." };
      return {
        toolCalls: [
          {
            name: "TaskOutput",
            arguments: { task_id: id, timeout: 60_000, ...(next ? { offset: Number(next) } : {}) },
            ...(next ? { id: "later" } : {}),
          },
        ],
      };
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    const [, first, second] = toolBlocks(agent.messages);
    expect(first?.result).toContain("completed (exit code 0).");
    expect(first?.result).toMatch(/… [0-9]+ characters before this are not shown …/);
    expect(first?.result).toContain("2000000\nthe end");
    expect(first?.result.length).toBeLessThan(32_000);
    expect(second?.result).toContain("It has written nothing.");
  });
});
