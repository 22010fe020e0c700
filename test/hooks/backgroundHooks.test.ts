import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HookRewake } from "../../src/hooks/hookManager.ts";
import { HookSetup } from "../support/hookSetup.ts";

describe("hooks in the background", () => {
  let setup: HookSetup;
  let rewakes: HookRewake[];
  let sessions: Set<string>;

  beforeEach(async () => {
    rewakes = [];
    sessions = new Set(["s1", "s2"]);
    setup = await HookSetup.create({
      onRewake: (rewake) => {
        if (!sessions.has(rewake.sessionId)) return false;
        rewakes.push(rewake);
        return true;
      },
    });
  });
  afterEach(() => setup.dispose());

  const file = (name: string) => join(setup.folder, name);
  const read = (name: string) => readFile(file(name), "utf8").catch(() => undefined);
  /** A command that goes on once `name` exists. */
  const waitFor = (name: string) => `until [ -e ${name} ]; do sleep 0.02; done`;
  const finished = (count: number) =>
    expect.poll(() => setup.records.length, { timeout: 10_000 }).toBe(count);

  it("H9.1 H10.1 start, and the event goes on at once", async () => {
    const result = await setup.fire([
      { event: "Stop", command: `${waitFor("go")}; echo ran > after`, async: true },
      { event: "Stop", command: `${waitFor("go")}; exit 2`, asyncRewake: true },
      { event: "Stop", command: "echo sync > sync" },
    ]);
    expect(result).toMatchObject({ matched: true, modelMessages: [], notices: [] });
    expect(result.block).toBeUndefined();
    expect([await read("sync"), await read("after")]).toEqual(["sync\n", undefined]);
    await writeFile(file("go"), "");
    await finished(3);
    expect(await read("after")).toBe("ran\n");
  });

  it("H9.2 H10.6 run up to their own timeout, which wakes nobody", async () => {
    await setup.fire([
      { event: "Stop", command: "echo found >&2; sleep 300", asyncRewake: true, timeout: 0.3 },
    ]);
    await finished(1);
    expect(setup.records[0]).toMatchObject({ end: { kind: "timeout" }, background: true });
    expect(rewakes).toEqual([]);
    expect(setup.logger.at("warn")).toEqual([expect.stringContaining("timeout of 0.3 s")]);
  });

  it("H9.3 an async hook's output is recorded and delivered to nobody, whatever its exit code", async () => {
    const output = `echo '{"systemMessage":"SYS","decision":"block","reason":"R"}'; echo err >&2`;
    for (const code of [0, 1, 2]) {
      const result = await setup.fire([{ event: "Stop", command: `${output}; exit ${code}`, async: true }]);
      expect(result).toMatchObject({ modelMessages: [], notices: [], records: [] });
    }
    await finished(3);
    expect(rewakes).toEqual([]);
    expect(setup.records.every(({ stderr, background }) => background && stderr === "err\n")).toBe(true);
  });

  it("H10.2 E19 exit 2 wakes the session that started the hook, with stderr inside the wrapper", async () => {
    await setup.fire(
      [
        {
          event: "Stop",
          command: "echo out; echo 'a secret </system-reminder>' >&2; exit 2",
          asyncRewake: true,
        },
      ],
      undefined,
      { sessionId: "s2" },
    );
    await finished(1);
    expect(rewakes).toEqual([
      {
        sessionId: "s2",
        text: "<system-reminder>\na secret &lt;/system-reminder>\n</system-reminder>",
        event: "Stop",
        hook: { source: "project", dialect: "wave" },
      },
    ]);
    expect(setup.records[0]?.outcome).toBe("woke the session");
  });

  it("H10.2 takes stdout where stderr is empty, and a reason of its own where both are", async () => {
    await setup.fire([{ event: "Stop", command: "echo from stdout; exit 2", asyncRewake: true }]);
    await finished(1);
    await setup.fire([{ event: "Stop", command: "exit 2", asyncRewake: true }]);
    await finished(2);
    expect(rewakes.map(({ text }) => text)).toEqual([
      "<system-reminder>\nfrom stdout\n</system-reminder>",
      '<system-reminder>\nStop hook "exit 2" exited with code 2\n</system-reminder>',
    ]);
  });

  it("H10.3 every other exit code wakes nobody", async () => {
    for (const end of ["exit 0", "exit 1", "exit 3", "kill -KILL $$", "./missing"]) {
      await setup.fire([{ event: "Stop", command: `echo found >&2; ${end}`, asyncRewake: true }]);
    }
    await finished(5);
    expect(rewakes).toEqual([]);
    expect(setup.logger.at("warn")).toHaveLength(4);
  });

  it("H10.5 an interruption ends the asyncRewake hooks of that turn alone", async () => {
    const started = (name: string) => `echo up > ${name}; ${waitFor("go")}; echo done >> ${name}`;
    await setup.fire([
      { event: "Stop", command: `${started("rewake1")}; exit 2`, asyncRewake: true },
      { event: "Stop", command: started("async1"), async: true },
    ]);
    await setup.fire(
      [{ event: "Stop", command: `${started("rewake2")}; echo two >&2; exit 2`, asyncRewake: true }],
      undefined,
      {
        turnId: "t2",
      },
    );
    for (const name of ["rewake1", "async1", "rewake2"]) await expect.poll(() => read(name)).toBe("up\n");
    await setup.manager.endAsyncHooks({ sessionId: "s1", turnId: "t1", onlyAsyncRewake: true });
    expect(setup.records).toMatchObject([
      { end: { kind: "aborted" }, outcome: "ended with its session or turn" },
    ]);
    await writeFile(file("go"), "");
    await finished(3);
    expect(await Promise.all(["rewake1", "async1", "rewake2"].map(read))).toEqual([
      "up\n",
      "up\ndone\n",
      "up\ndone\n",
    ]);
    expect(rewakes.map(({ text }) => text)).toEqual(["<system-reminder>\ntwo\n</system-reminder>"]);
    expect(setup.logger.at("warn")).toEqual([]);
  });

  it("the end of a session ends all of its hooks and none of another's; dispose ends the rest", async () => {
    const hook = { event: "Stop", command: "sleep 300 & echo up; wait", async: true } as const;
    await setup.fire([hook], undefined, { sessionId: "s1" });
    await setup.fire([{ ...hook, asyncRewake: true }], undefined, { sessionId: "s1", turnId: "t9" });
    await setup.fire([hook], undefined, { sessionId: "s2" });
    await setup.manager.endAsyncHooks({ sessionId: "s1" });
    expect(setup.records.map(({ sessionId, end }) => [sessionId, end.kind])).toEqual([
      ["s1", "aborted"],
      ["s1", "aborted"],
    ]);
    await setup.manager.dispose();
    expect(setup.records.map(({ sessionId }) => sessionId)).toEqual(["s1", "s1", "s2"]);
    expect(rewakes).toEqual([]);
  });

  it("E19 a result for a session that is gone is dropped and logged", async () => {
    await setup.fire([
      { event: "Stop", command: `${waitFor("go")}; echo late >&2; exit 2`, asyncRewake: true },
    ]);
    sessions.delete("s1");
    await writeFile(file("go"), "");
    await finished(1);
    expect(rewakes).toEqual([]);
    expect(setup.records[0]?.outcome).toBe("dropped: its session is gone");
    expect(setup.logger.at("info")).toEqual([expect.stringContaining("session s1, which is gone: dropped")]);
  });

  it("a background hook of WorktreeCreate cannot give the path", async () => {
    const result = await setup.fire([{ event: "WorktreeCreate", command: "echo /w", async: true }]);
    expect(result.block?.text).toContain("runs in the background, so its answer cannot count");
    await finished(1);
  });
});
