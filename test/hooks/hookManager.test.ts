import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HookStart } from "../../src/hooks/hookManager.ts";
import { HookManager } from "../../src/hooks/hookManager.ts";
import { HookSetup, hook, sampleEvents } from "../support/hookSetup.ts";

describe("hooks of one event", () => {
  let setup: HookSetup;
  beforeEach(async () => {
    setup = await HookSetup.create();
  });
  afterEach(() => setup.dispose());

  const read = (name: string) => readFile(join(setup.folder, name), "utf8");

  it("H1.2 H18.3 run one after another in order of definition", async () => {
    const commands = ["sleep 0.2; echo 1 >> order", "echo 2 >> order", "echo 3 >> order"];
    await setup.fire(commands.map((command) => ({ event: "PostToolUse", command })));
    expect(await read("order")).toBe("1\n2\n3\n");
  });

  it("E3 H16.5 all run, and the first block in order decides; the reports of the others stay", async () => {
    const result = await setup.fire([
      { event: "PreToolUse", command: "echo broken >&2; exit 1" },
      { event: "PreToolUse", command: "echo first >&2; exit 2", file: "/p/a.json" },
      { event: "PreToolUse", command: "echo second >&2; exit 2" },
      {
        event: "PreToolUse",
        command: `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"CTX"}}'`,
      },
      { event: "PreToolUse", command: "echo worse >&2; exit 3" },
    ]);
    expect(result.block).toEqual({
      text: "PreToolUse:Write hook error: first",
      hook: { source: "project", dialect: "wave", file: "/p/a.json" },
    });
    expect(result.modelMessages).toEqual(["<system-reminder>\nCTX\n</system-reminder>"]);
    expect(result.notices.map(({ text }) => text)).toEqual([
      'PreToolUse hook "echo broken >&2; exit 1" failed with exit code 1: broken',
      'PreToolUse hook "echo worse >&2; exit 3" failed with exit code 3: worse',
    ]);
    expect(result.records.map(({ end }) => end)).toEqual(
      [1, 2, 2, 0, 3].map((code) => ({ kind: "exit", code })),
    );
  });

  it("H16.5 PostToolUse tells the model of the first exit 2 alone", async () => {
    const result = await setup.fire([
      { event: "PostToolUse", command: "echo one >&2; exit 2" },
      { event: "PostToolUse", command: "echo two >&2; exit 2" },
    ]);
    expect(result.modelMessages).toEqual([
      'PostToolUse:Write hook blocking error from command: "echo one >&2; exit 2": one',
    ]);
    expect(result.block).toBeUndefined();
  });

  it("UserPromptSubmit with one block injects nothing of the others either", async () => {
    const result = await setup.fire([
      { event: "UserPromptSubmit", command: "echo context" },
      { event: "UserPromptSubmit", command: `echo '{"systemMessage":"seen"}'; echo no >&2; exit 2` },
    ]);
    expect(result.block?.text).toBe("no");
    expect(result.modelMessages).toEqual([]);
    expect(result.notices).toEqual([{ level: "info", text: "seen" }]);
  });

  it("H16.1 names an MCP tool as the model called it", async () => {
    const event = { ...sampleEvents.PreToolUse, toolName: "mcp__db__query" };
    const hooks = [
      { event: "PreToolUse", matcher: "mcp__db__.*", command: "echo no >&2; exit 2" },
      { event: "PreToolUse", matcher: "mcp__db", command: "echo never >&2; exit 2" },
    ] as const;
    const result = await setup.fire(hooks, event);
    expect(result.block?.text).toBe("PreToolUse:mcp__db__query hook error: no");
    expect(result.records).toHaveLength(1);
  });

  it("H1.3 E1 a failing or hanging hook is reported, and the event goes on", async () => {
    const result = await setup.fire([
      { event: "PostToolUse", command: "sleep 300", timeout: 0.2 },
      { event: "PostToolUse", command: "nosuchcommand" },
      { event: "PostToolUse", command: "echo ran > after" },
    ]);
    expect(await read("after")).toBe("ran\n");
    expect(result.notices.map(({ text }) => text)).toEqual([
      'PostToolUse hook "sleep 300" was ended after its timeout of 0.2 s',
      expect.stringContaining('the command "nosuchcommand" was not found'),
    ]);
    expect(result.modelMessages).toEqual([]);
  });

  it("E5 a missing script is no block, names the command and the cause, and says where the hook stands", async () => {
    const result = await setup.fire([
      { event: "PreToolUse", command: "./gone.sh", file: "/p/.wave/settings.json", line: 7 },
    ]);
    expect(result.block).toBeUndefined();
    expect(result.notices[0]?.text).toContain(
      `PreToolUse hook "./gone.sh" (/p/.wave/settings.json:7) failed with exit code 127: "./gone.sh" does not exist`,
    );
  });

  it("E8 stdout and stderr of a success each follow their own rule", async () => {
    const result = await setup.fire([{ event: "UserPromptSubmit", command: "echo out; echo err >&2" }]);
    expect(result.modelMessages).toEqual(["<system-reminder>\nout\n</system-reminder>"]);
    expect(result.notices).toEqual([]);
  });

  it("E9 a hook that prints nothing leaves nothing behind", async () => {
    for (const event of ["UserPromptSubmit", "Stop", "PreCompact", "SessionStart"] as const) {
      const result = await setup.fire([{ event, command: "true" }]);
      expect({ ...result, records: [] }).toEqual({
        matched: true,
        modelMessages: [],
        notices: [],
        records: [],
      });
    }
    expect(setup.logger.lines).toEqual([]);
  });

  it("E10 a hook killed by a signal is no success", async () => {
    const result = await setup.fire([{ event: "UserPromptSubmit", command: "echo half; kill -KILL $$" }]);
    expect(result.modelMessages).toEqual([]);
    expect(result.notices[0]?.text).toContain("was killed by SIGKILL");
  });

  it("E12 shows stderr that is no UTF-8", async () => {
    const result = await setup.fire([
      { event: "PermissionRequest", command: "printf 'no\\377' >&2; exit 2" },
    ]);
    expect(result.block?.text).toBe("no\uFFFD");
  });

  it("J1 reads JSON after a BOM, and with 1 MiB and more of it", async () => {
    const bom = await setup.fire([
      { event: "Stop", command: `printf '\\357\\273\\277{"decision":"block","reason":"go on"}\\r\\n'` },
    ]);
    expect(bom.block?.text).toBe("go on");
    await writeFile(
      join(setup.folder, "deep"),
      `{"decision":"block","reason":"deep","x":${"[".repeat(400_000)}${"]".repeat(400_000)}}`,
    );
    expect((await setup.fire([{ event: "Stop", command: "cat deep" }])).block?.text).toBe("deep");
  });

  it("E11 output that was cut is text, and says that it was cut", async () => {
    const result = await setup.fire([
      {
        event: "UserPromptSubmit",
        command: `printf '{"x":"'; head -c 2000000 /dev/zero | tr '\\0' x; echo '"}'`,
      },
    ]);
    expect(result.modelMessages[0]).toContain("… [cut: ");
    expect(result.modelMessages[0]?.length).toBeLessThan(1_049_000);
  });

  it("H19.2 PreCompact joins the stdout of all hooks as instructions", async () => {
    const result = await setup.fire([
      { event: "PreCompact", command: "echo keep the names" },
      { event: "PreCompact", command: "echo broken; exit 1" },
      { event: "PreCompact", command: "echo keep the numbers" },
    ]);
    expect(result.compactInstructions).toBe("keep the names\nkeep the numbers");
    expect(result.notices).toEqual([]);
  });

  it("an interruption ends the running hook and starts no further one", async () => {
    const abort = new AbortController();
    setup.hooks.set([
      hook({ event: "Stop", command: "echo up > up; sleep 300" }),
      hook({ event: "Stop", command: "echo ran > never" }),
    ]);
    const firing = setup.manager.fire(sampleEvents.Stop, setup.session, { signal: abort.signal });
    await expect.poll(() => read("up").catch(() => "")).toBe("up\n");
    abort.abort();
    const result = await firing;
    expect(result.notices).toEqual([]);
    expect(result.records.map(({ end }) => end.kind)).toEqual(["aborted"]);
    await expect(read("never")).rejects.toThrow();
  });

  it("tells who watches which hook starts, and never suffers from the watcher", async () => {
    const starts: HookStart[] = [];
    setup.hooks.set([hook({ event: "Stop", command: "true", description: "Check" })]);
    await setup.manager.fire(sampleEvents.Stop, setup.session, {
      onHookStart: (start) => {
        starts.push(start);
        throw new Error("watcher");
      },
    });
    expect(starts).toMatchObject([
      { event: "Stop", command: "true", description: "Check", background: false },
    ]);
    expect(setup.logger.at("error")).toHaveLength(1);
  });

  it("records each run for the observer, with bounded input", async () => {
    const event = { ...sampleEvents.PreToolUse, toolInput: { content: "x".repeat(300_000) } };
    await setup.fire(
      [{ event: "PreToolUse", command: "echo out; echo err >&2; exit 4", matcher: "Write" }],
      event,
    );
    expect(setup.records).toHaveLength(1);
    const [record] = setup.records;
    expect(record).toMatchObject({
      hook: { source: "project", dialect: "wave" },
      event: "PreToolUse",
      command: "echo out; echo err >&2; exit 4",
      matchedOn: "Write",
      sessionId: "s1",
      end: { kind: "exit", code: 4 },
      stdout: "out\n",
      stderr: "err\n",
      background: false,
      outcome: "failed with exit code 4",
    });
    expect(record?.durationMs).toBeGreaterThan(0);
    expect(Math.abs((record?.startedAt ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(record?.stdin.length).toBeLessThan(100_010);
  });

  it("input without a JSON form is a failed start, not a fault of the host", async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const event = { ...sampleEvents.PreToolUse, toolInput: cycle };
    const result = await setup.fire([{ event: "PreToolUse", command: "echo ran > never" }], event);
    expect(result.notices[0]?.text).toContain("cannot be written as JSON");
  });

  it("a runner that breaks its contract hurts nobody", async () => {
    const manager = new HookManager({
      workdir: setup.folder,
      configuration: setup.hooks,
      env: {},
      runner: { run: () => Promise.reject(new Error("broken runner")) },
    });
    setup.hooks.set([hook({ event: "Stop", command: "true" })]);
    const result = await manager.fire(sampleEvents.Stop, setup.session);
    expect(result.notices[0]?.text).toContain("broken runner");
  });
});

describe("which hooks are in force", () => {
  let setup: HookSetup;
  beforeEach(async () => {
    setup = await HookSetup.create();
  });
  afterEach(() => setup.dispose());

  it("H18.1 H18.2 hasHooks says for which events there are hooks", () => {
    expect(setup.manager.hasHooks("Stop")).toBe(false);
    setup.hooks.set([hook({ event: "Stop", command: "echo done" })]);
    expect(setup.manager.hasHooks("Stop")).toBe(true);
    expect(setup.manager.hasHooks("PreToolUse")).toBe(false);
  });

  it("the next event sees a change, and an event under way does not", async () => {
    setup.hooks.set([
      hook({ event: "Stop", command: "echo up > up; while [ ! -e go ]; do sleep 0.02; done" }),
      hook({ event: "Stop", command: "echo old >> log" }),
    ]);
    const firing = setup.manager.fire(sampleEvents.Stop, setup.session);
    const file = (name: string) => join(setup.folder, name);
    await expect.poll(() => readFile(file("up"), "utf8").catch(() => "")).toBe("up\n");
    setup.hooks.set([hook({ event: "Stop", command: "echo new >> log" })]);
    await writeFile(file("go"), "");
    await firing;
    await setup.manager.fire(sampleEvents.Stop, setup.session);
    expect(await readFile(file("log"), "utf8")).toBe("old\nnew\n");
  });

  it("a pattern that cannot compile skips its hook alone, and is said once", async () => {
    const hooks = [
      hook({ event: "PreToolUse", matcher: "(", command: "exit 2" }),
      hook({ event: "PreToolUse", matcher: "Write", command: "true" }),
    ];
    setup.hooks.set(hooks);
    for (let i = 0; i < 3; i++) {
      const result = await setup.manager.fire(sampleEvents.PreToolUse, setup.session);
      expect(result).toMatchObject({ matched: true, records: [{ command: "true" }] });
    }
    expect(setup.logger.at("warn")).toEqual([
      expect.stringContaining("is skipped: Invalid regular expression"),
    ]);
  });

  it("a matcher on an event that takes none does not keep its hook from running", async () => {
    const result = await setup.fire([{ event: "Stop", matcher: "Write", command: "true" }]);
    expect(result.records).toHaveLength(1);
  });

  it.each([
    ["SessionStart", "resume", { ...sampleEvents.SessionStart, source: "resume" }],
    ["SessionEnd", "clear", { ...sampleEvents.SessionEnd, endSource: "clear" }],
    ["PreCompact", "auto", { ...sampleEvents.PreCompact, trigger: "auto" }],
    ["PostCompact", "manual", { ...sampleEvents.PostCompact, trigger: "manual" }],
    ["SubagentStop", "Plan", { ...sampleEvents.SubagentStop, agentType: "Plan" }],
    ["PermissionRequest", "Edit", { ...sampleEvents.PermissionRequest, toolName: "Edit" }],
  ] as const)("%s holds its matcher against %s", async (name, matcher, event) => {
    const hooks = [
      { event: name, matcher, command: "true" },
      { event: name, matcher: "other", command: "true" },
    ];
    const result = await setup.fire(hooks, event);
    expect(result.records.map(({ matchedOn }) => matchedOn)).toEqual([matcher]);
  });

  it("an event that nothing matches runs nothing and gives an empty result", async () => {
    const result = await setup.fire([{ event: "PreToolUse", matcher: "Edit", command: "exit 2" }]);
    expect(result).toEqual({ matched: false, modelMessages: [], notices: [], records: [] });
  });

  it("endless different tool names do not make the memory of selections grow without bound", async () => {
    setup.hooks.set([hook({ event: "PreToolUse", matcher: "Edit", command: "true" })]);
    for (let i = 0; i < 3000; i++) {
      const event = { ...sampleEvents.PreToolUse, toolName: `tool${i}` };
      expect((await setup.manager.fire(event, setup.session)).matched).toBe(false);
    }
    const event = { ...sampleEvents.PreToolUse, toolName: "Edit" };
    expect((await setup.manager.fire(event, setup.session)).matched).toBe(true);
  });

  it("nothing runs after dispose", async () => {
    setup.hooks.set([hook({ event: "Stop", command: "echo ran > never" })]);
    await setup.manager.dispose();
    expect(setup.manager.hasHooks("Stop")).toBe(false);
    expect((await setup.manager.fire(sampleEvents.Stop, setup.session)).matched).toBe(false);
  });
});
