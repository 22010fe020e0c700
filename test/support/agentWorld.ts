import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { Agent } from "../../src/agent/agent.ts";
import type { AgentOptions, HooksOption, TurnStatus } from "../../src/agent/agentOptions.ts";
import type { Message, ToolBlock } from "../../src/agent/messages/message.ts";
import {
  type AnswerScript,
  type ModelService,
  type ScriptedAnswer,
  startModelService,
} from "./modelService.ts";
import { nothingLeft } from "./processesLeft.ts";
import { RecordingLogger } from "./recordingLogger.ts";
import { tempFolder } from "./tempFolder.ts";

/** A home folder, a project, a scripted model service and an agent in them. Everything ends with the test, which fails where a process is left. */
export class AgentWorld {
  readonly home = tempFolder("wave-home-");
  readonly project = tempFolder("wave-project-");
  readonly logger = new RecordingLogger();
  readonly statuses: TurnStatus[] = [];
  /** Carried by the environment of every process that the agent starts. */
  readonly marker = `mark-${randomUUID()}`;
  readonly env: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    HOME: this.home,
    MARK: this.marker,
  };
  /** Handed to the agent by tests of its searches. */
  ripgrepPath: string | undefined;
  private readonly agents: Agent[] = [];

  private constructor(readonly service: ModelService) {}

  static async open(script?: readonly ScriptedAnswer[] | AnswerScript): Promise<AgentWorld> {
    const world = new AgentWorld(await startModelService(script));
    onTestFinished(async () => {
      await Promise.all(world.agents.map((agent) => agent.destroy()));
      await nothingLeft(world.marker);
    });
    return world;
  }

  async agent(options: AgentOptions = {}): Promise<Agent> {
    const agent = await Agent.create({
      workdir: this.project,
      home: this.home,
      env: this.env,
      baseURL: this.service.baseURL,
      apiKey: "sk-the-models-own-key",
      model: "test-model",
      logger: this.logger,
      permissionMode: "bypassPermissions",
      ...options,
      callbacks: { onTurnStatusChanged: (status) => this.statuses.push(status), ...options.callbacks },
    });
    this.agents.push(agent);
    return agent;
  }

  /** Settings of the project. */
  settings(settings: { hooks?: HooksOption } & Record<string, unknown>): string {
    return this.write(".wave/settings.json", JSON.stringify(settings, undefined, 2));
  }

  userSettings(settings: { hooks?: HooksOption } & Record<string, unknown>): string {
    const file = join(this.home, ".wave/settings.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(settings));
    return file;
  }

  /** A file of the project; returns its absolute path. */
  write(name: string, content: string | Uint8Array, mode?: number): string {
    const file = join(this.project, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, mode === undefined ? {} : { mode });
    return file;
  }

  read(name: string): string {
    return readFileSync(join(this.project, name), "utf8");
  }

  has(name: string): boolean {
    return existsSync(join(this.project, name));
  }

  /** JSON lines that hooks wrote with `>> name`. */
  records(name: string): Record<string, unknown>[] {
    if (!this.has(name)) return [];
    return this.read(name)
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

/** Hooks of one event, from commands. */
export function hooksFor(
  event: string,
  ...hooks: (
    | string
    | { command: string; matcher?: string; timeout?: number; async?: boolean; asyncRewake?: boolean }
  )[]
): HooksOption {
  return {
    [event]: hooks.map((hook) => {
      const { matcher, ...rest } = typeof hook === "string" ? { command: hook, matcher: undefined } : hook;
      return {
        ...(matcher === undefined ? {} : { matcher }),
        hooks: [{ type: "command" as const, ...rest }],
      };
    }),
  };
}

/** A command that appends its input, one line of JSON, to a file of the project. */
export function recordTo(name: string): string {
  return `cat >> "$WAVE_PROJECT_DIR/${name}"`;
}

export function toolBlocks(messages: readonly Message[]): ToolBlock[] {
  return messages.flatMap((message) => message.blocks.filter((block) => block.type === "tool"));
}

export function metaTexts(messages: readonly Message[]): string[] {
  return messages.filter((message) => message.isMeta).map(textIn);
}

export function notices(messages: readonly Message[], level?: string): string[] {
  return messages.flatMap((message) =>
    message.blocks.flatMap((block) =>
      block.type === "notice" && (level === undefined || block.level === level) ? [block.content] : [],
    ),
  );
}

export function textIn(message: Message | undefined): string {
  if (!message) return "";
  return message.blocks.map((block) => (block.type === "text" ? block.content : "")).join("\n");
}

/** Everything that the model was sent in its n-th request (from the end for negative numbers), as one text. */
export function requestText(service: ModelService, index: number): string {
  return JSON.stringify(service.requests.at(index)?.messages ?? []);
}

/** Resolves when `condition` holds; rejects after fifteen seconds: how busy the machine is must not decide a test. */
export async function until(condition: () => boolean, what = "the condition"): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
