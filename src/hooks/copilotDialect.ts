import { basename } from "node:path";
import {
  type CopilotEventName,
  type CopilotEventRow,
  copilotEventNamed,
  copilotEvents,
} from "./copilotEvents.ts";
import { compileCompatibleMatcher, compileNativeMatcher } from "./copilotMatcher.ts";
import { type CopilotOutput, readCopilotOutput } from "./copilotOutput.ts";
import { compatibleToolNames, fromCopilotArguments } from "./copilotTools.ts";
import { commandText, describeEnd, describeFailure, nameHook } from "./describeHookRun.ts";
import type { HookDefinition } from "./hookDefinition.ts";
import type { FinishedHookRun, HookAnswer, HookDialect, HookEffects } from "./hookDialect.ts";
import type { HookEvent } from "./hookEvent.ts";
import { neutralizeReminderTags, wrapInSystemReminder } from "./neutralizeReminderTags.ts";

/** @param now Milliseconds since 1970, for the payload's timestamp. */
export function createCopilotDialect(now: () => number = Date.now): HookDialect {
  return {
    name: "copilot",

    selectionKey: (event) =>
      rowsOf(event)
        .map(
          (row) => `${row.applies?.(event) ?? true}:${row.matchedOn?.of(event) ?? ""}:${rawToolName(event)}`,
        )
        .join("\n"),

    compile(hook) {
      const named = copilotEventNamed(hook.writtenEvent);
      if (!named)
        return { ok: false, reason: `the event ${hook.writtenEvent} does not exist in Copilot hook files` };
      const applies = (event: HookEvent): boolean =>
        event.name === named.row.event && (named.row.applies?.(event) ?? true);
      const compiled = compileMatcherOf(hook, named);
      if (!compiled.ok) return compiled;
      return { ok: true, selects: (event) => applies(event) && compiled.takes(event) };
    },

    matchedOn: (event) => rowsOf(event)[0]?.matchedOn?.of(event),

    timeoutMs: (hook) => hook.timeoutMs,

    buildInput(hook, event, session) {
      const named = copilotEventNamed(hook.writtenEvent);
      if (!named) return {};
      const { row, format } = named;
      if (format === "PascalCase") {
        return {
          hook_event_name: hook.writtenEvent,
          session_id: session.sessionId,
          timestamp: new Date(now()).toISOString(),
          cwd: session.cwd,
          ...row.pascalFields(event, session),
        };
      }
      return {
        ...(row.camelName === "permissionRequest" ? { hookName: row.camelName } : {}),
        sessionId: session.sessionId,
        timestamp: now(),
        cwd: session.cwd,
        ...row.camelFields(event, session),
      };
    },

    interpret(run) {
      const named = copilotEventNamed(run.hook.writtenEvent);
      return named ? interpretRun(run, named) : { outcome: "ignored", context: [], notices: [] };
    },
  };
}

const rowsByEvent = new Map<HookEvent["name"], readonly CopilotEventRow[]>();
for (const row of copilotEvents) rowsByEvent.set(row.event, [...(rowsByEvent.get(row.event) ?? []), row]);

function rowsOf(event: HookEvent): readonly CopilotEventRow[] {
  return rowsByEvent.get(event.name) ?? [];
}

/** The tool's own name takes part in selection where PascalCase hooks match by it. */
function rawToolName(event: HookEvent): string {
  return "toolName" in event ? event.toolName : "";
}

function compileMatcherOf(
  hook: HookDefinition,
  { row, format }: CopilotEventName,
): { ok: true; takes(event: HookEvent): boolean } | { ok: false; reason: string } {
  const { matchedOn } = row;
  if (!matchedOn) return { ok: true, takes: () => true };
  if (format === "PascalCase" && row.compatibleMatcher) {
    const compiled = compileCompatibleMatcher(hook.matcher);
    return compiled.ok
      ? { ok: true, takes: (event) => compiled.takes(compatibleToolNames(rawToolName(event))) }
      : compiled;
  }
  const native = compileNativeMatcher(hook.matcher === "" ? undefined : hook.matcher);
  if (!native.ok) return native;
  const { matcher } = native;
  // other PascalCase tool events are told our tool names, so their matchers may hold either
  return format === "PascalCase" && matchedOn.what === "toolName"
    ? {
        ok: true,
        takes: (event) => compatibleToolNames(rawToolName(event)).some((name) => matcher.takes(name)),
      }
    : { ok: true, takes: (event) => matcher.takes(matchedOn.of(event)) };
}

function interpretRun(run: FinishedHookRun, named: CopilotEventName): HookEffects {
  const { end } = run.result;
  const { row } = named;
  if (end.kind === "aborted") return { outcome: "was interrupted", context: [], notices: [] };
  if (end.kind === "timeout") return timedOut(run);
  const isHttp = run.hook.action.type === "http";
  if (end.kind !== "exit") return isHttp ? harmlessFailure(run) : failed(run, row);
  const output = readCopilotOutput(run.result.stdout);
  const effects =
    end.code === 0
      ? answered(run, named, output)
      : end.code === 2
        ? exitedWithTwo(run, named, output)
        : failed(run, row);
  if (output.progress.length === 0) return effects;
  const progress = output.progress.map((text) => ({ level: "info" as const, text }));
  return { ...effects, notices: [...progress, ...effects.notices] };
}

/** A timeout never stops anything, not even before a tool (fails open). */
function timedOut(run: FinishedHookRun): HookEffects {
  const seconds = run.hook.timeoutMs / 1000;
  const command = [...commandText(run.hook).replace(/\s+/g, " ")].slice(0, 80).join("");
  const text = `Hook command timed out after ${seconds} seconds: ${command}`;
  return {
    outcome: describeEnd(run.result, run.hook.timeoutMs),
    context: [],
    notices: [{ level: "warning", text }],
    failure: text,
  };
}

/** An HTTP hook that gives no usable answer is reported, and nothing is refused for it. */
function harmlessFailure(run: FinishedHookRun): HookEffects {
  const failure = describeFailure(run.hook, run.result, run.hook.timeoutMs);
  return {
    outcome: describeEnd(run.result, run.hook.timeoutMs),
    context: [],
    notices: [{ level: "warning", text: failure }],
    failure,
  };
}

function failed(run: FinishedHookRun, row: CopilotEventRow): HookEffects {
  const failure = describeFailure(run.hook, run.result, run.hook.timeoutMs);
  const effects: HookEffects = {
    outcome: describeEnd(run.result, run.hook.timeoutMs),
    context: [],
    notices: [],
    failure,
    log: { level: "warn", text: failure },
  };
  if (row.exits.other !== "deny") return effects;
  const file = run.hook.provenance.file;
  const from = file === undefined ? "" : ` from "${basename(file)}"`;
  return {
    ...effects,
    verdict: { kind: "block", text: `Denied by ${row.camelName} hook${from} (hook errored)` },
    notices: [{ level: "error", text: failure }],
  };
}

function exitedWithTwo(run: FinishedHookRun, named: CopilotEventName, output: CopilotOutput): HookEffects {
  const { row } = named;
  const stderr = run.result.stderr.trim();
  const outcome = "exited with code 2";
  switch (row.exits.two) {
    case "deny": {
      if (row.answer === "permission") {
        return permissionAnswer({ ...output.fields, behavior: "deny" }, "refused with exit code 2");
      }
      const reason = filled(output.fields.permissionDecisionReason) ?? "hook exited with code 2";
      return {
        outcome: "refused with exit code 2",
        verdict: { kind: "block", text: denied(row, reason) },
        context: [],
        notices: stderr === "" ? [] : [{ level: "warning", text: stderr }],
      };
    }
    case "guidance": {
      const text = filled(output.fields.additionalContext) ?? filled(output.text);
      return {
        outcome: `${outcome}: its stdout guides the model`,
        context: [],
        notices: [],
        ...guidanceAfterFailure(run, text),
      };
    }
    case "warn":
      return {
        outcome,
        context: [],
        notices: [
          { level: "warning", text: stderr || describeFailure(run.hook, run.result, run.hook.timeoutMs) },
        ],
      };
  }
}

/** A hook that exited with 0: its JSON, where it printed any, says what is to happen. */
function answered(run: FinishedHookRun, named: CopilotEventName, { fields }: CopilotOutput): HookEffects {
  const nothing: HookEffects = { outcome: "succeeded", context: [], notices: [] };
  const { row } = named;
  const context = filled(fields.additionalContext);
  switch (row.answer) {
    case "none":
      return nothing;
    case "context":
      return context === undefined ? nothing : { ...nothing, context: [wrapInSystemReminder(context)] };
    case "promptRewrite":
      return promptRewrite(run, fields, nothing);
    case "transformedPrompt": {
      const text = filled(fields.modifiedTransformedPrompt);
      return text === undefined
        ? nothing
        : { ...nothing, outcome: "changed the model's prompt", answer: { modifiedTransformedPrompt: text } };
    }
    case "preToolUse":
      return preToolUseAnswer(run, named, fields, context);
    case "postToolUse":
      return postToolUseAnswer(run, fields, context);
    case "failureGuidance":
      return { ...nothing, ...guidanceAfterFailure(run, context) };
    case "permission":
      return permissionAnswer(fields, "answered the permission question");
    case "stop":
      return stopAnswer(fields) ?? nothing;
    case "subagentStop": {
      const stop = stopAnswer(fields);
      if (stop) return stop;
      const response = filled(fields.modifiedResponse);
      return response === undefined
        ? nothing
        : { ...nothing, outcome: "changed the response", answer: { modifiedResponse: response } };
    }
  }
}

/** Counts only for hooks given in code (C3); whoever configured one is told, since Copilot itself stays silent. */
function promptRewrite(
  run: FinishedHookRun,
  fields: CopilotOutput["fields"],
  nothing: HookEffects,
): HookEffects {
  const prompt = filled(fields.modifiedPrompt);
  if (prompt === undefined) return nothing;
  if (run.hook.provenance.source === "code")
    return { ...nothing, outcome: "changed the prompt", answer: { modifiedPrompt: prompt } };
  const text = `${nameHook(run.hook)} printed modifiedPrompt, which counts only for hooks given in code; use userPromptTransformed.`;
  return { ...nothing, outcome: "its modifiedPrompt does not count", log: { level: "warn", text } };
}

function preToolUseAnswer(
  run: FinishedHookRun,
  { row, format }: CopilotEventName,
  fields: CopilotOutput["fields"],
  context: string | undefined,
): HookEffects {
  const guidance =
    context === undefined
      ? {}
      : {
          guidance: {
            heading: "Additional context from preToolUse hook:",
            text: neutralizeReminderTags(context),
          },
        };
  const reason = filled(fields.permissionDecisionReason);
  const base = { context: [], notices: [], ...guidance };
  if (fields.permissionDecision === "deny") {
    return {
      ...base,
      outcome: "denied the tool",
      verdict: { kind: "block", text: denied(row, reason ?? "no reason given") },
    };
  }
  const permission: HookAnswer["permission"] =
    fields.permissionDecision === "allow" || fields.permissionDecision === "ask"
      ? { decision: fields.permissionDecision, ...(reason === undefined ? {} : { reason }) }
      : undefined;
  const changed = fields.modifiedArgs ?? fields.updatedInput;
  const input = format === "camelCase" ? fromCopilotArguments(rawToolName(run.event), changed) : changed;
  return {
    ...base,
    outcome: permission
      ? `answered "${permission.decision}"`
      : input === undefined
        ? "succeeded"
        : "changed the arguments",
    answer: {
      ...(permission === undefined ? {} : { permission }),
      ...(input === undefined ? {} : { modifiedToolInput: input }),
    },
  };
}

function postToolUseAnswer(
  run: FinishedHookRun,
  fields: CopilotOutput["fields"],
  context: string | undefined,
): HookEffects {
  const result = fields.modifiedResult as
    | { textResultForLlm?: unknown; text_result_for_llm?: unknown }
    | null
    | undefined;
  const text = result?.textResultForLlm ?? result?.text_result_for_llm;
  const heading = `Tool "${rawToolName(run.event)}" succeeded. Additional guidance from postToolUse hooks:`;
  return {
    outcome: typeof text === "string" ? "changed the result" : "succeeded",
    context: [],
    notices: [],
    answer: {
      ...(typeof text === "string" ? { modifiedToolResult: text } : {}),
      ...(context === undefined
        ? {}
        : { toolResultAddendum: `${heading}\n${neutralizeReminderTags(context)}` }),
    },
  };
}

function guidanceAfterFailure(run: FinishedHookRun, text: string | undefined): Partial<HookEffects> {
  if (text === undefined) return {};
  const heading = `Tool "${rawToolName(run.event)}" failed. Additional guidance from postToolUseFailure hooks:`;
  return { guidance: { heading, text: neutralizeReminderTags(text) } };
}

function permissionAnswer(fields: CopilotOutput["fields"], outcome: string): HookEffects {
  const nothing: HookEffects = { outcome: "succeeded", context: [], notices: [] };
  if (fields.behavior !== "allow" && fields.behavior !== "deny") return nothing;
  const message = filled(fields.message);
  return {
    ...nothing,
    outcome,
    answer: {
      permission: {
        decision: fields.behavior,
        ...(message === undefined ? {} : { reason: message }),
        ...(fields.interrupt === true ? { interrupt: true } : {}),
      },
    },
  };
}

function stopAnswer(fields: CopilotOutput["fields"]): HookEffects | undefined {
  const reason = filled(fields.reason);
  if (fields.decision !== "block" || reason === undefined) return undefined;
  return {
    outcome: "asked to go on",
    verdict: { kind: "block", text: neutralizeReminderTags(reason) },
    context: [],
    notices: [],
  };
}

function denied(row: CopilotEventRow, reason: string): string {
  return `Denied by ${row.camelName} hook: ${neutralizeReminderTags(reason)}`;
}

function filled(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
