import { describe, expect, it } from "vitest";
import { createCopilotDialect } from "../../src/hooks/copilotDialect.ts";
import { copilotEventNamed } from "../../src/hooks/copilotEvents.ts";
import type { HookEvent, HookSession } from "../../src/hooks/hookEvent.ts";
import { copilotHook } from "../support/copilotHook.ts";

const now = Date.parse("2026-11-30T12:00:00.123Z");
const iso = "2026-11-30T12:00:00.123Z";
const dialect = createCopilotDialect(() => now);
const session: HookSession = {
  sessionId: "s1",
  transcriptPath: "/home/me/.wave/sessions/session_s1.json",
  cwd: "/p",
  projectDir: "/p",
  permissionMode: "default",
};
const error = Object.assign(new Error("no answer"), { stack: "Error: no answer\n    at x" });

const events = {
  fresh: { name: "SessionStart", source: "startup", initialPrompt: "hi" },
  end: { name: "SessionEnd", endSource: "other" },
  prompt: { name: "UserPromptSubmit", prompt: "hi" },
  transformed: { name: "UserPromptTransformed", prompt: "hi", transformedPrompt: "hi!" },
  read: { name: "PreToolUse", toolName: "Read", toolInput: { file_path: "/p/a" }, toolUseId: "t" },
  done: {
    name: "PostToolUse",
    toolName: "Edit",
    toolInput: { file_path: "/p/a", old_string: "x", new_string: "y" },
    toolUseId: "t",
    toolResponse: { success: true },
    resultText: "edited",
  },
  failed: {
    name: "PostToolUse",
    toolName: "Bash",
    toolInput: { command: "x" },
    toolUseId: "t",
    toolResponse: { success: false, error: "Path does not exist" },
  },
  ask: { name: "PermissionRequest", toolName: "Bash", toolInput: { command: "ls" }, toolUseId: "t" },
  askEdit: {
    name: "PermissionRequest",
    toolName: "Edit",
    toolInput: { file_path: "/p/a" },
    toolUseId: "t",
    diff: "-x\n+y",
  },
  compact: { name: "PreCompact", trigger: "auto", customInstructions: "keep" },
  subStart: { name: "SubagentStart", agentId: "a1", agentType: "explore", agentTranscriptPath: "/t" },
  subStop: {
    name: "SubagentStop",
    agentId: "a1",
    agentType: "explore",
    agentTranscriptPath: "/t",
    stopHookActive: false,
    lastAssistantMessage: "found",
  },
  stop: { name: "Stop", stopHookActive: true, backgroundTasks: [], sessionCrons: [] },
  note: { name: "Notification", message: "done", title: "Shell", notificationType: "shell_completed" },
  error: { name: "ErrorOccurred", error, errorContext: "model_call", recoverable: true },
} as const satisfies Record<string, HookEvent>;

const camel = { sessionId: "s1", timestamp: now, cwd: "/p" };
const pascal = (name: string) => ({ hook_event_name: name, session_id: "s1", timestamp: iso, cwd: "/p" });
const transcript = session.transcriptPath;

const payloads: [
  ids: string,
  written: string,
  event: keyof typeof events,
  payload: Record<string, unknown>,
][] = [
  ["C1 C16", "sessionStart", "fresh", { ...camel, source: "new", initialPrompt: "hi" }],
  ["C1 C16", "SessionStart", "fresh", { ...pascal("SessionStart"), source: "new", initial_prompt: "hi" }],
  ["C2", "sessionEnd", "end", { ...camel, reason: "complete" }],
  ["C2", "SessionEnd", "end", { ...pascal("SessionEnd"), reason: "complete" }],
  ["C3", "userPromptSubmitted", "prompt", { ...camel, prompt: "hi" }],
  ["C3 C17", "UserPromptSubmit", "prompt", { ...pascal("UserPromptSubmit"), prompt: "hi" }],
  ["C4", "userPromptTransformed", "transformed", { ...camel, prompt: "hi", transformedPrompt: "hi!" }],
  ["C5 C18", "preToolUse", "read", { ...camel, toolName: "view", toolArgs: { path: "/p/a" } }],
  [
    "C5 C24",
    "PreToolUse",
    "read",
    { ...pascal("PreToolUse"), tool_name: "Read", tool_input: { file_path: "/p/a" } },
  ],
  [
    "C6 C20",
    "postToolUse",
    "done",
    {
      ...camel,
      toolName: "edit",
      toolArgs: { path: "/p/a", old_str: "x", new_str: "y" },
      toolResult: { resultType: "success", textResultForLlm: "edited" },
    },
  ],
  [
    "C6 C20",
    "PostToolUse",
    "done",
    {
      ...pascal("PostToolUse"),
      tool_name: "Edit",
      tool_input: { file_path: "/p/a", old_string: "x", new_string: "y" },
      tool_result: { result_type: "success", text_result_for_llm: "edited" },
    },
  ],
  [
    "C7 C20",
    "postToolUseFailure",
    "failed",
    { ...camel, toolName: "bash", toolArgs: { command: "x" }, error: "Path does not exist" },
  ],
  [
    "C7 C20",
    "PostToolUseFailure",
    "failed",
    {
      ...pascal("PostToolUseFailure"),
      tool_name: "Bash",
      tool_input: { command: "x" },
      error: "Path does not exist",
    },
  ],
  [
    "C8",
    "permissionRequest",
    "ask",
    {
      hookName: "permissionRequest",
      ...camel,
      toolName: "bash",
      toolInput: { command: "ls" },
      permissionSuggestions: [],
    },
  ],
  [
    "C8",
    "permissionRequest",
    "askEdit",
    {
      hookName: "permissionRequest",
      ...camel,
      toolName: "edit",
      toolInput: { file_path: "/p/a", diff: "-x\n+y" },
      permissionSuggestions: [],
    },
  ],
  [
    "C8 C24",
    "PermissionRequest",
    "ask",
    {
      ...pascal("PermissionRequest"),
      tool_name: "Bash",
      tool_input: { command: "ls" },
      permission_suggestions: [],
    },
  ],
  [
    "C9",
    "preCompact",
    "compact",
    { ...camel, transcriptPath: transcript, trigger: "auto", customInstructions: "keep" },
  ],
  [
    "C9",
    "PreCompact",
    "compact",
    { ...pascal("PreCompact"), transcript_path: transcript, trigger: "auto", custom_instructions: "keep" },
  ],
  [
    "C10",
    "subagentStart",
    "subStart",
    {
      ...camel,
      transcriptPath: transcript,
      agentName: "explore",
      agentId: "a1",
      agentType: "explore",
      parentAgentId: "s1",
    },
  ],
  [
    "C10",
    "SubagentStart",
    "subStart",
    {
      ...pascal("SubagentStart"),
      transcriptPath: transcript,
      agentName: "explore",
      agent_id: "a1",
      agent_type: "explore",
      parent_agent_id: "s1",
    },
  ],
  [
    "C11",
    "subagentStop",
    "subStop",
    {
      ...camel,
      transcriptPath: transcript,
      agentId: "a1",
      agentType: "explore",
      agentName: "explore",
      response: "found",
      stopReason: "end_turn",
      stop_hook_active: false,
      parentAgentId: "s1",
    },
  ],
  [
    "C11",
    "SubagentStop",
    "subStop",
    {
      ...pascal("SubagentStop"),
      agent_id: "a1",
      agent_type: "explore",
      parent_agent_id: "s1",
      transcript_path: transcript,
      agent_name: "explore",
      last_assistant_message: "found",
      stop_reason: "end_turn",
      stop_hook_active: false,
    },
  ],
  [
    "C12",
    "agentStop",
    "stop",
    { ...camel, transcriptPath: transcript, stopReason: "end_turn", stop_hook_active: true },
  ],
  [
    "C12 C17",
    "Stop",
    "stop",
    { ...pascal("Stop"), transcript_path: transcript, stop_reason: "end_turn", stop_hook_active: true },
  ],
  [
    "C13",
    "notification",
    "note",
    {
      ...camel,
      message: "done",
      title: "Shell",
      hook_event_name: "Notification",
      notification_type: "shell_completed",
    },
  ],
  [
    "C13",
    "Notification",
    "note",
    { ...pascal("Notification"), message: "done", title: "Shell", notification_type: "shell_completed" },
  ],
  [
    "C14",
    "errorOccurred",
    "error",
    {
      ...camel,
      errorContext: "model_call",
      recoverable: true,
      error: { message: "no answer", name: "Error", stack: error.stack },
    },
  ],
  [
    "C14",
    "ErrorOccurred",
    "error",
    {
      ...pascal("ErrorOccurred"),
      error: { message: "no answer", name: "Error", stack: error.stack },
      error_context: "model_call",
      recoverable: true,
    },
  ],
];

describe("payloads of the Copilot dialect, key for key and in order", () => {
  it.each(payloads)("%s %s for %s", (_ids, written, event, payload) => {
    const input = dialect.buildInput(copilotHook({ event: written }), events[event], session);
    expect(JSON.stringify(input)).toBe(JSON.stringify(payload));
  });

  it("C19 passes on arguments that are no object as they are", () => {
    const input = dialect.buildInput(
      copilotHook({ event: "preToolUse" }),
      { ...events.read, toolInput: "raw {" },
      session,
    );
    expect(input.toolArgs).toBe("raw {");
  });

  it("C1 C2 says resume and user_exit where a session is restored or cleared", () => {
    const start = copilotHook({ event: "sessionStart" });
    const end = copilotHook({ event: "sessionEnd" });
    const input = (hook: typeof start, event: HookEvent) => dialect.buildInput(hook, event, session);
    expect(input(start, { name: "SessionStart", source: "resume" }).source).toBe("resume");
    expect(input(start, { name: "SessionStart", source: "startup", restored: true }).source).toBe("resume");
    expect(input(start, { name: "SessionStart", source: "clear" }).source).toBe("new");
    expect(input(end, { name: "SessionEnd", endSource: "clear" }).reason).toBe("user_exit");
    expect(input(end, { name: "SessionEnd", endSource: "other", reason: "error" }).reason).toBe("error");
  });

  it("C4 has no PascalCase name for userPromptTransformed", () => {
    expect(copilotEventNamed("UserPromptTransformed")).toBeUndefined();
    expect(copilotEventNamed("pretooluse")).toBeUndefined();
  });
});

describe("which hooks a moment selects", () => {
  const selects = (hook: Parameters<typeof copilotHook>[0], event: HookEvent): boolean | string => {
    const compiled = dialect.compile(copilotHook(hook));
    return compiled.ok ? compiled.selects(event) : compiled.reason;
  };

  it("C22 C23 matches the whole of Copilot's tool name, and refuses an invalid pattern", () => {
    expect(selects({ event: "preToolUse", matcher: "vie" }, events.read)).toBe(false);
    expect(selects({ event: "preToolUse", matcher: "view|edit" }, events.read)).toBe(true);
    expect(selects({ event: "preToolUse", matcher: "Read" }, events.read)).toBe(false);
    expect(selects({ event: "preToolUse", matcher: "(" }, events.read)).toMatch(/regular expression/i);
  });

  it("C23 matches notifications, compactions and subagents by their own subject", () => {
    expect(selects({ event: "notification", matcher: "shell_.*" }, events.note)).toBe(true);
    expect(selects({ event: "notification", matcher: "shell" }, events.note)).toBe(false);
    expect(selects({ event: "preCompact", matcher: "auto" }, events.compact)).toBe(true);
    expect(selects({ event: "preCompact", matcher: "manual" }, events.compact)).toBe(false);
    expect(selects({ event: "subagentStart", matcher: "explore" }, events.subStart)).toBe(true);
    expect(selects({ event: "agentStop", matcher: "anything" }, events.stop)).toBe(true);
  });

  it("C24 matches PascalCase tool hooks by compatible names", () => {
    for (const matcher of ["*", "**", "", undefined, "Read", "Edit|Read", "view", "Rea."]) {
      expect(
        selects({ event: "PreToolUse", ...(matcher === undefined ? {} : { matcher }) }, events.read),
      ).toBe(true);
    }
    expect(selects({ event: "PreToolUse", matcher: "read" }, events.read)).toBe(false);
    expect(selects({ event: "PreToolUse", matcher: "Rea" }, events.read)).toBe(false);
    expect(selects({ event: "PermissionRequest", matcher: "Bash" }, events.ask)).toBe(true);
    expect(selects({ event: "PostToolUse", matcher: "Edit|Write" }, events.done)).toBe(true);
  });

  it("C6 C7 tells success and failure apart", () => {
    expect(selects({ event: "postToolUse" }, events.done)).toBe(true);
    expect(selects({ event: "postToolUse" }, events.failed)).toBe(false);
    expect(selects({ event: "postToolUseFailure" }, events.failed)).toBe(true);
    expect(selects({ event: "postToolUseFailure" }, events.done)).toBe(false);
    expect(dialect.selectionKey(events.done)).not.toBe(
      dialect.selectionKey({ ...events.done, toolResponse: { success: false } }),
    );
  });

  it("C15 leaves the general-purpose subagent alone", () => {
    expect(selects({ event: "subagentStart" }, { ...events.subStart, agentType: "general-purpose" })).toBe(
      false,
    );
    expect(selects({ event: "SubagentStop" }, { ...events.subStop, agentType: "general-purpose" })).toBe(
      false,
    );
  });

  it("has no session start for a compaction", () => {
    expect(selects({ event: "sessionStart" }, { name: "SessionStart", source: "compact" })).toBe(false);
  });
});
