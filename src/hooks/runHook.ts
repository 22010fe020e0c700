import type { CommandResult, CommandRunner } from "./commandRunner.ts";
import { commandText } from "./describeHookRun.ts";
import type { HookDefinition } from "./hookDefinition.ts";
import { hookEnvironment, substitutePluginRoot } from "./hookEnvironment.ts";
import type { HookEvent, HookSession } from "./hookEvent.ts";
import type { SelectableHook } from "./hookIndex.ts";
import type { HookRunRecord } from "./hookResult.ts";

/** A record keeps this much of stdin; tool inputs may hold whole files. */
const longestRecordedInput = 100_000;

export interface HookRun extends SelectableHook {
  event: HookEvent;
  session: HookSession;
  stdin: string;
  signal: AbortSignal | undefined;
}

export interface HookRunPorts {
  runner: CommandRunner;
  /** The environment for every process, already without credentials. */
  environment: Readonly<Record<string, string>>;
  workdir: string;
}

/** Runs one hook to its end. */
export async function runHook(run: HookRun, ports: HookRunPorts): Promise<CommandResult> {
  const { hook, dialect, session } = run;
  const { action, provenance } = hook;
  if (action.type !== "command")
    return notStarted(`hooks of the type "${action.type}" are not supported here`);
  const env = hookEnvironment(ports.environment, action, provenance, session.projectDir);
  try {
    return await ports.runner.run({
      command: substitutePluginRoot(action.command, provenance.pluginRoot),
      cwd: action.cwd ?? session.cwd,
      fallbackCwd: session.projectDir ?? ports.workdir,
      env: env.variables,
      startDirectoryVariables: env.startDirectoryVariables,
      stdin: run.stdin,
      timeoutMs: dialect.timeoutMs(hook),
      ...(run.signal === undefined ? {} : { signal: run.signal }),
    });
  } catch (error) {
    // The runner's contract forbids it; a hook must not be able to hurt the host even so.
    return notStarted(error instanceof Error ? error.message : String(error));
  }
}

/** @param stdin JSON text for the process; empty where the input has no JSON form. */
export function inputText(
  { hook, dialect }: SelectableHook,
  event: HookEvent,
  session: HookSession,
): { ok: true; stdin: string } | { ok: false; result: CommandResult } {
  try {
    return { ok: true, stdin: `${JSON.stringify(dialect.buildInput(hook, event, session))}\n` };
  } catch (error) {
    // Tool inputs come from models and from the SDK's callers: a cycle or a BigInt has no JSON form.
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, result: notStarted(`its input cannot be written as JSON: ${reason}`) };
  }
}

export function makeRecord(
  run: { hook: HookDefinition; event: HookEvent; session: HookSession; stdin: string },
  startedAt: number,
  result: CommandResult,
  details: { outcome: string; background: boolean; matchedOn: string | undefined },
): HookRunRecord {
  return {
    hook: run.hook.provenance,
    event: run.event.name,
    command: commandText(run.hook),
    ...(details.matchedOn === undefined ? {} : { matchedOn: details.matchedOn }),
    sessionId: run.session.sessionId,
    startedAt,
    durationMs: result.durationMs,
    end: result.end,
    stdin:
      run.stdin.length > longestRecordedInput ? `${run.stdin.slice(0, longestRecordedInput)}…` : run.stdin,
    stdout: result.stdout,
    stderr: result.stderr,
    background: details.background,
    outcome: details.outcome,
  };
}

function notStarted(reason: string): CommandResult {
  return {
    end: { kind: "failedToStart", reason },
    stdout: "",
    stderr: "",
    stdoutWasCut: false,
    stderrWasCut: false,
    durationMs: 0,
  };
}
