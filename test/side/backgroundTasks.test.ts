import { beforeEach, describe, expect, it } from "vitest";
import {
  type BackgroundTask,
  BackgroundTasks,
  maxRunningTasks,
} from "../../src/agent/background/backgroundTasks.ts";
import { BoundedOutput } from "../../src/agent/background/boundedOutput.ts";
import { ManualClock } from "../support/manualClock.ts";

describe("background tasks of a session", () => {
  let clock: ManualClock;
  let ended: BackgroundTask[];
  let tasks: BackgroundTasks;

  beforeEach(() => {
    clock = new ManualClock(1_000_000);
    ended = [];
    tasks = new BackgroundTasks({ clock, onEnd: (task) => ended.push(task) });
  });

  const nothingToStop = async (): Promise<void> => {};

  it("H21.2 H21.3 H21.4 the snapshot carries each kind's own fields and no others", () => {
    const shell = tasks.start({ kind: "shell", command: "sleep 9", description: "wait" }, nothingToStop);
    const agent = tasks.start({ kind: "subagent", agentType: "explore", description: "look" }, nothingToStop);
    const flow = tasks.start({ kind: "workflow", name: "release" }, nothingToStop);
    expect(tasks.snapshot()).toEqual([
      { id: shell.id, type: "shell", status: "running", command: "sleep 9", description: "wait" },
      { id: agent.id, type: "subagent", status: "running", agentType: "explore", description: "look" },
      { id: flow.id, type: "workflow", status: "running", name: "release" },
    ]);
  });

  it("H21.7 the snapshot keeps what it said, and ended tasks are not in the next one", async () => {
    const ids = ["completed", "failed"].map((status) => {
      const handle = tasks.start({ kind: "shell", command: status }, nothingToStop);
      return { handle, status: status as "completed" | "failed" };
    });
    const stopped = tasks.start({ kind: "shell", command: "killed" }, nothingToStop);
    const before = tasks.snapshot();
    for (const { handle, status } of ids) handle.end({ status, exitCode: status === "failed" ? 3 : 0 });
    await tasks.stop(stopped.id, { tell: true });
    expect(before).toHaveLength(3);
    expect(tasks.snapshot()).toEqual([]);
    expect(ended.map((task) => task.status)).toEqual(["completed", "failed", "killed"]);
    expect(tasks.get(ids[1]?.handle.id ?? "")).toMatchObject({
      status: "failed",
      exitCode: 3,
      endedAt: 1_000_000,
    });
  });

  it("a stopped task counts as killed, however its runner reports the end, and tells only when asked", async () => {
    const handle = tasks.start({ kind: "shell", command: "x" }, async () => handle.end({ status: "failed" }));
    await tasks.stop(handle.id, { tell: false });
    expect(tasks.get(handle.id)?.status).toBe("killed");
    expect(ended).toEqual([]);
  });

  it("waits for the end, for the time limit or for the interruption, whichever comes first", async () => {
    const handle = tasks.start({ kind: "shell", command: "x" }, nothingToStop);
    const timedOut = tasks.waitFor(handle.id, 5000);
    clock.advance(5000);
    expect((await timedOut)?.status).toBe("running");

    const interrupt = new AbortController();
    const interrupted = tasks.waitFor(handle.id, 5000, interrupt.signal);
    interrupt.abort();
    expect((await interrupted)?.status).toBe("running");

    const finished = tasks.waitFor(handle.id, 5000);
    handle.end({ status: "completed" });
    expect((await finished)?.status).toBe("completed");
    expect(clock.pendingTimers).toBe(0);
    expect(await tasks.waitFor("shell_none", 5000)).toBeUndefined();
  });

  it("dispose ends everything without notifications and takes nothing more", async () => {
    const stopped: string[] = [];
    for (let i = 0; i < 50; i++) {
      const handle = tasks.start({ kind: "shell", command: `c${i}` }, async () => {
        stopped.push(handle.id);
        handle.end({ status: "failed" });
      });
    }
    expect(tasks.snapshot()).toHaveLength(50);
    await tasks.dispose();
    expect(new Set(stopped).size).toBe(50);
    expect(ended).toEqual([]);
    expect(() => tasks.start({ kind: "shell" }, nothingToStop)).toThrow("session has ended");
  });

  it("bounds how many run and how many ended ones are remembered", () => {
    const handles = Array.from({ length: maxRunningTasks }, () =>
      tasks.start({ kind: "shell" }, nothingToStop),
    );
    expect(() => tasks.start({ kind: "shell" }, nothingToStop)).toThrow("TaskStop");
    for (const handle of handles) handle.end({ status: "completed" });
    for (let i = 0; i < 30; i++) tasks.start({ kind: "shell" }, nothingToStop).end({ status: "completed" });
    expect(tasks.list()).toHaveLength(100);
    expect(tasks.get(handles[0]?.id ?? "")).toBeUndefined();
  });
});

describe("output of a task", () => {
  it("keeps its offsets when the beginning is let go, and says what was skipped", () => {
    const output = new BoundedOutput(10);
    output.append("0123456789");
    expect(output.read(4, 100)).toEqual({ text: "456789", from: 4, to: 10, skipped: 0 });
    output.append("abcdefghijKLM");
    expect(output.length).toBe(23);
    expect(output.read(0, 100)).toEqual({ text: "defghijKLM", from: 13, to: 23, skipped: 13 });
    expect(output.read(20, 100)).toEqual({ text: "KLM", from: 20, to: 23, skipped: 0 });
    expect(output.read(23, 100)).toEqual({ text: "", from: 23, to: 23, skipped: 0 });
    expect(output.read(13, 4)).toEqual({ text: "jKLM", from: 19, to: 23, skipped: 6 });
  });

  it("never cuts through a character", () => {
    const output = new BoundedOutput(5);
    output.append("😀".repeat(20));
    const { text } = output.read(0, 5);
    expect(text).toBe("😀😀");
  });

  it("stays bounded under 100 MB in small writes", () => {
    const output = new BoundedOutput(1000);
    const line = `${"x".repeat(99)}\n`;
    for (let i = 0; i < 1_000_000; i++) output.append(line);
    expect(output.length).toBe(100_000_000);
    expect(output.read(0, 10_000).text).toHaveLength(1000);
  });
});
