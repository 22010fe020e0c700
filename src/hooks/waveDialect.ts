import { isAbsolute, resolve } from "node:path";
import { commandText, describeEnd, describeFailure, nameHook } from "./describeHookRun.ts";
import type { FinishedHookRun, HookAnswer, HookDialect, HookEffects } from "./hookDialect.ts";
import type { HookEvent } from "./hookEvent.ts";
import { type Audience, hookEventRow, hookEvents, type WaveEventRules } from "./hookEvents.ts";
import { compileMatcher } from "./hookMatcher.ts";
import { type HookOutput, ownField, readHookOutput } from "./hookOutput.ts";
import type { HookNotice } from "./hookResult.ts";
import { neutralizeReminderTags, wrapInSystemReminder } from "./neutralizeReminderTags.ts";

type Rules = WaveEventRules<HookEvent>;

/** The dialect of Wave settings files: names, inputs and outcomes of Claude Code, as the seeds settle them. */
export const waveDialect: HookDialect = {
  name: "wave",

  selectionKey: (event) => hookEventRow(event).matchedOn?.of(event) ?? "",

  compile(hook) {
    const matchedOn = hookEvents[hook.event].matchedOn;
    if (hookEvents[hook.event].wave === undefined) {
      return { ok: false, reason: `the event ${hook.event} does not exist in Wave settings files` };
    }
    // A matcher on an event that takes none is a warning for whoever reads the file; the hook still runs (design.md section 3).
    if (matchedOn === undefined) return { ok: true, selects: () => true };
    const compiled = compileMatcher(hook.matcher);
    if (!compiled.ok) return compiled;
    return {
      ok: true,
      selects: (event) => compiled.matcher.takes(hookEventRow(event).matchedOn?.of(event) ?? ""),
    };
  },

  matchedOn: (event) => hookEventRow(event).matchedOn?.of(event),

  timeoutMs(hook) {
    return hook.timeoutIsExplicit
      ? hook.timeoutMs
      : (hookEvents[hook.event].wave?.defaultTimeoutMs ?? hook.timeoutMs);
  },

  buildInput(_hook, event, session) {
    return {
      session_id: session.sessionId,
      transcript_path: session.transcriptPath,
      cwd: session.cwd,
      hook_event_name: event.name,
      permission_mode: session.permissionMode,
      // As in Claude Code: a tool that a subagent calls says whose it is. Events of the subagent itself carry their own.
      ...(session.agentId === undefined ? {} : { agent_id: session.agentId }),
      ...(session.agentType === undefined ? {} : { agent_type: session.agentType }),
      ...rulesOf(event)?.input(event),
    };
  },

  interpret(run) {
    const rules = rulesOf(run.event);
    if (rules === undefined) return { outcome: "ignored", context: [], notices: [] };
    return interpretRun(run, rules);
  },

  conclude(event, runs) {
    const first = runs[0];
    if (first === undefined || rulesOf(event)?.plainStdout !== "worktreePath") return undefined;
    if (runs.some(({ effects }) => effects.answer?.worktreePath !== undefined)) return undefined;
    const reasons = runs.flatMap(({ effects }) => effects.failure ?? []);
    return {
      text: ["No hook created the worktree.", ...reasons].join("\n"),
      hook: first.hook.provenance,
    };
  },
};

function rulesOf(event: HookEvent): Rules | undefined {
  return hookEventRow(event).wave;
}

function interpretRun(run: FinishedHookRun, rules: Rules): HookEffects {
  const { end } = run.result;
  // Output of a hook that was cut off counts for nothing but the report (design.md section 4).
  if (end.kind !== "exit") return failed(run, rules.otherFailuresTo);
  const output = readHookOutput(run.result.stdout, run.event.name);
  const fromJson = readJson(run, rules, output);
  if (end.code === 0) return withJson(succeeded(run, rules, output), fromJson);
  if (end.code === 2) return withJson(exitedWithTwo(run, rules), fromJson);
  return withJson(failed(run, rules.otherFailuresTo), fromJson);
}

interface JsonEffects {
  context: readonly string[];
  notices: readonly HookNotice[];
}

/** What counts at every exit code: additionalContext, systemMessage, and the report of illegal output. */
function readJson(run: FinishedHookRun, rules: Rules, output: HookOutput): JsonEffects {
  if (output.kind === "illegal") {
    const text = `${nameHook(run.hook)} printed JSON that is not valid hook output: ${output.reason}`;
    return { context: [], notices: [{ level: "error", text }] };
  }
  if (output.kind !== "json") return { context: [], notices: [] };
  const context = rules.additionalContext
    ? ownField(ownField(output.fields, "hookSpecificOutput"), "additionalContext")
    : undefined;
  const message = rules.systemMessage ? ownField(output.fields, "systemMessage") : undefined;
  return {
    context: isFilled(context) ? [wrapInSystemReminder(context)] : [],
    notices: isFilled(message) ? [{ level: "info", text: message }] : [],
  };
}

function withJson(effects: HookEffects, json: JsonEffects): HookEffects {
  if (json.context.length === 0 && json.notices.length === 0) return effects;
  return {
    ...effects,
    context: [...effects.context, ...json.context],
    notices: [...json.notices, ...effects.notices],
    outcome: `${effects.outcome}${json.context.length > 0 ? "; its additionalContext goes to the model" : ""}`,
  };
}

function succeeded(run: FinishedHookRun, rules: Rules, output: HookOutput): HookEffects {
  const nothing: HookEffects = { outcome: "succeeded", context: [], notices: [] };
  if (rules.decision && output.kind === "json" && ownField(output.fields, "decision") === "block") {
    const reason = ownField(output.fields, "reason");
    if (!isFilled(reason)) {
      return { ...nothing, outcome: 'succeeded; its decision "block" has no reason and does not count' };
    }
    return {
      ...nothing,
      outcome: "blocked by its decision",
      verdict: { kind: "block", text: neutralizeReminderTags(reason) },
    };
  }
  const text = output.kind === "text" ? output.text : "";
  switch (rules.plainStdout) {
    case "nothing":
      return nothing;
    case "context":
      if (text === "") return nothing;
      return {
        ...nothing,
        outcome: "succeeded; its stdout goes to the model",
        context: [wrapInSystemReminder(text)],
      };
    case "compactInstructions":
      if (text === "") return nothing;
      return answered("succeeded; its stdout guides the summary", {
        compactInstructions: neutralizeReminderTags(text),
      });
    case "worktreePath": {
      const path = lastLine(text);
      if (path === "") {
        const failure = `${nameHook(run.hook)} printed no path`;
        return { ...nothing, outcome: "printed no path", failure };
      }
      const worktreePath = isAbsolute(path) ? path : resolve(run.session.cwd, path);
      return { ...answered("created the worktree", { worktreePath }), endsEvent: true };
    }
  }
}

function answered(outcome: string, answer: HookAnswer): HookEffects {
  return { outcome, context: [], notices: [], answer };
}

function exitedWithTwo(run: FinishedHookRun, rules: Rules): HookEffects {
  const { exitTwo } = rules;
  if (exitTwo.effect === "none") return failed(run, exitTwo.stderrTo, run.result.stderr.trim());
  const said = run.result.stderr.trim() || `${nameHook(run.hook)} exited with code 2 and gave no reason`;
  const stderr = exitTwo.stderrTo === "model" ? neutralizeReminderTags(said) : said;
  return {
    outcome: exitTwo.effect === "block" ? "blocked with exit code 2" : "told the model with exit code 2",
    verdict: {
      kind: exitTwo.effect,
      text: exitTwo.text?.(stderr, run.event, commandText(run.hook)) ?? stderr,
    },
    ...(exitTwo.discardsContext ? { discardsContext: true as const } : {}),
    context: [],
    notices: [],
  };
}

/** @param words Instead of the full report, for the person. */
function failed(run: FinishedHookRun, audience: Audience, words = ""): HookEffects {
  const timeoutMs = waveDialect.timeoutMs(run.hook);
  const failure = describeFailure(run.hook, run.result, timeoutMs);
  const effects: HookEffects = {
    outcome: describeEnd(run.result, timeoutMs),
    context: [],
    notices: [],
    failure,
  };
  // The person who interrupts needs no report of it.
  if (run.result.end.kind === "aborted") return effects;
  if (audience === "user") return { ...effects, notices: [{ level: "error", text: words || failure }] };
  return { ...effects, log: { level: audience === "warning" ? "warn" : "info", text: failure } };
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours are what has to go
const ansiSequence = /\u001b\[[0-?]*[ -/]*[@-~]/g;

function lastLine(text: string): string {
  const lines = text
    .replace(ansiSequence, "")
    .split("\n")
    .map((line) => line.trim());
  return lines.filter((line) => line !== "").at(-1) ?? "";
}
