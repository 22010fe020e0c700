import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HookEvent, HookSession } from "../../src/hooks/hookEvent.ts";
import { permissionModes } from "../../src/hooks/hookEvent.ts";
import { hookEvents } from "../../src/hooks/hookEvents.ts";
import { HookSetup, sampleEvents, type WaveEventName, waveEvents } from "../support/hookSetup.ts";

/** The fields of design.md section 4 beyond the common ones; those that may be absent are given in the second event of a kind. */
const fields: Record<WaveEventName, string[]> = {
  PreToolUse: ["tool_name", "tool_input", "tool_use_id"],
  PostToolUse: ["tool_name", "tool_input", "tool_response", "tool_use_id"],
  UserPromptSubmit: ["prompt"],
  Stop: ["stop_hook_active", "background_tasks", "session_crons"],
  SubagentStop: ["stop_hook_active", "agent_id", "agent_type", "agent_transcript_path"],
  PermissionRequest: ["tool_name", "tool_input", "tool_use_id"],
  WorktreeCreate: ["name"],
  WorktreeRemove: ["worktree_path"],
  PreCompact: ["trigger", "custom_instructions"],
  PostCompact: ["trigger", "compact_summary"],
  SessionStart: ["source"],
  SessionEnd: ["end_source"],
};

describe("a hook's input", () => {
  let setup: HookSetup;
  beforeAll(async () => {
    setup = await HookSetup.create();
  });
  afterAll(() => setup.dispose());

  /** What a real process reads from stdin. */
  async function inputOf(
    event: HookEvent,
    session: Partial<HookSession> = {},
  ): Promise<Record<string, unknown>> {
    const result = await setup.fire([{ event: event.name, command: "cat; echo; exit 1" }], event, session);
    const text = result.records[0]?.stdout ?? "";
    expect(text.trim().split("\n")).toHaveLength(1);
    return JSON.parse(text);
  }

  it.each(waveEvents)("H24.3 H22.5 H24.4 H21.8 of %s has exactly its fields", async (name) => {
    const input = await inputOf(sampleEvents[name]);
    expect(Object.keys(input)).toEqual([
      "session_id",
      "transcript_path",
      "cwd",
      "hook_event_name",
      "permission_mode",
      ...fields[name],
    ]);
    expect(input).toMatchObject({
      session_id: "s1",
      transcript_path: setup.session.transcriptPath,
      cwd: setup.folder,
      hook_event_name: name,
      permission_mode: "default",
    });
    const documented = hookEvents[name].wave?.inputFields.filter((field) => !field.endsWith("?"));
    expect(documented).toEqual(fields[name]);
  });

  it.each(permissionModes)("H24.3 names the permission mode %s", async (permissionMode) => {
    expect(await inputOf(sampleEvents.PreToolUse, { permissionMode })).toMatchObject({
      permission_mode: permissionMode,
    });
  });

  it("H4.1 H4.2 names the tool and its input as they are", async () => {
    expect(await inputOf(sampleEvents.PreToolUse)).toMatchObject({
      tool_name: "Write",
      tool_input: { file_path: "/p/a.txt", content: "語" },
      tool_use_id: "call-1",
    });
    const read = { ...sampleEvents.PreToolUse, toolName: "Read", toolInput: { file_path: "/p/b", limit: 3 } };
    expect(await inputOf(read)).toMatchObject({
      tool_name: "Read",
      tool_input: { file_path: "/p/b", limit: 3 },
    });
  });

  it("H5.1 H5.2 gives the tool's response, of a failure with its error", async () => {
    expect(await inputOf(sampleEvents.PostToolUse)).toMatchObject({
      tool_input: { file_path: "/p/a.txt", content: "x" },
      tool_response: { success: true, filePath: "/p/a.txt" },
    });
    const failed = { ...sampleEvents.PostToolUse, toolResponse: { success: false, error: "no space left" } };
    expect(await inputOf(failed)).toMatchObject({
      tool_response: { success: false, error: "no space left" },
    });
  });

  it("V11 S1.1 gives source and end_source, also through the methods for sessions", async () => {
    setup.hooks.set([]);
    const hooks = [
      { event: "SessionStart", command: "cat; exit 1" },
      { event: "SessionEnd", command: "cat; exit 1" },
    ] as const;
    await setup.fire(hooks);
    const start = await setup.manager.executeSessionStartHooks("resume", "s2", "/t/2");
    const end = await setup.manager.executeSessionEndHooks("resume", "s1", "/t/1");
    expect(JSON.parse(start.records[0]?.stdout ?? "")).toEqual({
      session_id: "s2",
      transcript_path: "/t/2",
      cwd: setup.folder,
      hook_event_name: "SessionStart",
      permission_mode: "default",
      source: "resume",
    });
    expect(JSON.parse(end.records[0]?.stdout ?? "")).toMatchObject({
      session_id: "s1",
      end_source: "resume",
    });
  });

  it("H21.1 to H21.5 gives Stop its background tasks and schedules, in the shapes of the field", async () => {
    const input = await inputOf({
      name: "Stop",
      stopHookActive: true,
      backgroundTasks: [
        { id: "1", type: "subagent", status: "running", agentType: "Explore", description: "look" },
        { id: "2", type: "shell", status: "running", command: "npm test" },
        { id: "3", type: "workflow", status: "running", name: "release" },
      ],
      sessionCrons: [{ id: "c", schedule: "0 9 * * 1", recurring: true, prompt: "report" }],
    });
    expect(input).toMatchObject({ stop_hook_active: true });
    expect(input.background_tasks).toEqual([
      { id: "1", type: "subagent", status: "running", description: "look", agent_type: "Explore" },
      { id: "2", type: "shell", status: "running", command: "npm test" },
      { id: "3", type: "workflow", status: "running", name: "release" },
    ]);
    expect(input.session_crons).toEqual([
      { id: "c", schedule: "0 9 * * 1", recurring: true, prompt: "report" },
    ]);
  });

  it("H21.9 cuts long descriptions and commands at 1000 characters and says by how much", async () => {
    const input = await inputOf({
      ...sampleEvents.Stop,
      backgroundTasks: [
        {
          id: "1",
          type: "shell",
          status: "running",
          command: "x".repeat(1234),
          description: "y".repeat(1000),
        },
        { id: "2", type: "subagent", status: "running", description: "😀".repeat(1001) },
      ],
    });
    expect(input.background_tasks).toMatchObject([
      { command: `${"x".repeat(1000)}… [+234 chars]`, description: "y".repeat(1000) },
      { description: `${"😀".repeat(1000)}… [+1 chars]` },
    ]);
  });

  it.each(["Stop", "SubagentStop"] as const)(
    "H22.1 H22.3 H22.4 gives %s the last assistant text, if any",
    async (name) => {
      const event = sampleEvents[name];
      expect(await inputOf({ ...event, lastAssistantMessage: " said\n" })).toMatchObject({
        last_assistant_message: "said",
      });
      expect(await inputOf({ ...event, lastAssistantMessage: "  " })).not.toHaveProperty(
        "last_assistant_message",
      );
      expect(await inputOf(event)).not.toHaveProperty("last_assistant_message");
    },
  );

  it("inside a subagent says whose tool call it is", async () => {
    const input = await inputOf(sampleEvents.PreToolUse, { agentId: "a7", agentType: "Explore" });
    expect(input).toMatchObject({ agent_id: "a7", agent_type: "Explore" });
  });

  it("H17.1 H17.2 the working directory follows the session, WAVE_PROJECT_DIR does not", async () => {
    const sub = join(setup.folder, "packages", "code");
    await mkdir(sub, { recursive: true });
    const command = 'pwd; echo "$WAVE_PROJECT_DIR"; echo "$CLAUDE_PROJECT_DIR"; exit 1';
    const hooks = [{ event: "PreToolUse", command }] as const;
    const moved = await setup.fire(hooks, undefined, { cwd: sub });
    expect(moved.records[0]?.stdout).toBe(`${sub}\n${setup.folder}\n${setup.folder}\n`);

    // H17.3
    await rm(sub, { recursive: true });
    const gone = await setup.fire(hooks, undefined, { cwd: sub });
    expect(gone.records[0]?.stdout).toBe(`${setup.folder}\n${setup.folder}\n${setup.folder}\n`);

    // H17.4
    await mkdir(sub, { recursive: true });
    setup.hooks.set([]);
    const { projectDir: _, ...rootless } = setup.session;
    await setup.fire(hooks);
    const result = await setup.manager.fire(sampleEvents.PreToolUse, { ...rootless, cwd: sub });
    expect(result.records[0]?.stdout).toBe(`${sub}\n${sub}\n${sub}\n`);
  });
});
