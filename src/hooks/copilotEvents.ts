import { copilotToolName, toCopilotArguments } from "./copilotTools.ts";
import type { HookEvent, HookEventName, HookSession, ToolResponse } from "./hookEvent.ts";

/** How exit codes other than 0 count. Timeouts never stop anything. */
export interface CopilotExitRules {
  /** `deny`: refuses. `guidance`: stdout goes to the model. `warn`: stderr to the user, nothing else. */
  two: "deny" | "guidance" | "warn";
  /** `deny`: a hook that fails refuses (preToolUse alone). `log`: nothing else happens. */
  other: "deny" | "log";
}

/** Answers that count, by event; the rest of a hook's JSON is ignored. */
export type CopilotAnswer =
  | "context"
  | "promptRewrite"
  | "transformedPrompt"
  | "preToolUse"
  | "postToolUse"
  | "failureGuidance"
  | "permission"
  | "stop"
  | "subagentStop"
  | "none";

/** One event of the Copilot format, in both of its naming formats (seed copilot-hook-events.md; payloads as observed). */
export interface CopilotEventRow<E extends HookEvent = HookEvent> {
  /** Native name: payload in camelCase. */
  camelName: string;
  /** Compatible name; absent where the event has none. */
  pascalName?: string;
  /** The moment at which it fires. */
  event: E["name"];
  /** Whether this moment is one of the event's, where one moment serves two events or none. */
  applies?(event: E): boolean;
  /** What the native matcher is held against; absent where the event takes none (C23). */
  matchedOn?: { what: string; of(event: E): string };
  /** `true`: PascalCase hooks match by the tool's compatible names (C24). */
  compatibleMatcher?: true;
  /** Fields that follow sessionId, timestamp and cwd. */
  camelFields(event: E, session: HookSession): Record<string, unknown>;
  /** Fields that follow hook_event_name, session_id, timestamp and cwd. */
  pascalFields(event: E, session: HookSession): Record<string, unknown>;
  answer: CopilotAnswer;
  exits: CopilotExitRules;
  /** False for what Copilot's cloud agent never fires (C25). */
  firedByCloudAgent: boolean;
}

const harmless: CopilotExitRules = { two: "warn", other: "log" };
const toolName = { what: "toolName", of: (event: { toolName: string }) => copilotToolName(event.toolName) };

function row<Name extends HookEventName>(
  definition: CopilotEventRow<Extract<HookEvent, { name: Name }>> & { event: Name },
): CopilotEventRow {
  // A row is only ever asked about events of its own name.
  return definition as unknown as CopilotEventRow;
}

/** Copilot's own general-purpose subagent fires neither start nor stop (C15). */
const isReportedSubagent = (event: { agentType: string }): boolean => event.agentType !== "general-purpose";

function toolCall(event: { toolName: string; toolInput: unknown }) {
  return {
    toolName: copilotToolName(event.toolName),
    toolArgs: toCopilotArguments(event.toolName, event.toolInput),
  };
}

function compatibleToolCall(event: { toolName: string; toolInput: unknown }) {
  return { tool_name: event.toolName, tool_input: event.toolInput };
}

/** The second format's side of the event table: names, payloads and what answers count. */
export const copilotEvents: readonly CopilotEventRow[] = [
  row({
    camelName: "sessionStart",
    pascalName: "SessionStart",
    event: "SessionStart",
    // compaction goes on in the same session; Copilot has no start for it
    applies: (event) => event.source !== "compact",
    camelFields: (event) => ({
      source: startSource(event),
      ...(event.initialPrompt === undefined ? {} : { initialPrompt: event.initialPrompt }),
    }),
    pascalFields: (event) => ({
      source: startSource(event),
      ...(event.initialPrompt === undefined ? {} : { initial_prompt: event.initialPrompt }),
    }),
    answer: "context",
    exits: harmless,
    firedByCloudAgent: true,
  }),
  row({
    camelName: "sessionEnd",
    pascalName: "SessionEnd",
    event: "SessionEnd",
    camelFields: (event) => ({ reason: endReason(event) }),
    pascalFields: (event) => ({ reason: endReason(event) }),
    answer: "none",
    exits: harmless,
    firedByCloudAgent: true,
  }),
  row({
    camelName: "userPromptSubmitted",
    pascalName: "UserPromptSubmit",
    event: "UserPromptSubmit",
    camelFields: (event) => ({ prompt: event.prompt }),
    pascalFields: (event) => ({ prompt: event.prompt }),
    answer: "promptRewrite",
    exits: harmless,
    firedByCloudAgent: true,
  }),
  row({
    camelName: "userPromptTransformed",
    event: "UserPromptTransformed",
    camelFields: (event) => ({ prompt: event.prompt, transformedPrompt: event.transformedPrompt }),
    pascalFields: (event) => ({ prompt: event.prompt, transformed_prompt: event.transformedPrompt }),
    answer: "transformedPrompt",
    exits: harmless,
    firedByCloudAgent: true,
  }),
  row({
    camelName: "preToolUse",
    pascalName: "PreToolUse",
    event: "PreToolUse",
    matchedOn: toolName,
    compatibleMatcher: true,
    camelFields: toolCall,
    pascalFields: compatibleToolCall,
    answer: "preToolUse",
    exits: { two: "deny", other: "deny" },
    firedByCloudAgent: true,
  }),
  row({
    camelName: "postToolUse",
    pascalName: "PostToolUse",
    event: "PostToolUse",
    applies: (event) => event.toolResponse.success,
    matchedOn: toolName,
    camelFields: (event) => ({
      ...toolCall(event),
      toolResult: { resultType: "success", textResultForLlm: event.resultText ?? "" },
    }),
    pascalFields: (event) => ({
      ...compatibleToolCall(event),
      tool_result: { result_type: "success", text_result_for_llm: event.resultText ?? "" },
    }),
    answer: "postToolUse",
    exits: harmless,
    firedByCloudAgent: true,
  }),
  row({
    camelName: "postToolUseFailure",
    pascalName: "PostToolUseFailure",
    event: "PostToolUse",
    applies: (event) => !event.toolResponse.success,
    matchedOn: toolName,
    camelFields: (event) => ({ ...toolCall(event), error: errorText(event.toolResponse) }),
    pascalFields: (event) => ({ ...compatibleToolCall(event), error: errorText(event.toolResponse) }),
    answer: "failureGuidance",
    exits: { two: "guidance", other: "log" },
    firedByCloudAgent: true,
  }),
  row({
    camelName: "permissionRequest",
    pascalName: "PermissionRequest",
    event: "PermissionRequest",
    matchedOn: toolName,
    compatibleMatcher: true,
    camelFields: (event) => ({
      toolName: copilotToolName(event.toolName),
      toolInput: permissionInput(event, toCopilotArguments(event.toolName, event.toolInput)),
      permissionSuggestions: [],
    }),
    pascalFields: (event) => ({
      tool_name: event.toolName,
      tool_input: permissionInput(event, event.toolInput),
      permission_suggestions: [],
    }),
    answer: "permission",
    exits: { two: "deny", other: "log" },
    firedByCloudAgent: false,
  }),
  row({
    camelName: "preCompact",
    pascalName: "PreCompact",
    event: "PreCompact",
    matchedOn: { what: "trigger (manual, auto)", of: (event) => event.trigger },
    camelFields: (event, session) => ({
      transcriptPath: session.transcriptPath,
      trigger: event.trigger,
      customInstructions: event.customInstructions,
    }),
    pascalFields: (event, session) => ({
      transcript_path: session.transcriptPath,
      trigger: event.trigger,
      custom_instructions: event.customInstructions,
    }),
    answer: "none",
    exits: harmless,
    firedByCloudAgent: true,
  }),
  row({
    camelName: "subagentStart",
    pascalName: "SubagentStart",
    event: "SubagentStart",
    applies: isReportedSubagent,
    matchedOn: { what: "agentName", of: (event) => event.agentType },
    camelFields: (event, session) => ({
      transcriptPath: session.transcriptPath,
      agentName: event.agentType,
      agentId: event.agentId,
      agentType: event.agentType,
      parentAgentId: event.parentAgentId ?? session.sessionId,
    }),
    // mixed spelling, as observed: only the common fields are settled by the seed
    pascalFields: (event, session) => ({
      transcriptPath: session.transcriptPath,
      agentName: event.agentType,
      agent_id: event.agentId,
      agent_type: event.agentType,
      parent_agent_id: event.parentAgentId ?? session.sessionId,
    }),
    answer: "context",
    exits: harmless,
    firedByCloudAgent: true,
  }),
  row({
    camelName: "subagentStop",
    pascalName: "SubagentStop",
    event: "SubagentStop",
    applies: isReportedSubagent,
    camelFields: (event, session) => ({
      transcriptPath: session.transcriptPath,
      agentId: event.agentId,
      agentType: event.agentType,
      agentName: event.agentType,
      response: event.lastAssistantMessage ?? "",
      stopReason: "end_turn",
      stop_hook_active: event.stopHookActive,
      parentAgentId: event.parentAgentId ?? session.sessionId,
    }),
    pascalFields: (event, session) => ({
      agent_id: event.agentId,
      agent_type: event.agentType,
      parent_agent_id: event.parentAgentId ?? session.sessionId,
      transcript_path: session.transcriptPath,
      agent_name: event.agentType,
      last_assistant_message: event.lastAssistantMessage ?? "",
      stop_reason: "end_turn",
      stop_hook_active: event.stopHookActive,
    }),
    answer: "subagentStop",
    exits: harmless,
    firedByCloudAgent: true,
  }),
  row({
    camelName: "agentStop",
    pascalName: "Stop",
    event: "Stop",
    camelFields: (event, session) => ({
      transcriptPath: session.transcriptPath,
      stopReason: "end_turn",
      stop_hook_active: event.stopHookActive,
    }),
    pascalFields: (event, session) => ({
      transcript_path: session.transcriptPath,
      stop_reason: "end_turn",
      stop_hook_active: event.stopHookActive,
    }),
    answer: "stop",
    exits: harmless,
    firedByCloudAgent: true,
  }),
  row({
    camelName: "notification",
    pascalName: "Notification",
    event: "Notification",
    matchedOn: { what: "notification_type", of: (event) => event.notificationType },
    camelFields: (event) => ({
      message: event.message,
      ...(event.title === undefined ? {} : { title: event.title }),
      hook_event_name: "Notification",
      notification_type: event.notificationType,
    }),
    pascalFields: (event) => ({
      message: event.message,
      ...(event.title === undefined ? {} : { title: event.title }),
      notification_type: event.notificationType,
    }),
    answer: "context",
    exits: harmless,
    firedByCloudAgent: false,
  }),
  row({
    camelName: "errorOccurred",
    pascalName: "ErrorOccurred",
    event: "ErrorOccurred",
    camelFields: (event) => ({
      errorContext: event.errorContext,
      recoverable: event.recoverable,
      error: describeError(event.error),
    }),
    pascalFields: (event) => ({
      error: describeError(event.error),
      error_context: event.errorContext,
      recoverable: event.recoverable,
    }),
    answer: "none",
    exits: harmless,
    firedByCloudAgent: true,
  }),
];

export interface CopilotEventName {
  row: CopilotEventRow;
  format: "camelCase" | "PascalCase";
}

const byWrittenName = new Map<string, CopilotEventName>();
for (const eventRow of copilotEvents) {
  byWrittenName.set(eventRow.camelName, { row: eventRow, format: "camelCase" });
  if (eventRow.pascalName !== undefined)
    byWrittenName.set(eventRow.pascalName, { row: eventRow, format: "PascalCase" });
}

/** The event of that name as written in a file, and the format that the spelling asks for; names are case-sensitive (C16, C17). */
export function copilotEventNamed(written: string): CopilotEventName | undefined {
  return byWrittenName.get(written);
}

/** The spelling that was probably meant, for a name that differs only in case. */
export function similarCopilotEventName(written: string): string | undefined {
  return [...byWrittenName.keys()].find((name) => name.toLowerCase() === written.toLowerCase());
}

function startSource(event: Extract<HookEvent, { name: "SessionStart" }>): "startup" | "resume" | "new" {
  return event.source === "resume" || event.restored ? "resume" : "new";
}

function endReason(event: Extract<HookEvent, { name: "SessionEnd" }>): string {
  return event.reason ?? (event.endSource === "other" ? "complete" : "user_exit");
}

/** A file edit is shown as its path and diff, as Copilot asks for it; everything else with its arguments. */
function permissionInput(event: Extract<HookEvent, { name: "PermissionRequest" }>, input: unknown): unknown {
  const path = (event.toolInput as { file_path?: unknown } | null)?.file_path;
  return event.diff !== undefined && typeof path === "string" ? { file_path: path, diff: event.diff } : input;
}

function errorText(response: ToolResponse): string {
  return response.error ?? "";
}

function describeError(error: Error): { message: string; name: string; stack: string } {
  return { message: error.message, name: error.name, stack: error.stack ?? "" };
}
