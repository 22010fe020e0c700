import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HookSession } from "../../src/hooks/hookEvent.ts";
import { HookManager, type HookManagerOptions } from "../../src/sdk.ts";
import { sampleEvents } from "../support/hookSetup.ts";
import { nothingLeft } from "../support/processesLeft.ts";
import { RecordingLogger } from "../support/recordingLogger.ts";

const command = (text: string, matcher?: string) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: "command" as const, command: text }],
});

describe("HookManager of the SDK, without an agent", () => {
  let folder: string;
  let marker: string;
  let logger: RecordingLogger;
  let session: HookSession;
  const managers: HookManager[] = [];

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "wave-standalone-")));
    marker = `mark-${randomUUID()}`;
    logger = new RecordingLogger();
    await mkdir(join(folder, "project"));
    session = {
      sessionId: "s",
      transcriptPath: "/t",
      cwd: join(folder, "project"),
      permissionMode: "default",
    };
  });
  afterEach(async () => {
    for (const manager of managers.splice(0)) await manager.dispose();
    await nothingLeft(marker);
    await rm(folder, { recursive: true, force: true });
  });

  function create(more: Partial<HookManagerOptions> = {}): HookManager {
    const manager = new HookManager({
      workdir: join(folder, "project"),
      home: join(folder, "home"),
      env: { PATH: process.env.PATH, MARK: marker },
      logger,
      ...more,
    });
    managers.push(manager);
    return manager;
  }
  async function write(file: string, content: unknown): Promise<void> {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  const log = () => readFile(join(folder, "project/log"), "utf8").catch(() => "");

  it("H18.2 needs no settings at all", async () => {
    const manager = create();
    await manager.load();
    expect(manager.hasHooks("Stop")).toBe(false);
    expect((await manager.fire(sampleEvents.Stop, session)).matched).toBe(false);
  });

  it("H18.1 H18.3 runs hooks of all places, those in code first", async () => {
    const stop = (name: string) => ({ hooks: { Stop: [command(`echo ${name} >> log`)] } });
    await write("project/.wave/settings.local.json", stop("local"));
    await write("project/.wave/settings.json", stop("project"));
    await write("home/.wave/settings.json", stop("user"));
    await write("home/.wave/plugins/one/hooks/hooks.json", stop('"$(basename "$WAVE_PLUGIN_ROOT")"'));
    await write("two/hooks/hooks.json", stop('"$(basename "$CLAUDE_PLUGIN_ROOT")"'));
    const manager = create({ hooks: stop("code").hooks, plugins: [{ path: join(folder, "two") }] });
    await manager.load();
    expect(manager.hasHooks("Stop")).toBe(true);
    await manager.fire(sampleEvents.Stop, session);
    const lines = (await log()).trim().split("\n");
    expect(lines[0]).toBe("code");
    expect(lines.slice(1, 3).sort()).toEqual(["one", "two"]);
    expect(lines.slice(3)).toEqual(["user", "project", "local"]);
  });

  it("E6 the next event sees a change; a file that breaks keeps its last good hooks and is reported", async () => {
    const manager = create();
    const fire = () => manager.fire(sampleEvents.Stop, session);
    await write("project/.wave/settings.json", { hooks: { Stop: [command("echo one >> log")] } });
    await fire();
    await write("project/.wave/settings.json", { hooks: { Stop: [command("echo two >> log")] } });
    await fire();
    await write("project/.wave/settings.json", '{"hooks": {"Stop": [');
    await fire();
    expect(await log()).toBe("one\ntwo\ntwo\n");
    expect(logger.at("warn")).toEqual([expect.stringMatching(/settings\.json:1:\d+: .*stays in force/)]);
    await write("project/.wave/settings.json", { hooks: {} });
    expect((await fire()).matched).toBe(false);
    await write("project/.wave/settings.json", {
      hooks: { Stop: [command("echo no >> log")] },
      disableAllHooks: true,
    });
    expect((await fire()).matched).toBe(false);
  });

  it("H17.4 names the directory in which the hook starts as the project, where a session has none", async () => {
    await mkdir(join(folder, "elsewhere"));
    const manager = create({ hooks: { SessionStart: [command('echo "$PWD,$WAVE_PROJECT_DIR"; exit 1')] } });
    const cwd = join(folder, "elsewhere");
    const result = await manager.executeSessionStartHooks("startup", "s", "/t", { cwd });
    expect(result.records[0]?.stdout).toBe(`${cwd},${cwd}\n`);
  });

  it("S2.1 SE4 gives the context of SessionStart hooks, and nothing for an empty one", async () => {
    const output = (additionalContext: string) =>
      `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext } })}'`;
    const manager = create({
      hooks: { SessionStart: [command(output("CTX"), "resume"), command(output(""))] },
    });
    const resumed = await manager.executeSessionStartHooks("resume", "s", "/t");
    expect(resumed.modelMessages).toEqual(["<system-reminder>\nCTX\n</system-reminder>"]);
    expect((await manager.executeSessionStartHooks("startup", "s", "/t")).modelMessages).toEqual([]);
  });

  it("SE2 SE3 failing session hooks are warnings in the log", async () => {
    const manager = create({ hooks: { SessionStart: [command("./gone")], SessionEnd: [command("exit 2")] } });
    const start = await manager.executeSessionStartHooks("resume", "s", "/t");
    const end = await manager.executeSessionEndHooks("resume", "s", "/t");
    for (const result of [start, end])
      expect(result).toMatchObject({ matched: true, modelMessages: [], notices: [] });
    expect(logger.at("warn")).toEqual([expect.stringContaining("./gone"), expect.stringContaining("exit 2")]);
  });

  it("SessionEnd hooks without a timeout get 10 seconds, all others 10 minutes", async () => {
    const { hookEvents } = await import("../../src/hooks/hookEvents.ts");
    const timeouts = Object.values(hookEvents).flatMap(({ wave }) => wave?.defaultTimeoutMs ?? []);
    expect([...new Set(timeouts)].sort()).toEqual([10_000, 600_000]);
    expect(hookEvents.SessionEnd.wave?.defaultTimeoutMs).toBe(10_000);
  });

  it("E4 keeps credentials that it is told of from hooks", async () => {
    const manager = create({
      env: { PATH: process.env.PATH, MARK: marker, ANY_NAME: "sk-1" },
      credentials: ["sk-1"],
      hooks: { Stop: [command("env; exit 1")] },
    });
    const result = await manager.fire(sampleEvents.Stop, session);
    expect(result.records[0]?.stdout).toContain("MARK=");
    expect(result.records[0]?.stdout).not.toContain("sk-1");
  });

  it("dispose ends what hooks left running", async () => {
    const manager = create({ hooks: { Stop: [command("sleep 300 > /dev/null 2>&1 & exit 0")] } });
    await manager.fire(sampleEvents.Stop, session);
    await manager.dispose();
    await nothingLeft(marker);
  });
});
