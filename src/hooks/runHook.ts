import { resolve } from "node:path";
import type { CommandResult, CommandRunner } from "./commandRunner.ts";
import { commandText } from "./describeHookRun.ts";
import type { HookAction, HookDefinition } from "./hookDefinition.ts";
import { hookEnvironment, substitutePluginRoot } from "./hookEnvironment.ts";
import type { HookEvent, HookSession } from "./hookEvent.ts";
import type { HookHttpClient } from "./hookHttpClient.ts";
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
  /** Absent where hooks over HTTP are not supported. */
  http?: HookHttpClient;
  /** The environment for every process, already without credentials. */
  environment: Readonly<Record<string, string>>;
  workdir: string;
}

/** Runs one hook to its end. */
export async function runHook(run: HookRun, ports: HookRunPorts): Promise<CommandResult> {
  const { hook, dialect, session } = run;
  const { action, provenance } = hook;
  const root = session.projectDir ?? ports.workdir;
  if (action.type === "http") return postToHook(run, action, ports);
  const env = hookEnvironment(ports.environment, action, provenance, session.projectDir);
  try {
    return await ports.runner.run({
      command: substitutePluginRoot(action.command, provenance.pluginRoot),
      cwd: action.cwd === undefined ? session.cwd : resolve(root, action.cwd),
      fallbackCwd: root,
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

async function postToHook(
  { hook, dialect, stdin, signal }: HookRun,
  action: Extract<HookAction, { type: "http" }>,
  ports: HookRunPorts,
): Promise<CommandResult> {
  if (ports.http === undefined) return notStarted("hooks over HTTP are not supported here");
  const started = performance.now();
  const outcome = await ports.http.post({
    url: action.url,
    headers: action.headers ?? {},
    variables: Object.fromEntries(
      (action.allowedEnvVars ?? []).map((name) => [name, ports.environment[name] ?? ""]),
    ),
    body: stdin,
    timeoutMs: dialect.timeoutMs(hook),
    ...(signal === undefined ? {} : { signal }),
  });
  const result = notStarted(outcome.kind === "failed" ? outcome.reason : "");
  result.durationMs = performance.now() - started;
  if (outcome.kind === "answered") return { ...result, end: { kind: "exit", code: 0 }, stdout: outcome.body };
  return outcome.kind === "failed" ? result : { ...result, end: { kind: outcome.kind } };
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
