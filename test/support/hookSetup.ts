import { randomUUID } from "node:crypto";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HookConfigurationSource } from "../../src/hooks/hookConfigurationSource.ts";
import type { HookConfiguration, HookDefinition, HookProvenance } from "../../src/hooks/hookDefinition.ts";
import type { HookEvent, HookEventName, HookSession } from "../../src/hooks/hookEvent.ts";
import { HookManager, type HookManagerOptions } from "../../src/hooks/hookManager.ts";
import type { HookRunRecord } from "../../src/hooks/hookResult.ts";
import { ProcessCommandRunner } from "../../src/process/processCommandRunner.ts";
import { nothingLeft } from "./processesLeft.ts";
import { RecordingLogger } from "./recordingLogger.ts";

/** Hooks that a test sets; the next event sees them. */
export class FixedHooks implements HookConfigurationSource {
  latest: HookConfiguration = { hooks: [], revision: 0 };

  set(hooks: readonly HookDefinition[]): void {
    this.latest = { hooks, revision: this.latest.revision + 1 };
  }

  current(): HookConfiguration {
    return this.latest;
  }
}

export type HookWords = {
  event: HookEventName;
  command: string;
  matcher?: string;
  description?: string;
  /** Seconds. */
  timeout?: number;
  async?: boolean;
  asyncRewake?: boolean;
} & Partial<HookProvenance>;

/** A definition as the settings loader makes it. */
export function hook(words: HookWords): HookDefinition {
  const { event, command, matcher, description, timeout, async, asyncRewake, ...provenance } = words;
  return {
    event,
    writtenEvent: event,
    ...(matcher === undefined ? {} : { matcher }),
    action: { type: "command", command },
    ...(description === undefined ? {} : { description }),
    timeoutMs: (timeout ?? 600) * 1000,
    timeoutIsExplicit: timeout !== undefined,
    async: async === true || asyncRewake === true,
    asyncRewake: asyncRewake === true,
    provenance: { source: "project", dialect: "wave", ...provenance },
  };
}

/** One event of each name that the Wave dialect knows. */
export const sampleEvents = {
  PreToolUse: {
    name: "PreToolUse",
    toolName: "Write",
    toolInput: { file_path: "/p/a.txt", content: "語" },
    toolUseId: "call-1",
  },
  PostToolUse: {
    name: "PostToolUse",
    toolName: "Write",
    toolInput: { file_path: "/p/a.txt", content: "x" },
    toolUseId: "call-1",
    toolResponse: { success: true, filePath: "/p/a.txt" },
  },
  UserPromptSubmit: { name: "UserPromptSubmit", prompt: "do it" },
  Stop: { name: "Stop", stopHookActive: false, backgroundTasks: [], sessionCrons: [] },
  SubagentStop: {
    name: "SubagentStop",
    stopHookActive: false,
    agentId: "a1",
    agentType: "Explore",
    agentTranscriptPath: "/s/session_1.subagent_a1.json",
  },
  PermissionRequest: {
    name: "PermissionRequest",
    toolName: "Bash",
    toolInput: { command: "ls" },
    toolUseId: "call-2",
  },
  WorktreeCreate: { name: "WorktreeCreate", worktreeName: "feature" },
  WorktreeRemove: { name: "WorktreeRemove", worktreePath: "/w/feature" },
  PreCompact: { name: "PreCompact", trigger: "manual", customInstructions: "keep names" },
  PostCompact: { name: "PostCompact", trigger: "auto", compactSummary: "all said" },
  SessionStart: { name: "SessionStart", source: "startup" },
  SessionEnd: { name: "SessionEnd", endSource: "other" },
} as const satisfies Partial<Record<HookEventName, HookEvent>>;

export type WaveEventName = keyof typeof sampleEvents;
export const waveEvents = Object.keys(sampleEvents) as WaveEventName[];

/** A manager with real processes in a folder of its own. `dispose` fails where a process is left. */
export class HookSetup {
  readonly hooks = new FixedHooks();
  readonly logger = new RecordingLogger();
  readonly records: HookRunRecord[] = [];
  readonly manager: HookManager;
  readonly session: HookSession;
  readonly folder: string;
  readonly runner: ProcessCommandRunner;
  private readonly marker: string;

  private constructor(folder: string, more: Partial<HookManagerOptions>) {
    this.folder = folder;
    this.marker = `mark-${randomUUID()}`;
    this.runner = new ProcessCommandRunner({ home: folder });
    this.session = {
      sessionId: "s1",
      transcriptPath: join(folder, "session_s1.json"),
      cwd: folder,
      projectDir: folder,
      permissionMode: "default",
      turnId: "t1",
    };
    this.manager = new HookManager({
      workdir: folder,
      configuration: this.hooks,
      runner: this.runner,
      logger: this.logger,
      observer: (record) => this.records.push(record),
      ...more,
      env: { PATH: process.env.PATH, MARK: this.marker, ...more.env },
    });
  }

  static async create(more: Partial<HookManagerOptions> = {}): Promise<HookSetup> {
    return new HookSetup(await realpath(await mkdtemp(join(tmpdir(), "wave-hooks-"))), more);
  }

  /** Runs these hooks for the sample event of the first one's name, or for `event`. */
  fire(hooks: readonly HookWords[], event?: HookEvent, session: Partial<HookSession> = {}) {
    this.hooks.set(hooks.map(hook));
    const name = hooks[0]?.event as WaveEventName;
    return this.manager.fire(event ?? sampleEvents[name], { ...this.session, ...session });
  }

  async dispose(): Promise<void> {
    await this.manager.dispose();
    await this.runner.dispose();
    await nothingLeft(this.marker);
    await rm(this.folder, { recursive: true, force: true });
  }
}
