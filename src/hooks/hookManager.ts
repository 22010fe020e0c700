import { isDeepStrictEqual } from "node:util";
import type { Logger } from "../base/logger.ts";
import { silentLogger } from "../base/logger.ts";
import { type AsyncHookScope, BackgroundHooks } from "./backgroundHooks.ts";
import type { CommandResult, CommandRunner } from "./commandRunner.ts";
import { createCopilotDialect } from "./copilotDialect.ts";
import { commandText, describeFailure, nameHook } from "./describeHookRun.ts";
import type { HookConfigurationSource } from "./hookConfigurationSource.ts";
import type { HookConfiguration, HookDefinition, HookProvenance } from "./hookDefinition.ts";
import type { HookDialect, HookEffects, HookRunEffects } from "./hookDialect.ts";
import { type Environment, withoutCredentials } from "./hookEnvironment.ts";
import type {
  CopilotEndReason,
  HookEvent,
  HookEventName,
  HookSession,
  PermissionMode,
  SessionEndSource,
  SessionStartSource,
} from "./hookEvent.ts";
import type { HookHttpClient } from "./hookHttpClient.ts";
import { HookIndex, type SelectableHook } from "./hookIndex.ts";
import type { HookEventResult, HookRunRecord } from "./hookResult.ts";
import { mergeEffects, nothingMatched } from "./mergeEffects.ts";
import { wrapInSystemReminder } from "./neutralizeReminderTags.ts";
import { inputText, makeRecord, runHook } from "./runHook.ts";
import { waveDialect } from "./waveDialect.ts";

export interface HookManagerOptions {
  /** Absolute path: where sessions start, and where a hook starts when its own directory is gone. */
  workdir: string;
  configuration: HookConfigurationSource;
  runner: CommandRunner;
  /** Absent where hooks over HTTP are not supported. */
  http?: HookHttpClient;
  /** The environment that hooks inherit, as it is now; the model's credentials are removed from it. */
  env: Environment;
  /** Values in use as model keys: every variable that holds one is kept from hooks. Asked at each run. */
  credentials?: () => readonly string[];
  dialects?: readonly HookDialect[];
  logger?: Logger;
  /** Told of each finished run. Must not throw. */
  observer?: (record: HookRunRecord) => void;
  /** Delivers the text of an asyncRewake hook to the session that started it; false where that session is gone (E19). */
  onRewake?: (rewake: HookRewake) => boolean;
  /** The mode named to hooks by `executeSessionStartHooks` and `executeSessionEndHooks`. Default: "default". */
  permissionMode?: () => PermissionMode;
  /** What those two say of the session beside their arguments. */
  session?: () => Partial<HookSession>;
  /** Milliseconds since 1970. */
  now?: () => number;
}

export interface HookRewake {
  sessionId: string;
  /** Inside `<system-reminder>`, final. */
  text: string;
  event: HookEventName;
  hook: HookProvenance;
}

/** A hook that is about to run, for whoever shows progress. */
export interface HookStart {
  event: HookEventName;
  command: string;
  description?: string;
  background: boolean;
  provenance: HookProvenance;
}

export interface FireOptions {
  /** Aborts when the user interrupts: the running hook's whole process tree ends, the others do not start. */
  signal?: AbortSignal;
  onHookStart?: (hook: HookStart) => void;
}

/**
 * Loads nothing and starts nothing itself: takes the configuration that is in force, selects, runs in order, and says as data
 * what the hooks ask for. Nothing that a hook does makes it throw or reject.
 */
export class HookManager {
  private readonly options: HookManagerOptions;
  private readonly logger: Logger;
  private readonly dialects: readonly HookDialect[];
  private readonly background = new BackgroundHooks();
  private readonly inherited: Environment;
  private cleanEnvironment:
    | { credentials: readonly string[]; variables: Readonly<Record<string, string>> }
    | undefined;
  private indexed: { configuration: HookConfiguration; index: HookIndex } | undefined;
  private disposed = false;

  constructor(options: HookManagerOptions) {
    this.options = options;
    this.logger = options.logger ?? silentLogger;
    this.inherited = { ...options.env };
    this.dialects = options.dialects ?? [waveDialect, createCopilotDialect(options.now)];
  }

  /** Whether a hook for this event is in force, as of the last time that the configuration was looked at. */
  hasHooks(event: HookEventName): boolean {
    return !this.disposed && this.indexOf(this.options.configuration.latest).has(event);
  }

  /** Runs the hooks that match, one after another in definition order. Never rejects. */
  fire(event: HookEvent, session: HookSession, options: FireOptions = {}): Promise<HookEventResult> {
    // Not an async function: where nothing matches, an event must cost next to nothing.
    if (this.disposed) return nothingMatchedPromise;
    const configuration = this.options.configuration.current();
    if (isPromise(configuration)) {
      return configuration.then((loaded) => this.fireWith(loaded, event, session, options));
    }
    return this.fireWith(configuration, event, session, options);
  }

  /** @param session What differs from a session in `workdir`, in the mode of `permissionMode`. */
  executeSessionStartHooks(
    source: SessionStartSource,
    sessionId: string,
    transcriptPath: string,
    session: Partial<HookSession> & { initialPrompt?: string; restored?: boolean } = {},
    options?: FireOptions,
  ): Promise<HookEventResult> {
    const { initialPrompt, restored, ...where } = session;
    const event: HookEvent = {
      name: "SessionStart",
      source,
      ...(initialPrompt === undefined ? {} : { initialPrompt }),
      ...(restored === undefined ? {} : { restored }),
    };
    return this.fire(event, this.sessionOf(sessionId, transcriptPath, where), options);
  }

  /** @param session What differs from a session in `workdir`, in the mode of `permissionMode`. */
  executeSessionEndHooks(
    endSource: SessionEndSource,
    sessionId: string,
    transcriptPath: string,
    session: Partial<HookSession> & { reason?: CopilotEndReason } = {},
    options?: FireOptions,
  ): Promise<HookEventResult> {
    const { reason, ...where } = session;
    const event: HookEvent = { name: "SessionEnd", endSource, ...(reason === undefined ? {} : { reason }) };
    return this.fire(event, this.sessionOf(sessionId, transcriptPath, where), options);
  }

  /** Ends background hooks; resolves when their processes are gone. What they would have said is dropped. */
  endAsyncHooks(scope: AsyncHookScope): Promise<void> {
    return this.background.end(scope);
  }

  /** Ends all background hooks. No event runs a hook afterwards. */
  dispose(): Promise<void> {
    this.disposed = true;
    return this.background.end();
  }

  private sessionOf(sessionId: string, transcriptPath: string, session: Partial<HookSession>): HookSession {
    return {
      cwd: this.options.workdir,
      permissionMode: this.options.permissionMode?.() ?? "default",
      ...this.options.session?.(),
      ...session,
      sessionId,
      transcriptPath,
    };
  }

  private indexOf(configuration: HookConfiguration): HookIndex {
    const known = this.indexed;
    if (known !== undefined && known.configuration.revision === configuration.revision) return known.index;
    const index = new HookIndex(configuration, this.dialects, this.logger);
    this.indexed = { configuration, index };
    return index;
  }

  private fireWith(
    configuration: HookConfiguration,
    event: HookEvent,
    session: HookSession,
    options: FireOptions,
  ): Promise<HookEventResult> {
    const hooks = this.indexOf(configuration).select(event);
    return hooks.length === 0 ? nothingMatchedPromise : this.runAll(hooks, event, session, options);
  }

  private async runAll(
    hooks: readonly SelectableHook[],
    event: HookEvent,
    session: HookSession,
    options: FireOptions,
  ): Promise<HookEventResult> {
    const runs: HookRunEffects[] = [];
    const records: HookRunRecord[] = [];
    for (const selected of hooks) {
      if (options.signal?.aborted) break;
      const { hook } = selected;
      this.announce(hook, event, options);
      if (hook.async) {
        this.startInBackground(selected, event, session);
        const failure = `${nameHook(hook)} runs in the background, so its answer cannot count`;
        runs.push({
          hook,
          effects: { outcome: "runs in the background", context: [], notices: [], failure },
        });
        continue;
      }
      const { effects, record } = await this.runOne(selected, event, session, options.signal);
      runs.push({ hook, effects });
      records.push(record);
      if (effects.log !== undefined) this.logger[effects.log.level](effects.log.text);
      if (effects.endsEvent) break;
    }
    return mergeEffects(event, runs, this.dialects, records);
  }

  private async runOne(
    selected: SelectableHook,
    event: HookEvent,
    session: HookSession,
    signal: AbortSignal | undefined,
  ): Promise<{ effects: HookEffects; record: HookRunRecord }> {
    const { hook, dialect } = selected;
    const { startedAt, stdin, result } = await this.execute(selected, event, session, signal);
    const effects = dialect.interpret({ hook, event, session, result });
    const record = makeRecord({ hook, event, session, stdin }, startedAt, result, {
      outcome: effects.outcome,
      background: false,
      matchedOn: dialect.matchedOn(event),
    });
    this.observe(record);
    return { effects, record };
  }

  private async execute(
    selected: SelectableHook,
    event: HookEvent,
    session: HookSession,
    signal: AbortSignal | undefined,
  ): Promise<{ startedAt: number; stdin: string; result: CommandResult }> {
    const startedAt = this.options.now?.() ?? Date.now();
    const input = inputText(selected, event, session);
    if (!input.ok) return { startedAt, stdin: "", result: input.result };
    const { stdin } = input;
    const { runner, http, workdir } = this.options;
    const environment = this.environment();
    const result = await runHook(
      { ...selected, event, session, stdin, signal },
      { runner, environment, workdir, ...(http === undefined ? {} : { http }) },
    );
    return { startedAt, stdin, result };
  }

  /** Made anew only when a key changes: going through `process.env` costs more than the rest of an event. */
  private environment(): Readonly<Record<string, string>> {
    const credentials = this.options.credentials?.() ?? [];
    const known = this.cleanEnvironment;
    if (known !== undefined && isDeepStrictEqual(known.credentials, credentials)) return known.variables;
    const variables = withoutCredentials(this.inherited, credentials);
    this.cleanEnvironment = { credentials: [...credentials], variables };
    return variables;
  }

  private startInBackground(selected: SelectableHook, event: HookEvent, session: HookSession): void {
    const { hook, dialect } = selected;
    const { sessionId, turnId } = session;
    this.background.start({ sessionId, turnId, asyncRewake: hook.asyncRewake }, async (signal) => {
      const { startedAt, stdin, result } = await this.execute(selected, event, session, signal);
      const outcome = this.finishInBackground(hook, event, session, result, dialect.timeoutMs(hook), signal);
      const details = { outcome, background: true, matchedOn: dialect.matchedOn(event) };
      this.observe(makeRecord({ hook, event, session, stdin }, startedAt, result, details));
    });
  }

  /** @returns The outcome in words. A background hook's output goes to the log alone, but for exit code 2 with asyncRewake. */
  private finishInBackground(
    hook: HookDefinition,
    event: HookEvent,
    session: HookSession,
    result: CommandResult,
    timeoutMs: number,
    signal: AbortSignal,
  ): string {
    const { end } = result;
    if (signal.aborted || end.kind === "aborted") return "ended with its session or turn";
    if (end.kind !== "exit" || (end.code !== 0 && !(hook.asyncRewake && end.code === 2))) {
      this.logger.warn(describeFailure(hook, result, timeoutMs));
      return "failed in the background; logged";
    }
    if (end.code === 0) return "succeeded in the background; its output is not delivered";
    const said = result.stderr.trim() || result.stdout.trim() || `${nameHook(hook)} exited with code 2`;
    const delivered = this.rewake({
      sessionId: session.sessionId,
      text: wrapInSystemReminder(said),
      event: event.name,
      hook: hook.provenance,
    });
    if (delivered) return "woke the session";
    this.logger.info(
      `${nameHook(hook)} wanted to wake the session ${session.sessionId}, which is gone: dropped.`,
    );
    return "dropped: its session is gone";
  }

  private rewake(rewake: HookRewake): boolean {
    try {
      return this.options.onRewake?.(rewake) ?? false;
    } catch (error) {
      this.logger.error("Delivering the text of an asyncRewake hook failed.", error);
      return false;
    }
  }

  private announce(hook: HookDefinition, event: HookEvent, options: FireOptions): void {
    if (options.onHookStart === undefined) return;
    try {
      options.onHookStart({
        event: event.name,
        command: commandText(hook),
        ...(hook.description === undefined ? {} : { description: hook.description }),
        background: hook.async,
        provenance: hook.provenance,
      });
    } catch (error) {
      this.logger.error("The listener for starting hooks failed.", error);
    }
  }

  private observe(record: HookRunRecord): void {
    try {
      this.options.observer?.(record);
    } catch (error) {
      this.logger.error("The observer of hook runs failed.", error);
    }
  }
}

const nothingMatchedPromise: Promise<HookEventResult> = Promise.resolve(nothingMatched);

function isPromise(
  value: HookConfiguration | Promise<HookConfiguration>,
): value is Promise<HookConfiguration> {
  return typeof (value as { then?: unknown }).then === "function";
}
